"""Computes the depth of headings from the format's levels and, within one level, from their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.ingest.numbers.numbering import Numbered
from rabbithole.kb.ingest.outline.levels import APPENDIX_RANK


def depths(headings: Sequence[tuple[int, Numbered]]) -> list[int]:
    """Return the depth, from 0, of each (level, number).

    Many pages use one level for parts, chapters and sections; their numbers then show the nesting.
    """
    usual: dict[int, int] = {}
    for level, numbered in headings:
        if numbered.number and numbered.rank > APPENDIX_RANK:
            usual[level] = min(usual.get(level, numbered.rank), numbered.rank)
    stack: list[tuple[int, int]] = []
    found: list[int] = []
    for level, numbered in headings:
        key = level, numbered.rank if numbered.number else usual.get(level, 0)
        while stack and stack[-1] >= key:
            stack.pop()
        found.append(len(stack))
        stack.append(key)
    return found
