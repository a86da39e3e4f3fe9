"""Recognises the kinds of markers with which items of a list begin: (1), 1., 4.2, a), iv., •."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.notation.roman import from_roman

_KINDS: tuple[re.Pattern[str], ...] = (
    re.compile(r"\s*\(\d{1,3}[a-z]?\)\s"),
    re.compile(r"\s*\d{1,3}[a-z]?[.)]\s"),
    re.compile(r"\s*\d{1,2}(?:\.\d{1,2})+\.?\s"),
    re.compile(r"\s*\(?(?P<letter>[a-z]{1,2})\)\s"),
    re.compile(r"\s*(?P<letter>[a-z])\.\s"),
    re.compile(r"\s*\(?(?P<letter>[ivx]{1,5})[.)]\s"),
    re.compile(r"\s*\(?[A-H][.)]\s"),
    re.compile(r"\s*[•–*▪◦●‣·■□➢✓-]\s"),
    re.compile(r"\s*o\s(?=[A-Z])"),
)
NUMBERED = frozenset({0, 1, 2})
"""Markers with a number, by their place in the list above."""
PARAGRAPH = 0
"""The marker of a section's paragraphs: "(1)"."""
_ROMAN = 5
_ROMAN_LETTERS = frozenset("ivx")


def marker_of(line: str) -> int | None:
    """Return the kind of marker that a line begins with as an item of a list, by its number; None if it has none."""
    return next((index for index, one in enumerate(_KINDS) if one.match(line)), None)


def markers(lines: Sequence[str]) -> list[int | None]:
    """Return the kinds of markers of the lines of a text; "i." after "e." is a Roman number, after "h." a letter."""
    found: list[int | None] = []
    letter, number = "", 0
    for line in lines:
        kind = marker_of(line)
        label = _letters(kind, line)
        if label:
            value = from_roman(label) if _ROMAN_LETTERS.issuperset(label) else 0
            if (value == 1 and letter != "h") or (value > 1 and value == number + 1):
                kind, number = _ROMAN, value
            elif kind != _ROMAN:
                letter = label
        found.append(kind)
    return found


def _letters(kind: int | None, line: str) -> str:
    match = None if kind is None else _KINDS[kind].match(line)
    return (match.groupdict().get("letter") or "") if match else ""
