"""Running headers and footers: lines at the edge of pages that come again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .lines import Line
from .numbering import split_number

EDGE_ROWS = 3
MAX_EDGE_SHARE = 0.16
MAX_LETTERS = 160
STEP = 4.0
_DIGITS = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_LONE_NUMBER = re.compile(
    r"[\[(\s–—|-]*(?:(?:page|seite|p\.|s\.)\s*)?(?:[A-Z]-)?(?:\d{1,4}|[ivxlcdm]{1,7})[\])\s–—|-]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Furniture:
    """Lines of each page that are furniture, by position in that page's list, and the rest."""

    removed: tuple[frozenset[int], ...]

    def body(self, pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
        return [
            [line for index, line in enumerate(lines) if index not in gone]
            for lines, gone in zip(pages, self.removed, strict=True)
        ]

    def edges(self, pages: Sequence[Sequence[Line]]) -> list[list[str]]:
        """Text of the removed lines, a list a page: where printed page numbers stand."""
        return [[lines[index].text for index in sorted(gone)] for lines, gone in zip(pages, self.removed, strict=True)]


def find_furniture(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> Furniture:
    """Edge rows whose text, digits aside, comes again at the same height of several pages; lone page numbers.

    Rows are taken from the edge inwards: what stands behind a row of text is text.
    """
    edges = [_edges(lines, height) for lines, height in zip(pages, heights, strict=True)]
    heights_seen: Counter[tuple[str, str, int]] = Counter()
    shapes_seen: Counter[tuple[str, str]] = Counter()
    texts_seen: Counter[str] = Counter()
    for lines, edge in zip(pages, edges, strict=True):
        at_edge = [(side, shape(lines[index].text), lines[index].base) for side, index, _ in edge]
        shapes_seen.update({(side, text) for side, text, _ in at_edge})
        heights_seen.update(
            {(side, text, round(base / STEP) + near) for side, text, base in at_edge for near in (0, 1)}
        )
        texts_seen.update({lines[index].text for _, index, _ in edge})
    filled = sum(1 for lines in pages if lines)
    needed = 2 if filled <= 4 else max(3, min(filled // 12, 6))
    removed: list[frozenset[int]] = []
    for lines, edge in zip(pages, edges, strict=True):
        gone: set[int] = set()
        for side in ("top", "bottom"):
            rows = [
                [index for where, index, row in edge if where == side and row == count] for count in range(EDGE_ROWS)
            ]
            taken = 0
            for count, row in enumerate(rows):
                for index in row:
                    text, base = shape(lines[index].text), lines[index].base
                    step = round(base / STEP)
                    here = max(heights_seen[side, text, step], heights_seen[side, text, step + 1])
                    if _names_section(lines[index].text) and texts_seen[lines[index].text] < 2:
                        continue  # "Anlage 4" at the top of its first page, beside "Anlage 3" at the top of another
                    apart = _apart(lines, index, side)
                    if (
                        here >= needed
                        or (apart and shapes_seen[side, text] >= max(needed, filled / 2))
                        or (count <= 1 and apart and filled > 1 and _LONE_NUMBER.fullmatch(lines[index].text))
                    ):
                        taken = count + 1
                if taken <= count and not all(_apart(lines, index, side) for index in row):
                    break
            # a text that is not repeated, between repeated ones and the edge (a chapter's name), belongs to them
            gone |= {index for row in rows[:taken] for index in row if len(lines[index].text) <= MAX_LETTERS}
        removed.append(frozenset(gone))
    return Furniture(tuple(removed))


def shape(text: str) -> str:
    """Text with numbers blanked out: what stays the same from page to page."""
    return _BLANKS.sub(" ", _DIGITS.sub("#", text)).strip().casefold()


def _names_section(text: str) -> bool:
    numbered = split_number(text)
    return numbered.unit not in ("", "decimal", "roman", "letter") and bool(numbered.number)


def _apart(lines: Sequence[Line], index: int, side: str) -> bool:
    """Whether there is more than a line's space between an edge row and the text."""
    line = lines[index]
    if side == "top":
        inner = [other.base - line.base for other in lines if other.base > line.base + 0.6 * line.height]
    else:
        inner = [line.base - other.base for other in lines if other.base < line.base - 0.6 * line.height]
    return not inner or min(inner) > 1.6 * line.size


def _edges(lines: Sequence[Line], height: float) -> list[tuple[str, int, int]]:
    """(side, index of the line, row counted from the edge) of the outermost rows within the margins."""
    result: list[tuple[str, int, int]] = []
    if not lines:
        return result
    text_top, text_bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    limit = MAX_EDGE_SHARE * height
    for side, order in (("top", 1), ("bottom", -1)):
        indexes = sorted(range(len(lines)), key=lambda index: order * (lines[index].y0 + lines[index].y1))
        row, edge = -1, 0.0
        for index in indexes:
            middle = (lines[index].y0 + lines[index].y1) / 2
            if row < 0 or abs(middle - edge) > 0.6 * lines[index].height:
                row, edge = row + 1, middle
            away = middle - min(text_top, limit) if side == "top" else max(text_bottom, height - limit) - middle
            if row >= EDGE_ROWS or away > limit:
                break
            result.append((side, index, row))
    return result
