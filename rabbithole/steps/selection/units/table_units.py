"""The units of a table: the whole table, its rows, or the rows below a heading inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rabbithole.steps.reasoning.text.markdown_tables import is_rule
from rabbithole.steps.reasoning.text.sentences import pieces

from .unit_lines import LEADS, LONGEST, WHOLE, Line, UnitSpan, is_caption, is_table_caption

_ONE_CELL = 2
"""Bars of a row with one cell."""


def table_units(lines: Sequence[Line], block: int, before: Line | None) -> Iterator[UnitSpan]:
    """Yield a short table whole, else each row with the table's head, or the rows below a heading inside it.

    ``before`` is the line above the table.
    """
    rule = next((index for index, line in enumerate(lines) if is_rule(line.text)), None)
    if rule is None and lines[-1].end - lines[0].start > LONGEST:
        for line in lines:
            yield UnitSpan(line.start, line.end, "table", block)
        return
    if rule is None or rule + 1 >= len(lines):
        yield UnitSpan(lines[0].start, lines[-1].end, "table", block)
        return
    if rule > 1:  # the text begins inside a table, and the rule stands below the first row of its next page
        yield from _rows([line for line in lines if not is_rule(line.text)], block, None, titled=True)
        return
    first = rule + 1
    while first + 1 < len(lines) and _empty_first_cell(lines[first]):
        first += 1  # the header continues over several rows
    head = (_table_start(lines[0], before), lines[first - 1].end)
    if lines[-1].end - head[0] <= WHOLE:
        yield UnitSpan(head[0], lines[-1].end, "table", block)
        return
    names = {line.text for line in lines[:first]}
    rows = [line for line in lines[first:] if line.text not in names]  # the header stands again on the next page
    titled = all(_filled(line) == 1 for line in lines[:first] if not is_rule(line.text))
    yield from _rows(rows, block, head, titled=titled)


def _rows(rows: Sequence[Line], block: int, head: tuple[int, int] | None, *, titled: bool) -> Iterator[UnitSpan]:
    """Yield rows with their head; ``titled``: it names no columns, so the heading above a row is the better head."""
    for above, below in _row_groups(rows):
        own = (above[0].start, above[-1].end) if above else None
        if own and below and below[-1].end - own[0] <= LONGEST:
            yield UnitSpan(own[0], below[-1].end, "table", block, head)
            continue
        for line in below or above:
            yield UnitSpan(line.start, line.end, "table", block, own if own and below and titled else head)


def _row_groups(rows: Sequence[Line]) -> Iterator[tuple[list[Line], list[Line]]]:
    """Yield the rows below each heading inside a table, which fills only the first cell, with this heading."""
    above: list[Line] = []
    below: list[Line] = []
    for line in rows:
        if line.text.count("|") > _ONE_CELL and _filled(line) == 1 and not _empty_first_cell(line):
            if below:
                yield above, below
                above, below = [], []
            above.append(line)
        else:
            below.append(line)
    if above or below:
        yield above, below


def _filled(line: Line) -> int:
    return sum(bool(cell.strip()) for cell in line.text.strip().strip("|").split("|"))


def _table_start(first: Line, before: Line | None) -> int:
    """Return where a table's head begins: at its caption, or at the sentence above it that ends in a colon."""
    if before is None or before.row:
        return first.start
    if is_caption(before) or is_table_caption(before):
        return before.start
    if LEADS.search(before.text):
        return before.start + list(pieces(before.text))[-1].start
    return first.start


def _empty_first_cell(line: Line) -> bool:
    return not line.text.strip().removeprefix("|").split("|", 1)[0].strip()
