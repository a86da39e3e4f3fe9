"""The outline from a PDF's bookmarks, each led to its heading line on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from .heads import Head
from .layout import Line
from .numbering import split_number

MAX_HEADING_LINES = 8
MIN_SIMILARITY = 90.0
_LETTERS = re.compile(r"[^\w§]|_")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """``page`` from 0; ``y`` is the target's height on the page in points from the top, if the PDF gives one."""

    level: int
    title: str
    page: int
    y: float | None = None


def heads_from_bookmarks(bookmarks: Sequence[Bookmark], lines: Sequence[Line]) -> list[Head]:
    """One head a bookmark in reading order; a bookmark whose heading is not printed starts at its target."""
    first = _first_lines(lines)
    heads: list[Head] = []
    position = 0
    for mark in bookmarks:
        page_start = first.get(mark.page, _next_page(first, mark.page, len(lines)))
        found = _find(mark, lines, max(position, page_start), first)
        if found is None and page_start < position:
            found = _find(mark, lines, page_start, first)
        if found is None:
            start = max(position, _at_height(mark, lines, page_start))
            numbered = split_number(mark.title)
            heads.append(Head(min(start, len(lines)), 0, numbered.number, numbered.heading, mark.level))
            position = start
            continue
        start, count = found
        printed = " ".join(line.text for line in lines[start : start + count])
        numbered = split_number(printed)
        if not numbered.number:
            numbered = split_number(mark.title)
            heading = numbered.heading if numbered.number else printed
        else:
            heading = numbered.heading
        heads.append(Head(start, count, numbered.number, heading, mark.level))
        position = max(position, start + count)
    return sorted(heads, key=lambda head: head.line)


def letters(text: str) -> str:
    """Letters, digits and § alone, case folded: what must agree between a bookmark and its printed heading."""
    return _LETTERS.sub("", text).casefold()


def _find(mark: Bookmark, lines: Sequence[Line], start: int, first: dict[int, int]) -> tuple[int, int] | None:
    wanted = letters(mark.title)
    if not wanted:
        return None
    stop = _next_page(first, mark.page + 1, len(lines))
    similar: tuple[float, int, int] | None = None
    for index in range(start, stop):
        joined = ""
        for count in range(1, MAX_HEADING_LINES + 1):
            if index + count > len(lines):
                break
            joined += letters(lines[index + count - 1].text)
            if joined == wanted or (count == 1 and len(wanted) > 8 and _without_number(joined) == wanted):
                return index, count
            if len(joined) >= len(wanted):
                score = fuzz.ratio(joined, wanted)
                if score >= MIN_SIMILARITY and len(wanted) >= 12 and (similar is None or score > similar[0]):
                    similar = (score, index, count)
                break
            if not wanted.startswith(joined) and fuzz.ratio(joined, wanted[: len(joined)]) < MIN_SIMILARITY:
                break
    return None if similar is None else similar[1:]


def _without_number(joined: str) -> str:
    return joined.lstrip("§0123456789abcdefghi")


def _at_height(mark: Bookmark, lines: Sequence[Line], start: int) -> int:
    if mark.y is None:
        return start
    index = start
    while index < len(lines) and lines[index].page == mark.page and lines[index].y1 < mark.y:
        index += 1
    return index


def _first_lines(lines: Sequence[Line]) -> dict[int, int]:
    first: dict[int, int] = {}
    for index, line in enumerate(lines):
        first.setdefault(line.page, index)
    return first


def _next_page(first: dict[int, int], page: int, end: int) -> int:
    later = [index for number, index in first.items() if number >= page]
    return min(later, default=end)
