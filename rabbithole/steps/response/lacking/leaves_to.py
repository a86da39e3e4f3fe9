"""Tells a sentence that leaves a matter to another document from one that only mentions the document. Pure."""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"\b(?:see(?: also)?|refer to|consult|according to|as required by|governed by|"
    r"(?:subject|pursuant) to|in (?:accordance|conformity|compliance) with|"
    r"(?:specified|defined|described|given|stated|set out|set forth|laid down|detailed|documented|discussed|explained|"
    r"found|listed|provided|regulated|determined|covered|contained|available)(?: \w+)? (?:in|by|under|from)|"
    r"siehe(?: auch)?|vgl\.|(?:richte[tn]|bestimm(?:t|en)|bemiss?t|bemessen|ergib?t|ergeben) sich|nach Maßgabe|"
    r"entsprechend|gelten|gilt|findet|finden|"
    r"(?:geregelt|festgelegt|bestimmt|beschrieben|definiert|angegeben|enthalten|aufgeführt|vorgesehen) (?:in|durch))"
    r"(?!\w)[^;\n]{0,60}\Z",
    re.IGNORECASE,
)
"""Words before the name: 'see', 'is specified in', 'richtet sich nach'."""
_AFTER = re.compile(
    r"\A\W{0,3}(?:\w+ ){0,3}?(?:specif(?:y|ies)|defines?|describes?|regulates?|governs?|determines?|covers?|explains?|"
    r"contains?|sets? (?:out|forth)|lays? down|regel[nt]|geregelt|festgelegt|bestimm(?:t|en)|beschreib(?:t|en)|enthält|"
    r"maßgebend|anzuwenden|findet|finden|entsprechend)\b",
    re.IGNORECASE,
)
"""Words behind it: 'RFC 20 specifies', 'regelt'."""


def leaves_to(sentence: str, start: int, end: int) -> bool:
    """Return whether a sentence leaves what it says to the document named at ``start:end``: 'RFC 20 specifies the fee'.

    A document given as an example, an origin or for comparison is only mentioned: 'as in Lisp [25]'.
    """
    return _BEFORE.search(sentence[:start]) is not None or _AFTER.match(sentence[end:]) is not None
