"""Parts numbered headings from the text that begins on their line: '3. SHOULD   This word means that ...'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.ingest.page.lines import TextLine

_RUN_IN = re.compile(
    r"(?P<heading>(?P<number>\d{1,2})\.\s{1,2}[^\W\d_]\S*(?:\s\S+){0,5})"
    r"(?P<gap>\s{3,})(?P<text>[\"'“(]?[^\W\d_]\S*(?:\s{1,2}\S+){3,})\s*"
)
"""Three blanks between the heading and its text, and no other wide space, as a row of a table would have."""
_LEAST = 2
"""Minimum number of such headings that count up from 1: a single one is a line of a table or a list."""


def with_run_in_headings(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines with such headings of typewritten text as lines of their own, which count as headings."""
    found = _counted({index: match for index, line in enumerate(lines) if (match := _match(lines, index, line))})
    if len(found) < _LEAST:
        return list(lines)
    parted: list[TextLine] = []
    for index, line in enumerate(lines):
        parted += _parted(line, found[index]) if index in found else [line]
    return parted


def _match(lines: Sequence[TextLine], index: int, line: TextLine) -> re.Match[str] | None:
    """Return the parts of a line whose text goes on below it, no further to the left than the number."""
    match = _RUN_IN.fullmatch(line.text) if line.mono and not line.side else None
    if match is None or index + 1 == len(lines):
        return None
    below = lines[index + 1]
    goes_on = below.mono and below.page == line.page and 0 < below.base - line.base < 2 * line.size
    return match if goes_on and below.x0 >= line.x0 - 1 and not _RUN_IN.fullmatch(below.text) else None


def _counted(found: dict[int, re.Match[str]]) -> dict[int, re.Match[str]]:
    """Return the matches that count up one by one from the first, which has number 1."""
    counted: dict[int, re.Match[str]] = {}
    for index, match in found.items():
        if int(match["number"]) == len(counted) + 1:
            counted[index] = match
    return counted


def _parted(line: TextLine, match: re.Match[str]) -> list[TextLine]:
    width = (line.x1 - line.x0) / len(line.text)
    heading = replace(line, text=match["heading"], x1=line.x0 + width * match.end("heading"), side=True)
    return [heading, replace(line, text=match["text"], x0=line.x0 + width * match.start("text"))]
