"""Reads tables of figures without rules, as financial statements are printed, by the columns their figures stand in.

A row has a label on the left and figures in the columns of the rows around it. A row with a label alone is a heading
inside the table, or the label goes on in the next line. What stands above the columns is the table's header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rabbithole.kb.ingest.page.lines import TextLine

from .figure_headers import Columns, Header, header_rows, is_header_of_years
from .printed_rows import PrintedCell, PrintedRow

MIN_COLUMNS: Final = 2
MIN_ROWS, MIN_ROWS_WITHOUT_HEADER = 2, 3
MIN_FIGURES: Final = 6
"""Minimum number of figures on a page, standing alone, with which it is looked at."""
_NEAR, _TIGHT, _BESIDE = 3.4, 1.75, 0.85
"""Maximum distance of two rows, in font sizes, from top to top: of rows with figures, of lines of one label, and of
what stands beside one another."""
_LABELS: Final = 3
"""Maximum number of rows with a label alone between two with figures."""
_LABELLED: Final = 0.6
_LONGEST_LABEL: Final = 45
"""Maximum number of characters of the labels of half of the rows."""
_RUNNING: Final = 3
"""Maximum number of rows of running lines above a table that goes on from the page before, and below it there."""
_OFF: Final = 8.0
_AROUND: Final = 2
"""The number of rows above a row, and a third of that below, that show where labels begin."""
_OUTDENT: Final = 4.0
"""Maximum distance, in font sizes, by which a label begins left of those above it: they may be indented."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_LETTERS, _LABEL = re.compile(r"[^\W\d_]{2}"), re.compile(r"[^\W\d_]{2}|\A(?:19|20)\d\d\Z")
_GOES_ON = re.compile(r"[a-zäöü(]")
_SENTENCE_END = re.compile(r"[.!?]\Z")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table that are on a page, each with as many cells as there are columns, and what they replace."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tops: tuple[float, ...]
    lines: tuple[TextLine, ...]
    rights: tuple[float, ...]
    """Right edges of the columns of figures."""
    continued: bool = False

    @property
    def bottom(self) -> float:
        return max(line.y1 for line in self.lines)


@dataclass(frozen=True, slots=True)
class PageEnd:
    """What the next page may go on with: the last table, if hardly anything stands below it, and the last rows."""

    table: Table | None = None
    rows: tuple[PrintedRow, ...] = ()


@dataclass(slots=True)
class _Run:
    """Rows that share columns, while they are found."""

    left: float
    columns: Columns
    rows: list[PrintedRow] = field(default_factory=list)
    held: list[PrintedRow] = field(default_factory=list)
    spanned: bool = False
    """Whether a text stands beside the middle of several rows: which of them it belongs to is not known."""


def may_have_figures(lines: Sequence[TextLine], before: PageEnd) -> bool:
    """Return whether enough figures stand alone, or cells beside others, that the page may have a table of them."""
    alone = sum(line.cells - 1 if line.cells > 1 else PrintedCell(line.text, 0, 0).is_figure for line in lines)
    return alone >= (MIN_COLUMNS if before.table is not None else MIN_FIGURES)


def figure_tables(rows: Sequence[PrintedRow], before: PageEnd | None = None) -> list[Table]:
    """Return the tables among the rows of a page, from top to bottom; ``before``: the end of the page before."""
    tables: list[Table] = []
    at = first = 0  # first: the first row below the last table
    while at < len(rows):
        run = _run(rows, at)
        if run is None:
            at += 1
            continue
        end = at + len(run.rows)
        table = (
            None
            if run.spanned
            else _table(
                run,
                rows[first:at],
                before if at <= _RUNNING and not tables else None,
                ends_page=end >= len(rows) - _RUNNING,
            )
        )
        if table is not None:
            tables.append(table)
            first = end
        at = max(end, at + 1)
    return tables


def _run(rows: Sequence[PrintedRow], at: int) -> _Run | None:
    """Return the rows from ``at`` on that share columns; None if the first has no figures in two columns."""
    start = rows[at]
    left = min(row.cells[0].x0 for row in rows[max(0, at - _AROUND) : at + 3 * _AROUND])
    figures = _figures(start, left)
    if len(figures) < MIN_COLUMNS:
        return None
    run = _Run(left, Columns([(cell.x0, cell.x1) for cell in figures]), [start])
    years = is_header_of_years(start, left)
    for row in rows[at + 1 :]:
        last = run.held[-1] if run.held else run.rows[-1]
        apart = (row.y0 - last.y0) / max(row.size, 1.0)
        figures = _figures(row, left)
        if figures and apart <= _NEAR and not (is_header_of_years(row, left) and not years):
            if not run.columns.take(figures) or row.cells[0].x0 < left - _OUTDENT * row.size:
                break
            run.rows += [*run.held, row]
            run.held = []
            years = years and is_header_of_years(row, left)
        elif len(row.cells) == 1 and apart < _BESIDE and _LETTERS.search(last.cells[0].text):
            run.spanned = True
            break
        elif len(run.held) < _LABELS and apart <= _NEAR and _is_label(row, run, tight=apart <= _TIGHT):
            if _GOES_ON.match(row.cells[0].text) and apart <= _TIGHT and not run.held:
                run.rows.append(row)  # the label of the row above goes on
            else:
                run.held.append(row)
        else:
            break
    return run


