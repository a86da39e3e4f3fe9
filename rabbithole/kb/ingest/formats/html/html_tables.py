"""Tables of HTML pages and of law XML that was renamed to HTML: their rows, whether they hold data, merged cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Final

from rabbithole.kb.ingest.formats.writer import MOST_COLUMNS
from rabbithole.kb.ingest.page.lines import LONGEST_REPEATED

MOST_ROWS: Final = 1000
ENUMERATOR: Final = re.compile(
    r"(?:\(?[\dA-Za-z]{1,4}(?:\.\d{1,3})*[.)]{1,2}|[-–—•▪●○*]|\([ivxlc]{1,6}\)|\[[^\]]{1,24}\]|§+\s?\d{1,4}[a-z]?)"
)


def rows_of(table: Any) -> Iterator[Any]:
    """Yield the rows of a table, not those of tables within it."""
    for child in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        if child.tag == "tr":
            yield child
        else:
            yield from child.iterchildren("tr")


def columns_of(cell: Any) -> int:
    """Return how many columns a cell covers, at least 1."""
    return min(max(whole_number(cell.get("colspan")), 1), MOST_COLUMNS)


def heads_row(row: Any) -> bool:
    """Return whether a row begins with its own heading ("Status: | Core"); its table has none above the columns."""
    cells = list(row.iterchildren("td", "th"))
    return len(cells) > 1 and cells[0].tag == "th" and all(cell.tag == "td" for cell in cells[1:])


def whole_number(value: str | None) -> int:
    """Return the number an attribute gives; 0 if it gives none."""
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def is_data(table: Any) -> bool:
    """Return whether a table holds data: two rows of two cells, no nested tables, headings or preformatted text."""
    rows = [list(row.iterchildren("td", "th")) for row in rows_of(table)]
    if len(rows) < 2 or sum(width >= 2 for width in _widths(rows)) < 2:
        return False
    if next(table.iterdescendants("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre"), None) is not None:
        return False
    numbered = sum(bool(row and ENUMERATOR.fullmatch("".join(row[0].itertext()).strip()[:20])) for row in rows)
    heads = next(table.iterdescendants("th"), None) is not None
    return heads or not (numbered == len(rows) and max(map(len, rows)) == 2)


def _widths(rows: Sequence[Sequence[Any]]) -> Iterator[int]:
    """Yield how many cells each row has, with those of the rows above that cover it."""
    last: list[int] = []  # for each cell still open, the number of the last row that it covers
    for index, row in enumerate(rows):
        last = [end for end in last if end >= index]
        yield len(row) + len(last)
        last += [index + _rows_of_cell(cell) - 1 for cell in row if _rows_of_cell(cell) > 1]


def _rows_of_cell(cell: Any) -> int:
    return min(max(whole_number(cell.get("rowspan")), 1), MOST_ROWS)


def complete_rows(root: Any) -> None:
    """Repeat each cell that covers several rows of a data table in all of them, so that values keep their columns."""
    for table in list(root.iter("table")):
        merged = any(_rows_of_cell(cell) > 1 for cell in table.iterdescendants("td", "th"))
        if merged and is_data(table):
            _complete(table)


def _complete(table: Any) -> None:
    covering: dict[int, tuple[Any, int]] = {}  # column -> the cell above, and how many more rows it covers
    for row in rows_of(table):
        column, below = 0, dict[int, tuple[Any, int]]()
        for cell in [*row.iterchildren("td", "th"), None]:
            while column in covering:
                above, left = covering.pop(column)
                repeated = _repeated(above)
                if cell is None:
                    row.append(repeated)
                else:
                    cell.addprevious(repeated)
                if left > 1:
                    below[column] = above, left - 1
                column += columns_of(above)
            if cell is not None:
                if (covered := _rows_of_cell(cell)) > 1:
                    below[column] = cell, covered - 1
                column += columns_of(cell)
        covering = below


def _repeated(cell: Any) -> Any:
    """Return a copy of a cell without its anchors, empty if it is long."""
    copy = deepcopy(cell)
    copy.tail = None
    if len("".join(copy.itertext())) > LONGEST_REPEATED:
        del copy[:]
        copy.text = None
    for element in copy.iter():
        element.attrib.pop("id", None)
        element.attrib.pop("name", None)
    copy.attrib.pop("rowspan", None)
    return copy
