"""Tells German words before an amount from words before a number of a section: "in der Regel 30 Minuten".

"Regel", "Punkt" or "Anforderung" is an ordinary noun, and German puts an amount directly behind it. A noun after the
number says what is counted, because German writes nouns with a capital; a place goes on with its parts ("Regel 12
Absatz 2") or with its document ("Regel 30 der Ausführungsordnung").
"""

from __future__ import annotations

import re

from rabbithole.kb.references.grammar.form import WS, WS1

from .path import SKIP, UNIT

_AS_A_RULE = re.compile(rf"in{WS1}(?:der|aller){WS1}\Z", re.IGNORECASE)
_LONGEST = 16
"""Characters before the word that the idiom may take up."""
_NEVER_COUNTED = frozenset({"randnummer", "grund"})
"""Units whose words stand before numbers of places only."""
_RANGE = re.compile(rf"{WS}(?:bis(?:{WS1}zu)?|und|oder|[-–/x×]|,){WS}\d{{1,6}}(?:[.,]\d+)?(?!\w)")
_NOUN = re.compile(rf"{WS1}[A-ZÄÖÜ][a-zäöüß]{{2,}}")
_MEASURE = re.compile(
    rf"{WS}(?:[%‰€°$]|v\.{WS}H\.|(?:[kcmµ]?m|[kmµ]?g|[kMG]?W|kWh|min|[hslt]|ha|EUR|Euro|dB|ppm|mal|bzw)(?:²|³|\b))"
)


def is_idiom(text: str, at: int, word: str) -> bool:
    """Return whether "Regel" at ``at`` belongs to "in der Regel", which means "as a rule"."""
    return word == "Regel" and _AS_A_RULE.search(text, max(0, at - _LONGEST), at) is not None


def counts_things(text: str, unit: str, value: str, end: int) -> bool:
    """Return whether the whole number ``value``, or the range that begins with it, counts what follows ``end``."""
    if not value.isdecimal() or unit in _NEVER_COUNTED:
        return False
    while further := _RANGE.match(text, end):
        end = further.end()
    if _MEASURE.match(text, end):
        return True
    return bool(_NOUN.match(text, end)) and not UNIT.match(text, end) and not SKIP.match(text, end)
