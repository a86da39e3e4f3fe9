"""The words around a place in a question that name its document: "section 9.2 of the KiCad calculator manual"."""

from __future__ import annotations

import re

_ABOUT = (
    r"(?:says?|states?|requires?|defines?|contains?|describes?|means?|covers?|recommends?|specif(?:y|ies|ied)|tells?|provides?|"
    r"prescribes?|about|on|regarding|concerning|for|über|zu[mr]?|für|bei|steht|stehen|sagt|regelt|bestimmt|enthält|"
    r"beschreibt|empfiehlt|verlangt|schreibt|vor|hinsichtlich|bezüglich)\b"
)
_IN = r"\s+(?:der|des|dem|im|(?:in|aus) (?:der|dem)|von|of|in|from)\b"
_NAME = rf"(?:\s+(?!{_ABOUT})[\w.’'/-]+){{0,6}}"


def without_place(text: str, place: str) -> str:
    """Return a text without a place and the words after it that name its document."""
    return re.sub(re.escape(place) + _named(place), " ", text)


def document_words(text: str, place: str) -> str:
    """Return the words after a place that name its document; empty if it stands alone."""
    match = re.search(re.escape(place) + f"({_named(place)})", text)
    return match[1].strip() if match and match[1] else ""


def _named(place: str) -> str:
    return _NAME if re.search(_IN, place) else f"(?:{_IN}{_NAME})?"
