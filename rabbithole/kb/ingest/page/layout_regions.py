"""Reads the regions of a page with PyMuPDF's layout model: slower but better (1-2 s a page on a CPU)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rabbithole.kb.mupdf import pymupdf

from .line_reader import TEXT_FLAGS
from .lines import Box, TextLine, merge_rows
from .page_tables import suggests_table
from .reading_order import by_rows, column_count, in_reading_order

NOT_TEXT = ("page-header", "page-footer")
NOTE = "footnote"


@dataclass(frozen=True, slots=True)
class LayoutRegion:
    """A box on the page and its kind according to the model: text, section-header, list-item, table, caption, ..."""

    box: Box
    kind: str


def is_unsure(lines: Sequence[TextLine], boxes: Sequence[Box]) -> bool:
    """Return whether a page may have been read wrongly without the model: several columns or tables."""
    return column_count(lines) > 1 or suggests_table(boxes)


def read_regions(page: pymupdf.Page) -> list[LayoutRegion]:
    """Return the regions in reading order; the model itself gives no order."""
    # This import loads the model's libraries, so only readers that use the model may do it (see ``kb.mupdf``).
    from pymupdf4llm.helpers.utils import find_reading_order  # noqa: PLC0415

    page.get_layout()
    found: list[Any] = page.layout_information or []
    if found:
        found = find_reading_order(page.rect, page.get_text("dict", flags=TEXT_FLAGS)["blocks"], found)
    return [LayoutRegion((row[0], row[1], row[2], row[3]), str(row[4])) for row in found]


def in_region_order(lines: Sequence[TextLine], regions: Sequence[LayoutRegion]) -> list[TextLine]:
    """Return the lines in the order of the regions; a line outside all regions goes with the nearest one."""
    if not regions:
        return in_reading_order(lines)
    groups: list[list[TextLine]] = [[] for _ in regions]
    for line in lines:
        groups[_region_of(line, regions)].append(line)
    ordered: list[TextLine] = []
    for region, group in zip(regions, groups, strict=True):
        if region.kind not in NOT_TEXT:
            note = region.kind == NOTE
            ordered += merge_rows(replace(line, note=line.note or note) for line in by_rows(group))
    return _with_columns(ordered)


def _region_of(line: TextLine, regions: Sequence[LayoutRegion]) -> int:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2

    def distance(index: int) -> float:
        x0, y0, x1, y1 = regions[index].box
        return max(x0 - x, 0.0, x - x1) + max(y0 - y, 0.0, y - y1)

    return min(range(len(regions)), key=distance)


def _with_columns(lines: Sequence[TextLine]) -> list[TextLine]:
    """Start a new column wherever the text goes up the page again."""
    result: list[TextLine] = []
    column = 0
    for line in lines:
        if result and line.base < result[-1].base - 2 * line.height:
            column += 1
        result.append(replace(line, column=column))
    return result
