"""Writes the tables of figures of a page as Markdown, one line a row, in place of the lines they were printed on."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.ingest.page.line_reader import TEXT_FLAGS
from rabbithole.kb.ingest.page.lines import Box, TextLine
from rabbithole.kb.ingest.page.page_tables import as_lines, table_row
from rabbithole.kb.ingest.page.reading_order import page_columns
from rabbithole.kb.mupdf import pymupdf

from .figure_tables import PageEnd, Table, figure_tables, may_have_figures
from .printed_rows import Word, printed_rows

_BELOW, _LAST = 2, 8
"""Maximum number of lines below a table that may go on on the next page: running lines; rows kept for its header."""


def with_figure_tables(
    page: pymupdf.Page, number: int, lines: Sequence[TextLine], before: PageEnd
) -> tuple[list[TextLine], PageEnd]:
    """Return the lines with those in tables of figures replaced, and what the next page may go on with.

    ``before`` is the end of the page before: rows that go on from there have no header of their own.
    """
    plain = [line for line in lines if not line.verbatim and not line.mono]
    if not may_have_figures(plain, before):
        return list(lines), PageEnd(rows=tuple(printed_rows(plain[-_LAST:], ())))
    words: list[Word] = [word[:5] for word in page.get_text("words", flags=TEXT_FLAGS)]
    tables: list[Table] = []
    for column in page_columns(plain):
        rows = printed_rows(column, words)
        tables += figure_tables(rows, before)
        before = PageEnd()  # only the first column may go on with it
    taken = {line for table in tables for line in table.lines}
    result = [line for line in lines if line not in taken]
    last = tables[-1] if tables else None
    if last is not None and sum(line.y0 >= last.bottom for line in result) > _BELOW:
        last = None
    for table in tables:
        result += _written(table, number)
    return result, PageEnd(last, tuple(row for row in rows[-_LAST:] if not taken & set(row.lines)))


def _written(table: Table, number: int) -> list[TextLine]:
    """Return the rows of a table as lines; one without a header that begins on its page has empty cells for it."""
    box: Box = (
        min(line.x0 for line in table.lines),
        min(line.y0 for line in table.lines),
        max(line.x1 for line in table.lines),
        table.bottom,
    )
    rows = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    like = table.lines[0]
    if table.continued:
        ends = [*table.tops[1:], table.bottom]
        return [
            table_row("| " + " | ".join(row) + " |", top, max(end - 1, top + 1), box, number, like)
            for row, top, end in zip(rows, table.tops, ends, strict=True)
        ]
    header = [cell.replace("|", "\\|") for cell in table.header or [""] * len(rows[0])]
    top = min(box[1], table.tops[0] - 2)
    return as_lines([header, *rows], [top, *table.tops], box, number, like)
