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


class Ranks:
    """Ranks of headings: by their numbers, and by the styles in which numbered headings are set; 0 is the highest."""

    def __init__(self, found: Sequence[FoundHeading]) -> None:
        units = [each.numbered.unit for each in found]
        self._articles = is_article_law(units)
        self._decimal = "decimal" in units
        self._styles: dict[tuple[float, bool], int] = {}
        for each in found:
            rank = self.of_number(each)
            if each.numbered.number and rank > APPENDIX_RANK:
                look = each.line.size, each.line.bold
                self._styles[look] = min(self._styles.get(look, rank), rank)
        plain = [each for each in found if not each.numbered.number]
        self.top = min(self._styles.values(), default=TOP_RANK)
        self._largest = max((size for size, _ in self._styles), default=0.0)
        self._sizes = sorted({each.line.size for each in plain}, reverse=True)
        self._times = Counter(each.numbered.heading.casefold() for each in plain)

    def of_number(self, each: FoundHeading) -> int:
        """Return the rank of a heading with a number."""
        if self._decimal and each.numbered.unit == "letter":  # appendices of a paper are on the level of its sections
            return RANKS["decimal"]
        return ARTICLE_LAW_RANK if self._articles and each.numbered.unit == "Artikel" else each.numbered.rank

    def of_style(self, line: TextLine) -> int:
        """Return the rank of a heading without a number: that of numbered ones set alike, else by its size."""
        below = self._sizes.index(line.size) + (20 if line.size < self._largest else 0)
        larger = self.top - 1 if 0 < self._largest < line.size else TOP_RANK + below
        return self._styles.get((line.size, line.bold), larger)

    def is_known_chapter(self, each: FoundHeading) -> bool:
        """Return whether a heading such as "References" is on the level of the chapters, however it is set."""
        return is_known_heading(each.numbered.heading) and (bool(self._styles) or each.line.mono)

    def is_repeated(self, each: FoundHeading, rank: int) -> bool:
        """Return whether a heading looks like a chapter but stands in section after section."""
        often = self._times[each.numbered.heading.casefold()] >= LEAST_REPEATED
        return bool(self._styles) and rank <= self.top and often


def with_levels(found: Sequence[FoundHeading], style: Style, title_pages: int = 0) -> list[Head]:
    """Return headings with levels from the ranks of their numbers; unnumbered ones by comparison of their style.

    What looks like a chapter but is repeated ("Typical Usage") stands below the section before it. Where numbers begin
    anew inside an appendix "C", it holds a document, whose chapters and plain headings stand below it.
    ``title_pages`` is the number of pages at the beginning without running text.
    """
    found = _without_title_page(found, title_pages)
    ranks = Ranks(found)
    heads: list[Head] = []
    stack: list[tuple[int, bool, bool]] = []  # rank, and whether the heading has a number, and is repeated
    depths: dict[str, int] = {}
    appendix: TextLine | None = None
    inside = False
    for each in found:
        line, numbered, repeated = each.line, each.numbered, False
        rank = ranks.of_number(each) if numbered.number else ranks.of_style(line)
        if numbered.unit == "letter":
            appendix, inside = line, False
        elif numbered.unit == "decimal":
            inside = inside or (appendix is not None and numbered.number in _FIRST and "1" in depths)
            rank += inside
        elif not numbered.number and ranks.is_known_chapter(each):
            rank = ranks.top + (appendix is not None and style.stands_out(appendix) and not style.stands_out(line))
        elif not numbered.number and (repeated := ranks.is_repeated(each, rank)):
            rank = next((above + 1 for above, _, again in reversed(stack) if not again), rank)
        while stack and stack[-1][0] >= rank:
            stack.pop()
        if numbered.unit == "decimal":
            above = numbered.number.rpartition(".")[0]
            while stack and not stack[-1][1] and len(stack) > depths.get(above, len(stack)):
                stack.pop()  # 7.1 stands below 7, whatever unnumbered headings are between them
            depths |= {above: len(stack), numbered.number: len(stack) + 1}
        heads.append(Head(each.index, each.lines, numbered.number, numbered.heading, len(stack)))
        if not is_title(numbered.heading) or numbered.number:
            stack.append((rank, bool(numbered.number), repeated))
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
