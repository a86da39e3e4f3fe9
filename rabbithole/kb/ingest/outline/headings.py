"""Finds headings by numbering and typography, for documents without bookmarks or with coarse ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rabbithole.kb.ingest.numbers.numbering import Numbered
from rabbithole.kb.ingest.page.body_font import Style, body_style
from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head
from .heading_keywords import opens_document
from .levels import FoundHeading, with_levels
from .lookalikes import title_pages
from .possible_headings import NO_HEADING, possible_heading
from .printed_contents import is_title
from .sequence import Sequencer

TABLE_HEAD = 3
_FIRST_CHAPTERS = ["1", "2", "3"]


def heads_from_typography(lines: Sequence[TextLine], style: Style | None = None) -> list[Head]:
    """Return headings in reading order.

    A number alone is no proof: it must follow from the numbers before it, and the line must be set apart.
    """
    style = style or body_style(lines)
    beside = Counter((line.page, round(line.base)) for line in lines if style.stands_out(line))
    candidates = [possible_heading(lines, index, style) for index in range(len(lines))]
    candidates = _without_small_chapters(candidates, lines)
    following = _following(candidates)
    found: list[FoundHeading] = []
    numbers = Sequencer()
    opening: TextLine | None = None
    index = 0
    while index < len(lines):
        count, numbered = candidates[index]
        if count and not numbered.number and beside[lines[index].page, round(lines[index].base)] >= TABLE_HEAD:
            count = 0  # the first row of a table
        strong = style.is_special(lines[index]) or lines[index].side
        large = style.is_larger(lines[index])
        alike = opening is not None and _alike(opening, lines[index])
        if count and numbers.accepts(numbered, strong=strong, large=large, alike=alike, following=following[index]):
            found.append(FoundHeading(index, count, numbered, lines[index]))
            if not numbered.number and opens_document(numbered.heading):
                opening = lines[index]
                numbers.may_be_included()
            index += count
            if not numbered.number and is_title(numbered.heading):
                numbers.may_begin_anew()
        else:
            index += 1
    return with_levels(found, style, title_pages(lines, style))


def _without_small_chapters(
    candidates: Sequence[tuple[int, Numbered]], lines: Sequence[TextLine]
) -> list[tuple[int, Numbered]]:
    """Leave out items "2 Name" of lists between the chapters, where these are set in one larger size from 1 to 3 on."""
    found = [at for at, (count, each) in enumerate(candidates) if count and _is_chapter(each)]
    chapters: dict[float, list[int]] = {}
    for at in found:
        chapters.setdefault(lines[at].size, []).append(at)
    largest = max(
        (
            size
            for size, places in chapters.items()
            if [candidates[at][1].number for at in places[: len(_FIRST_CHAPTERS)]] == _FIRST_CHAPTERS
        ),
        default=0.0,
    )
    first, *_, last = chapters.get(largest, (0, 0))
    small = {at for at in found if lines[at].size < largest and first < at < last}
    return [NO_HEADING if at in small else each for at, each in enumerate(candidates)]


def _is_chapter(numbered: Numbered) -> bool:
    return numbered.unit == "decimal" and "." not in numbered.number


def _alike(one: TextLine, other: TextLine) -> bool:
    """Return whether two lines are set alike and begin at the same place."""
    letters = one.bold == other.bold and one.mono == other.mono and abs(one.size - other.size) < 0.3
    return letters and abs(one.x0 - other.x0) <= 2.0


def _following(candidates: Sequence[tuple[int, Numbered]]) -> list[tuple[str, ...]]:
    """Return for each line the parts of the next number with several, such as 4.4.1; empty if none follows."""
    found: list[tuple[str, ...]] = []
    parts: tuple[str, ...] = ()
    for count, numbered in reversed(candidates):
        found.append(parts)
        if count and numbered.unit == "decimal" and "." in numbered.number:
            parts = tuple(numbered.number.split("."))
    return found[::-1]