def _figures(row: PrintedRow, left: float) -> tuple[PrintedCell, ...]:
    """Return the figures of a row in its columns: all cells but the label, which a row may lack."""
    label = row.cells[0]
    if label.is_figure and label.x0 > left + 2 * row.size:
        return row.cells if row.is_level and all(cell.is_figure for cell in row.cells) else ()
    return row.figures


def _is_label(row: PrintedRow, run: _Run, *, tight: bool) -> bool:
    """Return whether a row is a label alone: left of the figures, or no sentence and as near as a row of the table."""
    cell = row.cells[0]
    if len(row.cells) > 1 or cell.is_figure or cell.x0 >= run.columns.left or cell.x0 < run.left - _OUTDENT * row.size:
        return False
    if cell.x1 < run.columns.left:
        return True
    return tight and abs(row.size - run.rows[-1].size) < 0.3 and not _SENTENCE_END.search(cell.text)


def _all_years(row: PrintedRow) -> bool:
    return all(_YEAR.fullmatch(cell.text) for cell in row.cells[1:])


def _same(rights: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether columns stand where others do; a page may lack figures in some."""
    return all(any(abs(right - other) <= _OFF for other in others) for right in rights) and len(rights) == len(others)


def _table(run: _Run, above: Sequence[PrintedRow], before: PageEnd | None, *, ends_page: bool) -> Table | None:
    """Return the table of a run with its header above, or on the page before; None if the rows are no table."""
    body = list(run.rows)
    years: list[PrintedRow] = []
    while body and is_header_of_years(body[0], run.left, first=len(body) > 1 and not _all_years(body[1])):
        years.append(body.pop(0))
    if not body or len(run.columns) < MIN_COLUMNS:
        return None
    header = header_rows([*above, *years], body[0], run.columns, run.left)
    earlier = before.table if before is not None and not header.columns else None
    goes_on = earlier is not None and _same(run.columns.rights, earlier.rights)
    if before is not None and not header.columns and not goes_on:
        header = _header_before(before, body[0], run)
    rows, tops = _written(header, body, run)
    with_figures = [cells for cells in rows if any(cells[1:])]
    full = sum(sum(map(bool, cells[1:])) >= MIN_COLUMNS for cells in with_figures)
    labelled = sum(_LABEL.search(cells[0]) is not None for cells in with_figures)
    begins = ends_page and bool(header.columns) and all(header.columns[1:])  # its other rows are on the next page
    needed = 1 if goes_on or begins else MIN_ROWS if header.columns else MIN_ROWS_WITHOUT_HEADER
    if full < needed or 2 * full < len(with_figures) or labelled < _LABELLED * len(with_figures):
        return None
    if sorted(len(cells[0]) for cells in with_figures)[len(with_figures) // 2] > _LONGEST_LABEL:
        return None  # running text beside figures
    lines = tuple(line for row in (*header.rows, *header.labels, *body) for line in row.lines)
    return Table(header.columns, rows, tops, lines, tuple(run.columns.rights), continued=goes_on)


def _written(
    header: Header, body: Sequence[PrintedRow], run: _Run
) -> tuple[tuple[tuple[str, ...], ...], tuple[float, ...]]:
    """Return the rows below the header with where they begin, lines of one label joined."""
    rows: list[tuple[str, ...]] = []
    tops: list[float] = []
    above: PrintedRow | None = None
    for row in (*header.labels, *body):
        cells = _placed(row, run)
        if above is not None and _joins(above, row, rows[-1], cells):
            rows[-1] = tuple(" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True))
        else:
            rows.append(cells)
            tops.append(row.y0)
        above = row
    return tuple(rows), tuple(tops)


def _header_before(before: PageEnd, first: PrintedRow, run: _Run) -> Header:
    """Return the header that stands at the end of the page before, above running lines only."""
    for below in range(_RUNNING):
        rows = before.rows[: len(before.rows) - below]
        found = header_rows(rows, first, run.columns, run.left)
        if found.columns and not found.labels and all(found.columns[1:]):
            return Header(found.columns)
    return Header()


def _placed(row: PrintedRow, run: _Run) -> tuple[str, ...]:
    """Return the label and the figures of a row, each in its column."""
    figures = _figures(row, run.left)
    cells = [""] * (len(run.columns) + 1)
    if len(figures) < len(row.cells):
        cells[0] = row.cells[0].text
    for cell in figures:
        cells[1 + run.columns.index(cell)] = cell.text
    return tuple(cells)


def _joins(before: PrintedRow, row: PrintedRow, above: Sequence[str], cells: Sequence[str]) -> bool:
    """Return whether a row goes on with the label of the one before: only one of the two has the figures."""
    if (any(above[1:]) and any(cells[1:])) or (row.y0 - before.y0) > _TIGHT * row.size:
        return False
    if not any(cells[1:]):
        return bool(_GOES_ON.match(cells[0])) and not above[0].endswith(":")
    if not cells[0]:
        return row.y0 - before.y0 < _BESIDE * row.size  # the figures stand in the middle of two lines of label
    return not _LETTERS.search(cells[0]) or (cells[0][:1].islower() and not above[0].endswith(":"))
