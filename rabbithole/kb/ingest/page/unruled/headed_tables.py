"""Reads tables without rules below a row of bold headings.

The headings show how many columns there are: every line below must stand in one of them, with free space between, and
the cells of a column begin, end or have their middle below one another. A row begins where the first column has a line;
a cell may go on for several lines or paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rabbithole.kb.ingest.page.line_reader import TEXT_FLAGS
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.page_tables import as_lines
from rabbithole.kb.ingest.page.reading_order import rows_of
from rabbithole.kb.mupdf import pymupdf

from .printed_rows import PrintedCell, PrintedRow, Word, printed_rows

_COLUMNS: Final = 3
"""Minimum number of headings: two bold words beside one another may head two columns of text."""
_ROWS: Final = 3
_HEADING: Final = 30
"""Maximum number of characters of one line of a heading."""
_STACKED, _BELOW, _APART = 1.6, 5.0, 3.4
"""Maximum distances from top to top, in font sizes: of two lines of a heading, of the headings and the first row, and
of two lines of the table."""
_SPACE: Final = 1.2
"""How much wider than lines of a cell rows stand apart."""
_LEVEL, _BESIDE = 0.3, 4.0
"""How far lines of a row are from one height, and a cell from its column, in font sizes."""
_GUTTER, _OFF, _ALIGNED = 4.0, 3.0, 0.75
"""Minimum width between columns, maximum difference of aligned cells in points, and the minimum share of them."""
_FULL: Final = 0.75
"""The share of its column that a line fills before another goes on with it."""
_LETTER = re.compile(r"[^\W\d_]")

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class HeadedTable:
    """The headings and the rows below, one cell for each column, where each begins, and what they replace."""

    rows: tuple[tuple[str, ...], ...]
    tops: tuple[float, ...]
    lines: tuple[TextLine, ...]


@dataclass(slots=True)
class _Columns:
    """From where to where each column reaches, by what stands in it so far."""

    spans: list[Span]

    def of(self, cell: PrintedCell, size: float) -> int | None:
        """Return the column nearest to a cell; None if it is in none."""
        away = [max(left - cell.x1, cell.x0 - right, 0.0) for left, right in self.spans]
        return away.index(min(away)) if min(away) <= _BESIDE * size else None

    def take(self, row: PrintedRow) -> bool:
        """Widen the columns to a row's cells; return False if they do not fit between one another."""
        spans = list(self.spans)
        places = [self.of(cell, row.size) for cell in row.cells]
        if len(set(places)) < len(places):
            return False
        for cell, place in zip(row.cells, places, strict=True):
            if place is None:
                return False
            spans[place] = min(spans[place][0], cell.x0), max(spans[place][1], cell.x1)
        if any(right[0] - left[1] < _GUTTER for left, right in pairwise(spans)):
            return False
        self.spans = spans
        return True

    def cells(self, rows: Sequence[PrintedRow], column: int) -> list[PrintedCell]:
        return [cell for row in rows for cell in row.cells if self.of(cell, row.size) == column]

    def joined(self, rows: Sequence[PrintedRow]) -> tuple[str, ...]:
        """Return the text of each cell of one row of the table."""
        return tuple(" ".join(cell.text for cell in self.cells(rows, at)) for at in range(len(self.spans)))


