"""Recognises acts named only because they amended another: "zuletzt durch das Gesetz vom 3. Mai 2021 geändert".

Such names say which version is meant, not where to read on. Pure functions.
"""

from __future__ import annotations

import re

_BEHIND = 260
"""Characters after the name within which the verb stands; the source of the amendment may come in between."""
_BEFORE = 90

_CHANGED_DE = re.compile(
    r"(?:\s?vom\s[^();]{5,25})?\s?(?:\([^()]*\))?[\s,]*"
    r"(?:geändert|ergänzt|neu\s?gefasst|berichtigt|ersetzt|angepasst)\s(?:worden\s(?:ist|sind)|w[iu]rden?)\b"
)
_THROUGH_DE = re.compile(
    r"\bdurch\s(?:(?:Artikel|Art\.|Anlage|Nummer|§)[^.;:()„“]{0,50}\s)?(?:d(?:ie|as|en|es|er)\s)?\Z"
)
_CHANGED_BY_DE = re.compile(
    r"\b(?:geändert|neu\s?gefasst|berichtigt)\sdurch\s(?:(?:Artikel|Art\.|§)[^.;:()„“]{0,50}\s)?(?:d(?:ie|as|en|es|er)\s)?\Z"
)
_AMENDED_EN = re.compile(
    r"\b(?:as\s)?(?:last\s|most\srecently\s)?amended\sby\s(?:the\s|Article[^.;:]{0,40}of\s)?\Z", re.I
)


def only_amends(text: str, start: int, end: int) -> bool:
    """Return whether the act at ``start`` .. ``end`` is named only because it amended the act before it."""
    before = " ".join(text[max(0, start - _BEFORE) : start].split()) + " "
    if _AMENDED_EN.search(before) or _CHANGED_BY_DE.search(before):
        return True
    return bool(_THROUGH_DE.search(before) and _CHANGED_DE.match(" ".join(text[end : end + _BEHIND].split())))
