"""Puts captions that are printed below their tables above them, so that rows are found and quoted with their name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.notation.captions import TABLE_CAPTION

_LINES: Final = 6
"""Maximum number of lines of a caption."""
_BELOW, _PITCH = 4.0, 1.5
"""Maximum distances, in font sizes: of a caption from its table, and of its lines from baseline to baseline."""


def with_captions_above(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines with each caption that stands directly below a table moved above its first row.

    A table with a caption above keeps it, and a caption above another table is that table's, unless this has one below.
    """
    result: list[TextLine] = []
    start: int | None = None  # the first row of a table in ``result``
    at = 0
    while at < len(lines):
        line = lines[at]
        if _is_row(line):
            same = start is not None and result[-1].page == line.page
            start = start if same else len(result)
        else:
            end = at if start is None else _caption_end(lines, at)
            if start is not None and end > at and not _is_captioned(result, start):
                result[start:start] = lines[at:end]
                at = end
                start = None
                continue
            start = None
        result.append(line)
        at += 1
    return result


def _is_captioned(lines: Sequence[TextLine], start: int) -> bool:
    """Return whether the lines above a table's first row are a caption."""
    at = start - 1
    while at > 0 and start - at < _LINES and _goes_on(lines[at - 1], lines[at]):
        at -= 1
    return any(TABLE_CAPTION.match(line.text) for line in lines[max(at, 0) : start])


def _is_row(line: TextLine) -> bool:
    return line.verbatim and line.text.startswith("|")


def _caption_end(lines: Sequence[TextLine], at: int) -> int:
    """Return the end of the caption of the table that ends before ``at``; ``at`` if there is none."""
    table, first = lines[at - 1], lines[at]
    below = first.page == table.page and 0 <= first.y0 - table.y1 + first.size <= _BELOW * first.size
    if not below or not TABLE_CAPTION.match(first.text):
        return at
    end = at + 1
    while end < len(lines) and end - at < _LINES and _goes_on(lines[end - 1], lines[end]):
        end += 1
    if end == len(lines) or not _is_row(lines[end]):
        return at if end < len(lines) and _goes_on(lines[end - 1], lines[end]) else end
    following = end
    while following < len(lines) and _is_row(lines[following]):
        following += 1
    return end if following < len(lines) and _caption_end(lines, following) > following else at


def _goes_on(before: TextLine, line: TextLine) -> bool:
    near = before.page == line.page and 0 < line.base - before.base <= _PITCH * before.size
    return near and abs(line.size - before.size) < 0.3 and line.column == before.column and not line.verbatim
