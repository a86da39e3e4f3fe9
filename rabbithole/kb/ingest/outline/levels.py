"""Assigns levels to headings found by typography: by the ranks of their numbers, else by their style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.ingest.numbers.numbering import RANKS, Numbered
from rabbithole.kb.ingest.page.body_font import Style
from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head
from .heading_keywords import is_known_heading
from .printed_contents import is_title

APPENDIX_RANK = 9
TOP_RANK = 100
ARTICLE_LAW_RANK = 8
TITLE_UNITS = {"", "Part", "Teil", "Title", "Titel"}
LEAST_REAL, LAST_FRONT = 3, 2
LEAST_REPEATED = 3
"""Number of times from which on the same unnumbered heading names a part of sections, not a chapter."""
_FIRST = ("0", "1")
"""Numbers that a document may begin with."""
PARTS = {"Buch", "Teil", "Kapitel", "Abschnitt", "Unterabschnitt", "Titel", "Untertitel", "§"}


@dataclass(frozen=True, slots=True)
class FoundHeading:
    """A heading: index of its first line, number of lines, its number and words, and the line itself."""

    index: int
    lines: int
    numbered: Numbered
    line: TextLine


def is_article_law(units: Sequence[str]) -> bool:
    """Return whether articles contain whole laws: the first article precedes any part, and sections follow it."""
    first = next((place for place, unit in enumerate(units) if unit == "Artikel"), None)
    return first is not None and not PARTS.intersection(units[:first]) and "§" in units[first:]


def with_levels(found: Sequence[FoundHeading], style: Style, title_pages: int = 0) -> list[Head]:
    """Return headings with levels from the ranks of their numbers; unnumbered ones by comparison of their style.

    What looks like a chapter but is repeated ("Typical Usage") stands below the section before it. Where numbers begin
    anew inside an appendix "C", it holds a document, whose chapters and plain headings stand below it.
    ``title_pages`` is the number of pages at the beginning without running text.
    """
    found = _without_title_page(found, title_pages)
    articles = is_article_law([each.numbered.unit for each in found])

    decimal = any(each.numbered.unit == "decimal" for each in found)

    def rank_of(each: FoundHeading) -> int:
        if decimal and each.numbered.unit == "letter":  # appendices of a paper are on the level of its sections
            return RANKS["decimal"]
        return ARTICLE_LAW_RANK if articles and each.numbered.unit == "Artikel" else each.numbered.rank

    by_style: dict[tuple[float, bool], int] = {}
    for each in found:
        if each.numbered.number and rank_of(each) > APPENDIX_RANK:
            look = each.line.size, each.line.bold
            by_style[look] = min(by_style.get(look, rank_of(each)), rank_of(each))
    top = min(by_style.values(), default=TOP_RANK)
    largest = max((size for size, _ in by_style), default=0.0)
    sizes = sorted({each.line.size for each in found if not each.numbered.number}, reverse=True)
    times = Counter(each.numbered.heading.casefold() for each in found if not each.numbered.number)
    heads: list[Head] = []
    stack: list[tuple[int, bool, bool]] = []  # rank, and whether the heading has a number, and is repeated
    depths: dict[str, int] = {}
    appendix: TextLine | None = None
    inside = False
    for each in found:
        line, rank, repeated = each.line, rank_of(each), False
        if each.numbered.unit == "letter":
            appendix, inside = line, False
        elif each.numbered.unit == "decimal":
            inside = inside or (appendix is not None and each.numbered.number in _FIRST and "1" in depths)
            rank += inside
        if not each.numbered.number:
            below = sizes.index(line.size) + (20 if line.size < largest else 0)
            rank = by_style.get((line.size, line.bold), top - 1 if 0 < largest < line.size else TOP_RANK + below)
            if is_known_heading(each.numbered.heading) and (by_style or line.mono):
                rank = top + (appendix is not None and style.stands_out(appendix) and not style.stands_out(line))
            elif (
                repeated := bool(by_style) and rank <= top and times[each.numbered.heading.casefold()] >= LEAST_REPEATED
            ):
                rank = next((above + 1 for above, _, again in reversed(stack) if not again), rank)
        while stack and stack[-1][0] >= rank:
            stack.pop()
        if each.numbered.unit == "decimal":
            above = each.numbered.number.rpartition(".")[0]
            while stack and not stack[-1][1] and len(stack) > depths.get(above, len(stack)):
                stack.pop()  # 7.1 stands below 7, whatever unnumbered headings are between them
            depths |= {above: len(stack), each.numbered.number: len(stack) + 1}
        heads.append(Head(each.index, each.lines, each.numbered.number, each.numbered.heading, len(stack)))
        if not is_title(each.numbered.heading) or each.numbered.number:
            stack.append((rank, bool(each.numbered.number), repeated))
    return heads


def _without_title_page(found: Sequence[FoundHeading], title_pages: int) -> Sequence[FoundHeading]:
    """Drop large print on title pages and before the first real heading on the first pages, if there are several."""
    inside = [each for each in found if each.line.page >= title_pages or not _is_of_title(each)]
    real = [n for n, each in enumerate(inside) if each.numbered.number or is_known_heading(each.numbered.heading)]
    if len(real) < LEAST_REAL:
        return found
    return inside[real[0] :] if inside[real[0]].line.page <= LAST_FRONT else inside


def _is_of_title(each: FoundHeading) -> bool:
    """Return whether a heading may be a line of the title: without a number, or the part of a work ("Part 2")."""
    return each.numbered.unit in TITLE_UNITS and not is_known_heading(each.numbered.heading)
