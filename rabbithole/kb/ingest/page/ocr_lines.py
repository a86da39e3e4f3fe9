"""Corrects the font sizes of OCR lines, which Tesseract guesses from the letters of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .lines import TextLine

LEAST_SHARE = 0.5
SURELY_SMALLER, SURELY_LARGER = 0.65, 1.4


def is_recognised(font: str) -> bool:
    """Return whether a font is the glyphless one that Tesseract writes with."""
    return "GlyphLess" in font


def steadied(lines: list[TextLine]) -> list[TextLine]:
    """On an OCR page, set sizes close to the median letter's to that size, so that only clear headings are larger."""
    letters = sum(len(line.text) for line in lines)
    recognised = [line for line in lines if is_recognised(line.font)]
    if not letters or sum(len(line.text) for line in recognised) < LEAST_SHARE * letters:
        return lines
    usual = _middle(recognised)
    low, high = SURELY_SMALLER * usual, SURELY_LARGER * usual
    return [
        replace(line, size=usual) if is_recognised(line.font) and low <= line.size < high else line for line in lines
    ]


def _middle(lines: Sequence[TextLine]) -> float:
    """Return the median size over all letters."""
    left = sum(len(line.text) for line in lines) / 2
    for line in sorted(lines, key=lambda line: line.size):
        left -= len(line.text)
        if left <= 0:
            return line.size
    return 0.0
