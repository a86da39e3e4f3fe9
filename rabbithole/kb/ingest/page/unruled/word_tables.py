"""Reads tables of words between level rules, whose rows no rules part: with cells of several lines, or with a header.

Three rules of one width (above the header, below it and at the end) show where the table is; free space shows its
columns, and wider space between lines, or a filled first cell, where a row begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean, median
from typing import Final

from rabbithole.kb.ingest.page.image_rules import THIN
from rabbithole.kb.ingest.page.line_reader import TEXT_FLAGS
from rabbithole.kb.ingest.page.lines import Box, TextLine
from rabbithole.kb.ingest.page.page_tables import as_lines
from rabbithole.kb.mupdf import pymupdf

from .printed_rows import FIGURE, PrintedCell, PrintedRow, Word, printed_rows

_RULES, _WIDTH, _ALIKE = 3, 100.0, 3.0
"""Minimum number of rules of one width, minimum width of one, and maximum difference of two, in points."""
_GUTTER: Final = 5.0
_ROWS, _WRAPPED = 3, 2
"""Minimum number of rows, and of those with a cell of several lines in a table without a header."""
_HEADER: Final = 3
"""Maximum number of lines of a header."""
_SPACE, _FULL = 1.2, 0.75
"""How much wider than lines of a cell rows stand apart, and the share of its column a line fills before another."""
_LABEL: Final = 30
"""Maximum mean number of characters of a line in the first column: two columns of text are no table."""

_WORD, _LETTER = re.compile(r"\w"), re.compile(r"[^\W\d_]")
_MAY_WRAP = re.compile(r"\S\s+\S+\s+\S|[/,-]\Z")
"""A label of three words, or one that ends in a sign: the next line may go on with it."""
_COMPOUND = re.compile(r"(?<=[^\W\d_]-) (?=[A-ZÄÖÜ])")

Gap = tuple[float, float]
Entry = list[PrintedRow]


@dataclass(frozen=True, slots=True)
class WordTable:
    """Cells by row, the header first, where each row begins, and what they replace."""

    rows: tuple[tuple[str, ...], ...]
    tops: tuple[float, ...]
    lines: tuple[TextLine, ...]


def with_word_tables(
    page: pymupdf.Page, number: int, lines: Sequence[TextLine], boxes: Sequence[Box]
) -> list[TextLine]:
    """Return the lines of a page with those in such tables replaced by rows, one Markdown line each."""
    result = list(lines)
    words: list[Word] = []
    for rules in level_rules(boxes):
        plain = [line for line in result if not line.verbatim]
        spaces = [_between(plain, above, below) for above, below in pairwise(rules)]
        if not any(spaces):
            continue
        words = words or [word[:5] for word in page.get_text("words", flags=TEXT_FLAGS)]
        for table in word_tables([printed_rows(space, words) for space in spaces]):
            taken = set(table.lines)
            result = [line for line in result if line not in taken]
            bottom = max(line.y1 for line in table.lines)
            box = rules[0][0], table.tops[0], rules[0][2], bottom
            rows = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
            result += as_lines(rows, table.tops, box, number, table.lines[0])
    return result


def level_rules(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the level rules of one place and width from top to bottom, if there are enough of them for a table."""
    groups: list[list[Box]] = []
    for box in sorted((box for box in boxes if box[3] - box[1] <= THIN), key=lambda box: box[1]):
        if box[2] - box[0] < _WIDTH:
            continue
        for group in groups:
            if abs(group[0][0] - box[0]) <= _ALIKE and abs(group[0][2] - box[2]) <= _ALIKE:
                if box[1] - group[-1][1] > _ALIKE:  # both edges of a thick rule
                    group.append(box)
                break
        else:
            groups.append([box])
    return [group for group in groups if len(group) >= _RULES]


def word_tables(spaces: Sequence[Sequence[PrintedRow]]) -> list[WordTable]:
    """Return the tables among the rows as printed in each space between two rules."""
    tables: list[WordTable] = []
    chain: list[Sequence[PrintedRow]] = []
    shared: list[Gap] = []
    for space in [*spaces, ()]:
        own = _gutters(space)
        common = _both(shared, own) if chain else own
        if space and common and (not chain or len(own) <= len(shared) == len(common)):
            chain.append(space)
            shared = common
            continue
        if chain and (table := _table(chain, shared)):
            tables.append(table)
        chain, shared = ([space], own) if own else ([], [])
    return tables


def _between(lines: Sequence[TextLine], above: Box, below: Box) -> list[TextLine]:
    return [
        line
        for line in lines
        if above[1] <= (line.y0 + line.y1) / 2 <= below[1]
        and line.x0 >= above[0] - _ALIKE
        and line.x1 <= above[2] + _ALIKE
    ]


