"""The outline from a PDF's bookmarks, each led to its heading lines on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .heads import Head
from .lines import Line
from .numbering import Numbered, split_number
from .placing import CUT_OFF, MAX_HEADING_LINES, Bookmark, Candidate, Placer, letters
from .style import Style, body_style

MAX_OPENER = 24
_DECIMAL = re.compile(r"\d+(?:\.\d+)*")
_OPENERS = {"Chapter", "Kapitel", "Part", "Teil", "Appendix", "Anhang", "Annex"}


def heads_from_bookmarks(
    bookmarks: Sequence[Bookmark], lines: Sequence[Line], heights: Sequence[float] = ()
) -> list[Head]:
    """One head a bookmark in reading order; a bookmark whose heading is not printed starts at its target.

    ``heights``: of the pages in points.
    """
    style = body_style(lines)
    placer = Placer(lines, style, heights)
    chosen = placer.place(bookmarks)
    targets = placer.heights(bookmarks)
    heads: list[Head] = []
    position = 0
    later = _next_lines(chosen, len(lines))
    for place, mark in enumerate(bookmarks):
        found = chosen[place]
        if found is None:
            start = _at_height(mark, targets[place], lines, placer.page_start(mark.page))
            start = max(position, min(start, later[place]))
            numbered = split_number(mark.title)
            heads.append(Head(start, 0, numbered.number, numbered.heading, mark.level))
            continue
        following = bookmarks[place + 1].title if place + 1 < len(bookmarks) else ""
        start, count = found.index, found.lines
        count += _continued(lines, start, count, style, letters(following))
        numbered = _said(mark, lines, start, count)
        opener = _opener(lines, start, style) if numbered.unit in ("", "letter") else None
        if opener is not None:
            start, count, numbered = start - 1, count + 1, Numbered("", opener, numbered.heading)
        heads.append(Head(start, count, numbered.number, numbered.heading, mark.level))
        position = max(position, start + count)
    return _nested_by_number(sorted(heads, key=lambda head: head.line))


def _next_lines(chosen: Sequence[Candidate | None], end: int) -> list[int]:
    """The first line of the next heading that is printed, for each bookmark."""
    later: list[int] = []
    for each in reversed(chosen):
        end = end if each is None else each.index
        later.append(end)
    return later[::-1]


def _said(mark: Bookmark, lines: Sequence[Line], start: int, count: int) -> Numbered:
    """Number and heading as printed; the number of the bookmark where none is printed."""
    printed = " ".join(line.text for line in lines[start : start + count])
    numbered = split_number(printed)
    if numbered.number:
        return numbered
    of_mark = split_number(mark.title)
    return of_mark if of_mark.number else numbered


def _opener(lines: Sequence[Line], start: int, style: Style) -> str | None:
    """The number that stands on a line of its own above a chapter's title: "Kapitel 3"."""
    if start == 0 or lines[start - 1].page != lines[start].page or len(lines[start - 1].text) > MAX_OPENER:
        return None
    above = split_number(lines[start - 1].text)
    if above.unit in _OPENERS and above.number != above.unit and not above.heading:
        return above.number
    return None


def _nested_by_number(heads: list[Head]) -> list[Head]:
    """Bookmarks that all stand on one level are nested as their decimal numbers are."""
    depths = {head: head.number.count(".") for head in heads if _DECIMAL.fullmatch(head.number)}
    if len({head.level for head in depths}) != 1 or len(set(depths.values())) < 2:
        return heads
    least = min(depths.values())
    return [replace(head, level=head.level + depths[head] - least) if head in depths else head for head in heads]


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


def _at_height(mark: Bookmark, height: float | None, lines: Sequence[Line], start: int) -> int:
    if height is None:
        return start
    index = start
    while index < len(lines) and lines[index].page == mark.page and lines[index].y1 < height:
        index += 1
    return index
