"""Finds running headers and footers: rows at the edges of pages that repeat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.ingest.page.manual_entry import entry_of

from .lines import TextLine
from .running_lines import LONE_NUMBER, RunningLines

EDGE_ROWS = 3
MAX_EDGE_SHARE = 0.16
MAX_LETTERS = 160
SAME_SIZE = 0.6
_SIDES = ("top", "bottom")


@dataclass(frozen=True, slots=True)
class Furniture:
    """The running lines of each page, by position in the page's list."""

    removed: tuple[frozenset[int], ...]

    def body(self, pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
        return [
            [line for index, line in enumerate(lines) if index not in gone]
            for lines, gone in zip(pages, self.removed, strict=True)
        ]

    def edges(self, pages: Sequence[Sequence[TextLine]]) -> list[list[str]]:
        """Return the texts of the removed lines for each page; printed page numbers are among them."""
        return [[lines[index].text for index in sorted(gone)] for lines, gone in zip(pages, self.removed, strict=True)]


def find_furniture(pages: Sequence[Sequence[TextLine]], heights: Sequence[float]) -> Furniture:
    """Find numbers that count up with the pages, and rows at a height where most pages repeat words except for digits.

    Rows are examined from the edge inwards; once a row is text, all further rows are text.
    """
    edges = [_edges(lines, height) for lines, height in zip(pages, heights, strict=True)]
    seen = RunningLines(sum(1 for lines in pages if lines))
    for count in (seen.add, seen.weigh):
        for lines, edge in zip(pages, edges, strict=True):
            for side in _SIDES:
                for row in edge[side]:
                    count(side, [lines[index] for index in row])
    removed: list[frozenset[int]] = []
    for lines, edge in zip(pages, edges, strict=True):
        gone: set[int] = set()
        for side in _SIDES:
            for place, row in enumerate(edge[side]):
                apart = _apart(lines, row, side)
                repeated = [
                    seen.repeats(side, lines[index], apart=apart, first=place == 0, alone=len(row) == 1)
                    for index in row
                ]
                if not any(repeated) or not (apart or all(repeated)):
                    break  # a table header that repeats beside a line of text is not a running line
                if _is_chapter([lines[index] for index in row], repeated):
                    break
                gone |= {
                    index
                    for index, again in zip(row, repeated, strict=True)
                    if len(lines[index].text) <= MAX_LETTERS and (again or not lines[index].verbatim)
                }
                if entry_of([lines[index].text for index in row]):
                    break  # below the head of a manual page stands NAME, which is text on every first page
        if len(gone) == len(lines) > 2:  # the pages are alike rather than made of running lines only
            gone = {index for index in gone if LONE_NUMBER.fullmatch(lines[index].text)}
        removed.append(frozenset(gone))
    return Furniture(tuple(removed))


def _is_chapter(row: Sequence[TextLine], repeated: Sequence[bool]) -> bool:
    """Return whether a row such as '4' and a title is a chapter's heading: bold, of one size, and not repeated."""
    first, *others = sorted(row, key=lambda line: line.x0)
    titles = [line for line, again in zip(row, repeated, strict=True) if not again and line is not first]
    alike = all(line.bold and abs(line.size - first.size) < SAME_SIZE for line in titles)
    return bool(titles) and len(titles) == len(others) and first.bold and alike and first.text.strip(". ").isdigit()


def _apart(lines: Sequence[TextLine], row: Sequence[int], side: str) -> bool:
    """Return whether there is more than a line's space between an edge row and the text."""
    if side == "top":
        edge = max(lines[index].base for index in row)
        inner = [line.base - edge for line in lines if line.base > edge + 0.5 * line.height]
    else:
        edge = min(lines[index].base for index in row)
        inner = [edge - line.base for line in lines if line.base < edge - 0.5 * line.height]
    return not inner or min(inner) > 1.6 * max(lines[index].size for index in row)


def _edges(lines: Sequence[TextLine], height: float) -> dict[str, list[list[int]]]:
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