def _gutters(rows: Sequence[PrintedRow]) -> list[Gap]:
    """Return the spaces between columns, which no cell covers."""
    gaps: list[Gap] = []
    edge: float | None = None
    for cell in sorted((cell for row in rows for cell in row.cells), key=lambda cell: cell.x0):
        if edge is not None and cell.x0 - edge >= _GUTTER:
            gaps.append((edge, cell.x0))
        edge = cell.x1 if edge is None else max(edge, cell.x1)
    return gaps


def _both(one: Sequence[Gap], other: Sequence[Gap]) -> list[Gap]:
    shared = [(max(a[0], b[0]), min(a[1], b[1])) for a in one for b in other]
    return [gap for gap in shared if gap[1] - gap[0] >= _GUTTER]


def _table(chain: Sequence[Sequence[PrintedRow]], gutters: Sequence[Gap]) -> WordTable | None:
    """Return the table in consecutive spaces with the same columns; None if they are no table, or its rows unsure."""
    header = list(chain[0]) if len(chain) > 1 and len(chain[0]) <= _HEADER else []
    entries: list[Entry] = []
    for space in chain[1:] if header else chain:
        found = _entries(space, gutters)
        if not found:
            return None
        entries += found
    wrapped = sum(len(entry) > 1 for entry in entries)
    labels = _texts(entries, 0, gutters)
    if len(entries) < _ROWS or not (wrapped >= _WRAPPED or _is_headed(header, gutters)):
        return None
    if mean(map(len, labels)) > _LABEL:
        return None
    if not any(_WORD.search(label) for label in labels) or all(map(FIGURE.fullmatch, _texts(entries, -1, gutters))):
        return None  # the signs of a list, or the pages of a table of contents
    top = header or entries[0]
    return WordTable(
        tuple(_cells(entry, gutters) for entry in (header, *entries)),
        (top[0].y0 - (0 if header else 2), *(entry[0].y0 for entry in entries)),
        tuple(line for entry in (header, *entries) for row in entry for line in row.lines),
    )


def _is_headed(header: Entry, gutters: Sequence[Gap]) -> bool:
    """Return whether each column has a short heading with a letter; a listing of a program between rules has none."""
    cells = _cells(header, gutters) if header else ()
    return bool(cells) and all(_LETTER.search(cell) and len(cell) <= _LABEL for cell in cells)


def _entries(rows: Sequence[PrintedRow], gutters: Sequence[Gap]) -> list[Entry]:
    """Return the printed rows of each row of the table; [] if it is not sure where they begin."""
    distances = [below.y0 - above.y0 for above, below in pairwise(rows)]
    least = min(distances, default=0.0)
    if least < 0.0:  # lines of two sizes beside one another
        return []
    pitch = median(distance for distance in distances if distance <= _SPACE * least) if distances else 0.0
    apart = [distance > _SPACE * pitch for distance in distances]
    entries = [[rows[0]]]
    for row, space in zip(rows[1:], apart, strict=True):
        above = entries[-1][-1]
        labelled = not any(apart) and bool(_column(row, 0, gutters))
        if (
            labelled
            and _goes_on(above, row, 0, rows, gutters)
            and _MAY_WRAP.search(_column(above, 0, gutters)[-1].text)
        ):
            return []
        if space or labelled:
            entries.append([row])
        elif any(_goes_on(above, row, column, rows, gutters) for column in range(len(gutters) + 1)):
            entries[-1].append(row)
        else:
            return []
    return entries if all(_column(entry[0], 0, gutters) for entry in entries) else []


def _goes_on(
    above: PrintedRow, row: PrintedRow, column: int, rows: Sequence[PrintedRow], gutters: Sequence[Gap]
) -> bool:
    """Return whether a line may go on with the cell above it, which has no more room in its column."""
    before, after = _column(above, column, gutters), _column(row, column, gutters)
    if not before or not after:
        return False
    cells = [cell for each in rows for cell in _column(each, column, gutters)]
    left, right = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
    return before[-1].x1 - left >= _FULL * (right - left)


def _texts(entries: Sequence[Entry], column: int, gutters: Sequence[Gap]) -> list[str]:
    at = column % (len(gutters) + 1)
    return [cell.text for entry in entries for row in entry for cell in _column(row, at, gutters)]


def _column(row: PrintedRow, column: int, gutters: Sequence[Gap]) -> list[PrintedCell]:
    low = gutters[column - 1][0] if column else float("-inf")
    high = gutters[column][1] if column < len(gutters) else float("inf")
    return [cell for cell in row.cells if low <= cell.x0 and cell.x1 <= high]


def _cells(entry: Sequence[PrintedRow], gutters: Sequence[Gap]) -> tuple[str, ...]:
    columns = range(len(gutters) + 1)
    texts = (" ".join(cell.text for row in entry for cell in _column(row, at, gutters)) for at in columns)
    return tuple(_COMPOUND.sub("", text) for text in texts)
