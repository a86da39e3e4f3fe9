"""The tables of a section: their rows, the columns they have, and the unit above them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rabbithole.steps.reasoning.text.markdown_tables import is_rule
from rabbithole.steps.selection.units.unit_lines import Line, is_caption, is_table_caption, lines_of

_CELL = re.compile(r"(?<=\|)(?:\\\||[^|\n])*(?=\|)")
_FIGURE = re.compile(r"\d")


@dataclass(frozen=True)
class Cell:
    """A cell with the place of its words in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class TableRow:
    start: int
    end: int
    cells: tuple[Cell, ...]

    @property
    def label(self) -> str:
        return self.cells[0].text if self.cells else ""

    @property
    def has_figures(self) -> bool:
        return any(_FIGURE.search(cell.text) for cell in self.cells[1:])

    @property
    def is_share(self) -> bool:
        """Whether the figures are percentages."""
        return any("%" in cell.text for cell in self.cells[1:])


@dataclass(frozen=True)
class StatedTable:
    """``head``: the span of the title or unit above the table and of its header; ``columns``: the header's cells."""

    head: tuple[int, int]
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


def cells_of(row: str, start: int = 0) -> tuple[Cell, ...]:
    """Return the cells of a row; ``start`` is where it begins in the text.

    >>> [cell.text for cell in cells_of("| Sales | 4 |")]
    ['Sales', '4']
    """
    found = []
    for match in _CELL.finditer(row):
        text = match[0]
        first = start + match.start() + len(text) - len(text.lstrip())
        found.append(Cell(text.strip(), first, first + len(text.strip())))
    return tuple(found)


def stated_tables(text: str) -> Iterator[StatedTable]:
    """Yield the tables of a section's text that have a header."""
    before: Line | None = None
    for is_row, group in groupby(lines_of(text), key=lambda line: line.row):
        lines = list(group)
        if is_row and (table := _table(lines, before)) is not None:
            yield table
        before = lines[-1]


def _table(lines: Sequence[Line], before: Line | None) -> StatedTable | None:
    rule = next((at for at, line in enumerate(lines) if is_rule(line.text)), 0)
    if not rule:
        return None
    captioned = before is not None and (is_caption(before) or is_table_caption(before))
    first = before.start if before is not None and captioned else lines[0].start
    columns = tuple(cell.text for cell in cells_of(lines[rule - 1].text))
    rows = tuple(
        TableRow(line.start, line.end, cells_of(line.text, line.start))
        for line in lines[rule + 1 :]
        if not is_rule(line.text)
    )
    return StatedTable((first, lines[rule].end), columns, rows)
