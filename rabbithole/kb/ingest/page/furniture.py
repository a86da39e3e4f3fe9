"""Finds running headers and footers: rows at the edges of pages that repeat."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rabbithole.kb.ingest.outline.manual_pages import entry_of
from rabbithole.kb.ingest.outline.numbering import split_number

from .lines import Line

EDGE_ROWS = 3
MAX_EDGE_SHARE = 0.16
MAX_LETTERS = 160
STEP = 4.0
SURE_PAGES = 4
SAME_SIZE = 0.6
_DIGITS = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_LONE_NUMBER = re.compile(
    r"[\[(\s–—|-]*(?:(?:page|seite|p\.|s\.)\s*)?(?:[A-Z]-)?(?:\d{1,4}|[ivxlcdm]{1,7})[\])\s–—|-]*", re.IGNORECASE
)
_BARE_DECIMAL = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?")
_SIDES = ("top", "bottom")


@dataclass(frozen=True, slots=True)
class Furniture:
    """The running lines of each page, by position in the page's list."""

    removed: tuple[frozenset[int], ...]

    def body(self, pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
        return [
            [line for index, line in enumerate(lines) if index not in gone]
            for lines, gone in zip(pages, self.removed, strict=True)
        ]

    def edges(self, pages: Sequence[Sequence[Line]]) -> list[list[str]]:
        """Return the texts of the removed lines for each page; printed page numbers are among them."""
        return [[lines[index].text for index in sorted(gone)] for lines, gone in zip(pages, self.removed, strict=True)]


@dataclass(slots=True)
class _Seen:
    """Counts on how many pages the shape, text and height of an edge row were seen."""

    pages: int
    shapes: Counter[tuple[str, str]] = field(default_factory=Counter)
    placed: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    exact: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    rows: Counter[tuple[str, int]] = field(default_factory=Counter)

    @property
    def needed(self) -> int:
        return 2 if self.pages <= 4 else max(3, min(self.pages // 12, 6))

    def add(self, side: str, row: Sequence[Line], first: bool) -> None:
        """Count a row; ``first`` marks the outermost row if there is space between it and the text."""
        for line in row:
            self.shapes[side, shape(line.text)] += 1
            self.texts[line.text] += 1
            for near in (0, 1):
                self.exact[side, line.text, round(line.base / STEP) + near] += 1
        for step in {round(line.base / STEP) + near for line in row for near in (0, 1)}:
            for text in {shape(line.text) for line in row}:
                self.placed[side, text, step] += 1
            if first:
                self.rows[side, step] += 1

    def repeats(self, side: str, line: Line, apart: bool, first: bool) -> bool:
        """Return whether a line of an edge row is a running line."""
        text, step = shape(line.text), round(line.base / STEP)
        if self.pages < 2:
            return False
        if _LONE_NUMBER.fullmatch(line.text):
            return apart
        if _names_section(line.text) and max(self.exact[side, line.text, each] for each in (step, step + 1)) < 2:
            return False  # "Anlage 4" at the top of its first page, as "Anlage 3" at the top of another
        if max(self.placed[side, text, step], self.placed[side, text, step + 1]) >= self.needed:
            return apart or self.pages > SURE_PAGES
        if apart and self.shapes[side, text] >= max(self.needed, self.pages / 2):
            return True
        usual = max(self.rows[side, step], self.rows[side, step + 1]) >= max(3, self.pages / 2)
        return first and apart and usual and self.texts[line.text] >= 2  # names of chapters


def find_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> Furniture:
    """Find lone page numbers, and edge rows whose text (apart from digits) repeats at the same height on several pages.

    Rows are examined from the edge inwards; once a row is text, all further rows are text.
    """
    edges = [_edges(lines, height) for lines, height in zip(pages, heights, strict=True)]
    seen = _Seen(sum(1 for lines in pages if lines))
    for lines, edge in zip(pages, edges, strict=True):
        for side in _SIDES:
            for count, row in enumerate(edge[side]):
                outermost = count == 0 and _apart(lines, row, side)
                seen.add(side, [lines[index] for index in row], first=outermost)
    removed: list[frozenset[int]] = []
    for lines, edge in zip(pages, edges, strict=True):
        gone: set[int] = set()
        for side in _SIDES:
            for count, row in enumerate(edge[side]):
                apart = _apart(lines, row, side)
                repeated = [seen.repeats(side, lines[index], apart, count == 0) for index in row]
                if not any(repeated) or not (apart or all(repeated)):
                    break  # a table header that repeats beside a line of text is not a running line
                if _is_chapter([lines[index] for index in row], repeated):
                    break
                gone |= {index for index in row if len(lines[index].text) <= MAX_LETTERS}
                if entry_of([lines[index].text for index in row]):
                    break  # below the head of a manual page stands NAME, which is text on every first page
        if len(gone) == len(lines) > 2:  # the pages are alike rather than made of running lines only
            gone = {index for index in gone if _LONE_NUMBER.fullmatch(lines[index].text)}
        removed.append(frozenset(gone))
    return Furniture(tuple(removed))


def shape(text: str) -> str:
    """Return text with its numbers replaced, so that it is the same on every page."""
    return _BLANKS.sub(" ", _DIGITS.sub("#", text)).strip().casefold()


def _names_section(text: str) -> bool:
    if _BARE_DECIMAL.fullmatch(text):
        return True
    numbered = split_number(text)
    return numbered.unit not in ("", "roman", "letter") and bool(numbered.number)


def _is_chapter(row: Sequence[Line], repeated: Sequence[bool]) -> bool:
    """Return whether a row such as '4' and a title is a chapter's heading: bold, of one size, and not repeated."""
    first, *others = sorted(row, key=lambda line: line.x0)
    titles = [line for line, again in zip(row, repeated, strict=True) if not again and line is not first]
    alike = all(line.bold and abs(line.size - first.size) < SAME_SIZE for line in titles)
    return bool(titles) and len(titles) == len(others) and first.bold and alike and first.text.strip(". ").isdigit()


def _apart(lines: Sequence[Line], row: Sequence[int], side: str) -> bool:
    """Return whether there is more than a line's space between an edge row and the text."""
    if side == "top":
        edge = max(lines[index].base for index in row)
        inner = [line.base - edge for line in lines if line.base > edge + 0.5 * line.height]
    else:
        edge = min(lines[index].base for index in row)
        inner = [edge - line.base for line in lines if line.base < edge - 0.5 * line.height]
    return not inner or min(inner) > 1.6 * max(lines[index].size for index in row)


def _edges(lines: Sequence[Line], height: float) -> dict[str, list[list[int]]]:
    """Return the outermost rows of each side within the margins, as lists of line indexes, from the edge inwards."""
    found: dict[str, list[list[int]]] = {side: [] for side in _SIDES}
    if not lines:
        return found
    text_top, text_bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    limit = MAX_EDGE_SHARE * height
    for side, order in (("top", 1), ("bottom", -1)):
        rows = found[side]
        edge = 0.0
        for index in sorted(range(len(lines)), key=lambda index: order * lines[index].base):
            base = lines[index].base
            away = base - min(text_top, limit) if side == "top" else max(text_bottom, height - limit) - base
            if away > limit:
                break
            if rows and abs(base - edge) <= 0.5 * lines[index].height:
                rows[-1].append(index)
            elif len(rows) < EDGE_ROWS:
                rows.append([index])
                edge = base
            else:
                break
    return found
