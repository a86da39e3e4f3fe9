"""One spelling for English words that Britain and America spell differently, for comparing names."""

from __future__ import annotations

import re
from functools import lru_cache

_AMERICAN = {
    british: american
    for pair in """
licence/license defence/defense offence/offense pretence/pretense
centre/center metre/meter litre/liter theatre/theater fibre/fiber calibre/caliber sabre/saber spectre/specter
catalogue/catalog dialogue/dialog analogue/analog
colour/color behaviour/behavior labour/labor harbour/harbor honour/honor favour/favor neighbour/neighbor vapour/vapor
flavour/flavor humour/humor rumour/rumor odour/odor armour/armor endeavour/endeavor
judgement/judgment acknowledgement/acknowledgment enrolment/enrollment fulfilment/fulfillment instalment/installment
grey/gray aluminium/aluminum sulphur/sulfur manoeuvre/maneuver
""".split()
    for british, american in [pair.split("/")]
} | {"program": "programm"}
"""British to American. "Program" has the form to which the German "Programm" and "programme" are stemmed."""
_WORD = re.compile(rf"({'|'.join(_AMERICAN)})(s?)")
_NOUN = re.compile(r"(\w{3,})ization(s?)")
"""Compared in the British spelling, which is also the German one."""


@lru_cache(maxsize=65536)
def one_spelling(word: str) -> str:
    """Return a word in small letters in the spelling by which both are compared.

    >>> one_spelling("licences"), one_spelling("organization"), one_spelling("harbour")
    ('licenses', 'organisation', 'harbor')
    """
    if found := _WORD.fullmatch(word):
        return _AMERICAN[found[1]] + found[2]
    if found := _NOUN.fullmatch(word):
        return f"{found[1]}isation{found[2]}"
    return word