def with_headed_tables(page: pymupdf.Page, number: int, lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines of a page with those in such tables replaced by rows, one Markdown line each.

    On the first page, names of authors stand above their addresses like this.
    """
    plain = [line for line in lines if not line.verbatim and not line.mono]
    bold = [line for line in plain if line.bold and not line.mixed]
    if number == 0 or not any(sum(line.cells for line in row) >= _COLUMNS for row in rows_of(bold)):
        return list(lines)
    words: list[Word] = [word[:5] for word in page.get_text("words", flags=TEXT_FLAGS)]
    result = list(lines)
    for table in headed_tables(printed_rows(plain, words)):
        taken = set(table.lines)
        result = [line for line in result if line not in taken]
        left, right = min(line.x0 for line in table.lines), max(line.x1 for line in table.lines)
        box = left, table.tops[0], right, max(line.y1 for line in table.lines)
        rows = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
        result += as_lines(rows, table.tops, box, number, table.lines[0])
    return result


def headed_tables(rows: Sequence[PrintedRow]) -> list[HeadedTable]:
    """Return the tables among the rows of a page, from top to bottom."""
    tables: list[HeadedTable] = []
    at = 0
    while at < len(rows):
        header = _header(rows, at)
        at += 1
        if not header:
            continue
        columns = _Columns([(cell.x0, cell.x1) for cell in header[-1].cells])
        if not all(columns.take(row) for row in header):
            continue
        body = _body(rows[at:], header[-1], columns)
        if table := _table(header, body, columns):
            tables.append(table)
            at += len(body)
    return tables


def _header(rows: Sequence[PrintedRow], at: int) -> list[PrintedRow]:
    """Return the headings whose last line is the row at ``at``, with their lines above it; [] if it is no such row."""
    row = rows[at]
    if len(row.cells) < _COLUMNS or not _is_bold(row) or not row.is_level:
        return []
    if at + 1 < len(rows) and _is_bold(rows[at + 1]) and rows[at + 1].y0 - row.y0 <= _STACKED * row.size:
        return []  # the headings go on, or these are none
    found = [row]
    for above in reversed(rows[:at]):
        columns = _Columns([(cell.x0, cell.x1) for cell in row.cells])
        near = found[0].y0 - above.y0 <= _STACKED * row.size
        if not near or not _is_bold(above) or len(above.cells) > len(row.cells) or not columns.take(above):
            break
        found.insert(0, above)
    short = all(len(cell.text) <= _HEADING for each in found for cell in each.cells)
    return found if short and all(_LETTER.search(cell.text) for cell in row.cells) else []


def _is_bold(row: PrintedRow) -> bool:
    return all(line.bold and not line.mixed for line in row.lines)


def _body(rows: Sequence[PrintedRow], header: PrintedRow, columns: _Columns) -> list[PrintedRow]:
    """Return the rows below the headings that stand in their columns, up to the first that does not."""
    found: list[PrintedRow] = []
    for row in rows:
        above = found[-1] if found else header
        bases = [line.base for line in row.lines]
        near = row.y0 - above.y0 <= (_APART if found else _BELOW) * row.size
        level = max(bases) - min(bases) <= _LEVEL * row.size
        if not near or not level or _is_bold(row) or not columns.take(row):
            break
        found.append(row)
    return found


def _table(header: Sequence[PrintedRow], body: Sequence[PrintedRow], columns: _Columns) -> HeadedTable | None:
    """Return the table; None if there are few rows, cells are not aligned, or it is not sure where rows begin."""
    entries = _entries(body, columns)
    full = sum(len(entry[0].cells) > 1 for entry in entries)
    if full < _ROWS or 2 * full < len(entries):
        return None
    if not all(_aligned(columns.cells([entry[0] for entry in entries], at)) for at in range(len(columns.spans))):
        return None
    return HeadedTable(
        tuple(columns.joined(rows) for rows in (header, *entries)),
        (header[0].y0, *(entry[0].y0 for entry in entries)),
        tuple(line for row in (*header, *body) for line in row.lines),
    )


def _aligned(cells: Sequence[PrintedCell]) -> bool:
    """Return whether most cells of a column begin, end or have their middle at one place; False if there are none."""
    edges = [(cell.x0, cell.x1, cell.middle) for cell in cells]
    most = max(
        (sum(abs(other[kind] - edge[kind]) <= _OFF for other in edges) for edge in edges for kind in range(3)),
        default=0,
    )
    return most > 0 and most >= _ALIGNED * len(cells)


def _entries(rows: Sequence[PrintedRow], columns: _Columns) -> list[list[PrintedRow]]:
    """Return the printed rows of each row of the table; [] if it is not sure where they begin."""
    distances = [below.y0 - above.y0 for above, below in pairwise(rows)]
    pitch = min(distances, default=0.0)
    spaced = any(distance > _SPACE * pitch for distance in distances)
    entries: list[list[PrintedRow]] = [[row] for row in rows[:1]]
    for row, distance in zip(rows[1:], distances, strict=True):
        apart = distance > _SPACE * pitch
        labelled = columns.of(row.cells[0], row.size) == 0
        if not labelled and len(row.cells) > max(1, len(columns.spans) // 2):
            return []  # a row below a label that stands for several
        if not labelled:
            entries[-1].append(row)
        elif apart or (len(row.cells) > 1 and not _goes_on(entries[-1][-1], columns)):
            entries.append([row])
        elif spaced or len(row.cells) == 1:
            entries[-1].append(row)
        else:
            return []
    return entries


def _goes_on(above: PrintedRow, columns: _Columns) -> bool:
    """Return whether the first cell of a row may go on in the next line: it has words and no more room."""
    first = above.cells[0]
    left, right = columns.spans[0]
    words = " " in first.text or first.text.endswith("-")
    return columns.of(first, above.size) == 0 and words and first.x1 - left >= _FULL * (right - left)
