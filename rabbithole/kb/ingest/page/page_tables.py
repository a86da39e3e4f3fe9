"""Reads tables as Markdown, but only where ruled lines suggest one, because finding tables is slow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rabbithole.kb.mupdf import pymupdf

from .image_rules import THIN
from .line_reader import TEXT_FLAGS
from .lines import LONGEST_REPEATED, Box, TextLine, clean

Word = tuple[float, float, float, float, str]
Rule = tuple[tuple[float, float], tuple[float, float]]
_FIGURES = re.compile(r"(?:[-−+±<>≤≥~]?[\d.,%×]*\d[\d.,%×]*\s?)+")
SHORTEST, OVERLAP = 4.0, 0.5
MIN_ROWS, MIN_COLUMNS = 2, 2
MAX_RULES = 1500
LEAST_APART, LONGEST_APART = 3, 40
"""Minimum number of rows found in one ruled row, and maximum number of characters of a line in them."""
_LEAST_LETTERS = 3
"""Minimum number of letters of a column heading; fewer may be a mark in a row."""


def suggests_table(boxes: Sequence[Box]) -> bool:
    """Return whether the boxes hold rules for a table: three level and three upright, or two rows of two cells."""
    if len(boxes) > MAX_RULES:
        return False
    cells = Counter(round(y0 / 3) for x0, y0, x1, y1 in boxes if x1 - x0 >= 20 and 8 <= y1 - y0 <= 120)
    return is_grid(boxes) or sum(count >= 2 for count in cells.values()) >= 2


def is_grid(boxes: Sequence[Box]) -> bool:
    """Return whether there are three level rules and three upright ones."""
    level = sum(1 for x0, y0, x1, y1 in boxes if x1 - x0 >= 30 and y1 - y0 <= THIN)
    upright = len({round(x0 / 4) for x0, y0, x1, y1 in boxes if y1 - y0 >= 8 and x1 - x0 <= THIN})
    return level >= 3 and upright >= 3


def with_tables(page: pymupdf.Page, number: int, lines: Sequence[TextLine], boxes: Sequence[Box]) -> list[TextLine]:
    """Return the lines of a page with those inside a table replaced by its rows, one Markdown line each.

    Rules that are drawn as thin boxes are looked at alone first, because the shading behind each line of a cell, and
    both edges of a thin box, would divide its rows and columns.
    """
    if is_grid(boxes):
        found = page.find_tables(strategy="lines_strict", add_lines=rules(boxes), use_layout=False).tables
        result = _replaced(page, number, lines, found, by_rules=True)
        low = bool(found) and all(table.row_count < MIN_ROWS for table in found)
        if low or any(line.verbatim for line in result):
            return result
    return _replaced(page, number, lines, page.find_tables(strategy="lines", use_layout=False).tables, by_rules=False)


def rules(boxes: Sequence[Box]) -> list[Rule]:
    """Return the middles of thin boxes, a little longer than they are, so that rules meet in corners."""
    found: list[Rule] = []
    for x0, y0, x1, y1 in boxes:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if y1 - y0 <= THIN and x1 - x0 >= SHORTEST:
            found.append(((x0 - OVERLAP, y), (x1 + OVERLAP, y)))
        elif x1 - x0 <= THIN and y1 - y0 >= SHORTEST:
            found.append(((x, y0 - OVERLAP), (x, y1 + OVERLAP)))
    return found


def _replaced(
    page: pymupdf.Page, number: int, lines: Sequence[TextLine], found: Sequence[Any], *, by_rules: bool
) -> list[TextLine]:
    """Return the lines with those inside the tables found replaced, as far as these hold the letters of the lines."""
    result = list(lines)
    words: list[Word] = [word[:5] for word in page.get_text("words", flags=TEXT_FLAGS)] if found else []
    for table in found:
        read = [[_cell(cell, words) for cell in row.cells] for row in table.rows]
        rows = [[" ".join(cell) for cell in row] for row in read]
        if not _is_table(rows) or (by_rules and is_stacked(read)):
            continue
        box = table.bbox
        inside = [line for line in result if _within(line, box)]
        letters = sum(len(line.text) for line in inside)
        filled = sum(len(cell) for row in rows for cell in row)
        if any(line.verbatim for line in inside) or not 0.8 * letters <= filled <= 1.2 * letters:
            continue  # inside another table, or words would be lost or duplicated
        result = [line for line in result if not _within(line, box)]
        complete = _with_merged([row.cells for row in table.rows], rows)
        every = [
            (row.bbox[1] + at, part)
            for row, cells, whole in zip(table.rows, read, complete, strict=True)
            if any(cells)
            for at, part in enumerate(apart(cells) or [whole])
        ]
        tops, rows = [top for top, _ in every], aligned([cells for _, cells in every])
        if continues_header(rows):
            rows = [[" ".join(filter(None, cells)) for cells in zip(*rows[:2], strict=True)], *rows[2:]]
            del tops[1]
        result += as_lines(rows, tops, box, number, inside[0])
    return result


def _with_merged(boxes: Sequence[Sequence[Box | None]], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows with each cell that covers several rows in all of them; not the heading, nor a long text."""
    whole = [list(row) for row in rows]
    above: dict[int, tuple[Box, str]] = {}  # column -> the last cell above, below the heading
    for index, row in enumerate(boxes):
        lowest = min((box for box in row if box is not None), key=lambda box: box[3] - box[1], default=(0.0,) * 4)
        middle = (lowest[1] + lowest[3]) / 2
        for column, box in enumerate(row):
            if box is not None and index > 0:
                above[column] = box, rows[index][column]
            elif box is None and column in above and above[column][0][3] > middle:
                text = above[column][1]
                whole[index][column] = text if len(text) <= LONGEST_REPEATED else ""
    return whole


def aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows of equal length, without empty columns, with each heading above its column.

    The lines of a shaded header are often offset from those of the rows below. This splits one column in two: one with
    words only in the first row or two, the next with words only in the rows below. Such columns are joined.
    """
    width = max((len(row) for row in rows), default=0)
    columns = [list(column) for column in zip(*([*row, *[""] * (width - len(row))] for row in rows), strict=True)]
    columns = [column for column in columns if any(column)]
    for heads in (1, 2):
        joined = columns[:1]
        for column in columns[1:]:
            if _complete(joined[-1], column, heads) or _complete(column, joined[-1], heads):
                joined[-1] = [one or other for one, other in zip(joined[-1], column, strict=True)]
            else:
                joined.append(column)
        columns = joined
    return [list(row) for row in zip(*columns, strict=True)]


def _complete(head: Sequence[str], rest: Sequence[str], heads: int) -> bool:
    """Return whether one column has only headings, which are words, and the other only the cells below them."""
    own = [cell for cell in head[:heads] if cell]
    words = bool(own) and all(sum(map(str.isalpha, cell)) >= _LEAST_LETTERS for cell in own)
    return words and not any(head[heads:]) and not any(rest[:heads]) and any(rest[heads:])


def continues_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second row continues headings of the first: a few words below them, nothing elsewhere."""
    if len(rows) <= MIN_ROWS or not rows[0][0] or rows[1][0]:
        return False
    below = [(head, cell) for head, cell in zip(rows[0], rows[1], strict=True) if cell]
    words = all(head and not any(map(str.isdigit, cell)) for head, cell in below)
    return words and 0 < len(below) <= len(rows[0]) / 2


def apart(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows that one ruled row holds, if no rules are drawn between them; [] if it is one row.

    ``cells``: the lines of each cell. All cells have as many lines, and those of the first are single words or numbers.
    """
    filled = [cell for cell in cells if cell]
    counts = {len(cell) for cell in filled}
    if len(filled) < MIN_COLUMNS or len(counts) != 1 or min(counts) < LEAST_APART:
        return []
    if any(" " in line for line in filled[0]) or any(len(line) > LONGEST_APART for cell in filled for line in cell):
        return []
    return [[cell[at] if cell else "" for cell in cells] for at in range(min(counts))]


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    columns = max((len(row) for row in rows), default=0)
    filled = sum(bool(cell) for row in rows for cell in row)
    return len(rows) >= MIN_ROWS and columns >= MIN_COLUMNS and filled >= max(4, 0.3 * columns * len(rows))


def is_stacked(rows: Sequence[Sequence[Sequence[str]]]) -> bool:
    """Return whether half of the rows have cells with several lines of figures: rows that nothing tells apart."""
    rows = [row for row in rows if any(row) and not apart(row)]
    stacked = sum(any(len(cell) > 1 and all(map(_FIGURES.fullmatch, cell)) for cell in row) for row in rows)
    return stacked > 0 and 2 * stacked >= len(rows) - 1


def _cell(box: Box | None, words: Sequence[Word]) -> list[str]:
    """Return the lines of the words whose middle lies in a cell; none for a cell covered by another."""
    if box is None:
        return []
    inside = [word for word in words if _holds(box, (word[0] + word[2]) / 2, (word[1] + word[3]) / 2)]
    inside.sort(key=lambda word: (round(word[3] / 4), word[0]))
    lines = groupby(inside, key=lambda word: round(word[3] / 4))
    return [" ".join(clean(word[4]) for word in line).replace("|", "\\|") for _, line in lines]


def _within(line: TextLine, box: Box) -> bool:
    return _holds(box, (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2)


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1


def as_lines(
    rows: Sequence[Sequence[str]], tops: Sequence[float], box: Box, number: int, like: TextLine
) -> list[TextLine]:
    ends = [*tops[1:], box[3]]
    lines: list[TextLine] = []
    for index, (row, top, end) in enumerate(zip(rows, tops, ends, strict=True)):
        lines.append(table_row("| " + " | ".join(row) + " |", top, max(end - 1, top + 1), box, number, like))
        if index == 0:
            rule = "|" + " --- |" * len(row)
            lines.append(table_row(rule, max(end - 1, top + 1), end, box, number, like))
    return lines


def table_row(text: str, top: float, end: float, box: Box, number: int, like: TextLine) -> TextLine:
    return TextLine(number, text, box[0], top, box[2], end, end, like.size, font=like.font, verbatim=True)
