"""The outline from a PDF's bookmarks, each led to its heading line on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from .headings import Style, body_style
from .heads import Head
from .lines import Line
from .numbering import split_number

MAX_HEADING_LINES = 8
MIN_SIMILARITY = 90.0
CUT_OFF = 50
_DECIMAL = re.compile(r"\d+(?:\.\d+)*")
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
    style = body_style(lines)
    heads: list[Head] = []
    position = 0
    for mark, following in zip(bookmarks, [*bookmarks[1:], None], strict=True):
        page_start = _next_page(first, mark.page, len(lines))
        found = _find_near(mark, lines, position, first)
        if found is None:
            start = max(position, _at_height(mark, lines, page_start))
            numbered = split_number(mark.title)
            heads.append(Head(min(start, len(lines)), 0, numbered.number, numbered.heading, mark.level))
            position = start
            continue
        start, count = (
            found[0],
            found[1] + _continued(lines, *found, style, letters(following.title) if following else ""),
        )
        printed = " ".join(line.text for line in lines[start : start + count])
        numbered = split_number(printed)
        if not numbered.number:
            numbered = split_number(mark.title)
            heading = numbered.heading if numbered.number else printed
        else:
            heading = numbered.heading
        heads.append(Head(start, count, numbered.number, heading, mark.level))
        position = max(position, start + count)
    return _nested_by_number(sorted(heads, key=lambda head: head.line))


def _nested_by_number(heads: list[Head]) -> list[Head]:
    """Bookmarks that all stand on one level are nested as their decimal numbers are."""
    depths = {head: head.number.count(".") for head in heads if _DECIMAL.fullmatch(head.number)}
    if len({head.level for head in depths}) != 1 or len(set(depths.values())) < 2:
        return heads
    least = min(depths.values())
    return [replace(head, level=head.level + depths[head] - least) if head in depths else head for head in heads]


def letters(text: str) -> str:
    """Letters, digits and § alone, case folded: what must agree between a bookmark and its printed heading."""
    return _LETTERS.sub("", text).casefold()


def _find_near(mark: Bookmark, lines: Sequence[Line], position: int, first: dict[int, int]) -> tuple[int, int] | None:
    """On the target page after the heading before, else on the next page, the page before, the target page at all."""
    end = len(lines)
    starts = [_next_page(first, mark.page + step, end) for step in (-1, 0, 1, 2)]
    for low, high in (
        (max(position, starts[1]), starts[2]),
        (max(position, starts[2]), starts[3]),
        (max(position, starts[0]), starts[1]),
        (starts[1], min(position, starts[2])),
    ):
        if low < high and (found := _find(mark, lines, low, high)) is not None:
            return found
    return None


def _find(mark: Bookmark, lines: Sequence[Line], start: int, stop: int) -> tuple[int, int] | None:
    wanted = letters(mark.title)
    if not wanted:
        return None
    similar: tuple[float, int, int] | None = None
    for index in range(start, stop):
        joined = ""
        for count in range(1, MAX_HEADING_LINES + 1):
            if index + count > len(lines):
                break
            joined += letters(lines[index + count - 1].text)
            if joined == wanted or (count == 1 and len(wanted) > 8 and _without_number(joined) == wanted):
                return index, count
            if len(wanted) >= CUT_OFF and joined.startswith(wanted):  # titles of bookmarks are often cut off
                return index, count
            if len(joined) >= len(wanted):
                score = fuzz.ratio(joined, wanted)
                if score >= MIN_SIMILARITY and len(wanted) >= 12 and (similar is None or score > similar[0]):
                    similar = (score, index, count)
                break
            if not wanted.startswith(joined) and fuzz.ratio(joined, wanted[: len(joined)]) < MIN_SIMILARITY:
                break
    return None if similar is None else similar[1:]


def _continued(lines: Sequence[Line], start: int, count: int, style: Style, next_title: str) -> int:
    """How many more lines go on with a heading whose bookmark was cut off: the same style, no space between."""
    last = lines[start + count - 1]
    more = 0
    while start + count + more < len(lines) and more < MAX_HEADING_LINES:
        line = lines[start + count + more]
        alike = abs(line.size - last.size) < 0.3 and line.bold == last.bold and style.stands_out(line)
        close = line.page == last.page and line.column == last.column and 0 < line.base - last.base < 1.7 * line.size
        if not (alike and close) or (next_title and next_title.startswith(letters(line.text)[:CUT_OFF])):
            break
        last, more = line, more + 1
    return more


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
