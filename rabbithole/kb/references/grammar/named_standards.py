"""Tells whether a sentence refers to a standard or only names with it a character set, a format or a language."""

from __future__ import annotations

import re

_REACH = 70
_NEAR = 45
_REFERS = re.compile(
    r"(?:\b(?:see|cf\.|refer to|according to|accordance with|as per"
    r"|(?:defined|specified|described|published|standardi[sz]ed) (?:in|by)"
    r"|(?:clause|section|part|edition|text) \S{1,6} of|siehe|vgl\.|gemäß|laut|entsprechend|im Sinne (?:der|von))\s"
    r"(?:(?:the|der|die|das|den|dem|standard|international|Norm|also|auch|document|both)\s){0,3}|\[)\Z",
    re.IGNORECASE,
)
"""Words directly before a standard to which the sentence refers."""
_CHARACTERS = re.compile(
    r"encod|charset|character sets?\b|code ?page|kodier|codier|zeichens[aä]tz"
    r"|\blatin[- ]?\d|\butf-?\d|\bunicode|\bascii\b",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"[- ](?:date|datum|format|timestamp|string|notation|charset|character set|encoding|compliant|compatible|compiler|"
    r"librar|feature)",
    re.IGNORECASE,
)
"""What follows the name of a format: 'an ISO 8601 date'."""
_HYPHENATED = re.compile(r"ISO[-_]\d{3,5}[-_]\d{1,2}\Z")
"""A character set as programs spell it; the standard has a blank: 'ISO 8859-1'."""
_LANGUAGE = re.compile(r"(?:ANSI|ISO)[ -]C\d\d\Z")
_CITED = re.compile(r"\s{0,2}\[")
"""A call-out behind the name."""
_OPEN = ("ISO", "IEC", "ANSI", "IEEE", "EN ", "ECMA")


def only_named(text: str, start: int, end: int) -> bool:
    """Return whether the standard's name at ``start`` .. ``end`` stands for something else than its text."""
    name = " ".join(text[start:end].split())
    if not name.startswith(_OPEN) or _REFERS.search(text, max(0, start - _NEAR), start) or _CITED.match(text, end):
        return False
    if _HYPHENATED.match(name) or _LANGUAGE.match(name) or _FORMAT.match(text, end):
        return True
    if "IEC" in name:
        return False  # the full name is that of the standard; a character set is called by the short one
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    before = re.split(r"[.!?]\s|\n\s*\n", text[first:start])[-1]
    behind = re.split(r"[.!?](?:\s|\Z)|\n\s*\n", text[end:last])[0]
    return bool(_CHARACTERS.search(before) or _CHARACTERS.search(behind))
