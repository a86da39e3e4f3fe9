"""The header of a table of figures without rules: what stands above its columns, one text for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .printed_rows import PrintedCell, PrintedRow

_YEAR = re.compile(r"(?:\D|\A)(?:19|20)\d\d(?:\D|\Z)")
_BARE_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST, _SHORT = 60, 20
"""Maximum number of characters of a cell of a header, and of a text above the labels that may be a unit."""
_MOST_ROWS: Final = 5
_NEAR: Final = 3.0
_LABELS: Final = 4
"""Maximum number of headings inside the table between its header and its first figures."""
_CENTRED: Final = 0.12
_LETTER = re.compile(r"[^\W\d_]")
_UNIT = re.compile(r"\(?(?:in|dollars in|amounts in|alle angaben in|angaben in)\b.*", re.IGNORECASE)


class Columns:
    """The columns of a table: intervals that its figures stand in, wider with each row."""

    def __init__(self, spans: Sequence[tuple[float, float]]) -> None:
        self._spans = sorted(spans)

    def __len__(self) -> int:
        return len(self._spans)

    @property
    def left(self) -> float:
        return self._spans[0][0]

    @property
    def right(self) -> float:
        return self._spans[-1][1]

    @property
    def rights(self) -> list[float]:
        return [high for _, high in self._spans]

    @property
    def pitch(self) -> float:
        """The distance between the right edges of two columns."""
        return (self.right - self._spans[0][1]) / max(len(self) - 1, 1)

    @property
    def middles(self) -> list[float]:
        return [(low + high) / 2 for low, high in self._spans]

    def index(self, cell: PrintedCell) -> int:
        """Return the column that a figure shares most of its width with."""
        return max(range(len(self)), key=lambda at: self._shared(at, cell))

    def take(self, figures: Sequence[PrintedCell]) -> bool:
        """Add the figures of a row; False if two of them stand in one column, or one stands in two."""
        places: list[int | None] = []
        for cell in figures:
            touched = [at for at in range(len(self)) if self._shared(at, cell) > 0]
            if len(touched) > 1:
                return False
            places.append(touched[0] if touched else None)
        known = [place for place in places if place is not None]
        if len(set(known)) < len(known) or not known:
            return False
        for cell, place in zip(figures, places, strict=True):
            if place is not None:
                low, high = self._spans[place]
                self._spans[place] = (min(low, cell.x0), max(high, cell.x1))
        self._spans = sorted(
            [
                *self._spans,
                *((cell.x0, cell.x1) for cell, place in zip(figures, places, strict=True) if place is None),
            ]
        )
        return True

    def shares(self, at: int, cell: PrintedCell) -> bool:
        """Return whether a text stands above a column."""
        return self._shared(at, cell) > 0

    def _shared(self, at: int, cell: PrintedCell) -> float:
        low, high = self._spans[at]
        return min(high, cell.x1) - max(low, cell.x0)


@dataclass(frozen=True, slots=True)
class Header:
    """``columns``: the text above the labels and above each column, () if there is none. ``labels``: headings inside
    the table above its first figures."""

    columns: tuple[str, ...] = ()
    rows: tuple[PrintedRow, ...] = ()
    labels: tuple[PrintedRow, ...] = ()


def is_header_of_years(row: PrintedRow, left: float, *, first: bool = False) -> bool:
    """Return whether a row has years or dates only, and no label but a unit; the ``first`` of a table any short one."""
    head, *rest = row.cells
    labelled = head.x0 <= left + 2 * row.size
    cells = rest if labelled else list(row.cells)
    if not cells or not all(_YEAR.search(cell.text) and len(cell.text) <= _LONGEST for cell in cells):
        return False
    short = first and len(head.text) <= _SHORT and all(_BARE_YEAR.fullmatch(cell.text) for cell in cells)
    return not labelled or short or not _LETTER.search(head.text) or _UNIT.match(head.text) is not None


def header_rows(above: Sequence[PrintedRow], first: PrintedRow, columns: Columns, left: float) -> Header:
    """Return the header of a table whose first row of figures is ``first``; ``above`` are the rows above it."""
    found: list[PrintedRow] = []
    labels: list[PrintedRow] = []
    below = first
    covered: set[int] = set()
    for row in reversed(above):
        if (below.y0 - row.y0) > _NEAR * max(row.size, below.size) or len(found) == _MOST_ROWS:
            break
        if _is_header(row, columns) and not (len(covered) == len(columns) and _is_title(row, columns)):
            found.insert(0, row)
            covered |= {at for at, _ in _assigned(row, columns) if at}
        elif not found and len(labels) < _LABELS and len(row.cells) == 1 and row.cells[0].x0 < left + 3 * row.size:
            labels.insert(0, row)
        else:
            break
        below = row
    if not found:
        return Header()
    texts = [""] * (len(columns) + 1)
    for row in found:
        whole = row is not found[-1] or len(_heads(row, columns)) in (1, len(columns))
        for at, text in _assigned(row, columns) if whole else _parted(row, columns):
            texts[at] = f"{texts[at]} {text}".strip()
    return Header(tuple(texts), tuple(found), tuple(labels))


def _is_title(row: PrintedRow, columns: Columns) -> bool:
    """Return whether a row has one text that stands in the middle of the page, not of the columns."""
    return len(row.cells) == 1 and not _above_all(row.cells[0], columns)


def _above_all(cell: PrintedCell, columns: Columns) -> bool:
    """Return whether a text stands above the middle of all columns."""
    middles = columns.middles
    near = max(_CENTRED * (columns.right - columns.left), 0.4 * columns.pitch)
    return abs(cell.middle - (middles[0] + middles[-1]) / 2) <= near


def _is_header(row: PrintedRow, columns: Columns) -> bool:
    """Return whether the cells of a row stand above the columns of figures, but for one above the labels."""
    if any(len(cell.text) > _LONGEST for cell in row.cells):
        return False
    heads = _heads(row, columns)
    reach = 0.75 * columns.pitch
    if not heads or len(row.cells) - len(heads) > 1 or len(heads) > len(columns):
        return False
    if any(_is_figures(cell.text) and not _YEAR.search(cell.text) for cell in heads):
        return False
    if len(heads) == len(columns) and all(columns.shares(at, cell) for at, cell in enumerate(heads)):
        return True
    return all(columns.left - reach <= cell.x0 and cell.x1 <= columns.right + reach for cell in heads)


def _heads(row: PrintedRow, columns: Columns) -> list[PrintedCell]:
    """Return the cells of a row that are not above the labels; figures may stand far right of a narrow year."""
    heads = [cell for cell in row.cells if not _above_labels(cell, columns)]
    every_year = len(row.cells) == len(columns) and all(_YEAR.search(cell.text) for cell in row.cells)
    return list(row.cells) if every_year else heads


def _is_figures(text: str) -> bool:
    return not _LETTER.search(text) and any(map(str.isdigit, text))


def _above_labels(cell: PrintedCell, columns: Columns) -> bool:
    return cell.middle < columns.left - 0.1 * columns.pitch and not columns.shares(0, cell)


def _assigned(row: PrintedRow, columns: Columns) -> list[tuple[int, str]]:
    """Return the texts of a header's row with their columns: 0 is that of the labels. One text may be above several."""
    heads = _heads(row, columns)
    labels = [cell for cell in row.cells if cell not in heads]
    found = [(0, cell.text) for cell in labels]
    if len(heads) == len(columns):
        return found + [(1 + at, cell.text) for at, cell in enumerate(heads)]
    middles = columns.middles
    if len(heads) == 1 and _above_all(heads[0], columns):
        return found + [(1 + at, heads[0].text) for at in range(len(columns))]
    if len(columns) % len(heads) == 0 and len(heads) > 1 and _evenly(heads, middles):
        share = len(columns) // len(heads)
        return found + [(1 + at, heads[at // share].text) for at in range(len(columns))]
    for cell in heads:
        nearest = min(range(len(middles)), key=lambda at: abs(middles[at] - cell.middle))
        found.append((1 + nearest, cell.text))
    return found


def _parted(row: PrintedRow, columns: Columns) -> list[tuple[int, str]]:
    """Return the texts of the lowest row of a header, those printed without a gap parted where columns end."""
    heads: list[PrintedCell] = []
    for cell in _heads(row, columns):
        ends = [right for right in columns.rights if cell.x0 < right < cell.x1 - row.size]
        heads += _split(cell, ends)
    parted = PrintedRow(row.lines, (*(cell for cell in row.cells if cell not in _heads(row, columns)), *heads))
    return _assigned(parted if len(heads) == len(columns) else row, columns)


def _split(cell: PrintedCell, ends: Sequence[float]) -> list[PrintedCell]:
    """Return a cell in parts, whose words end at most at these places; words are as wide as they have letters."""
    letter = (cell.x1 - cell.x0) / max(len(cell.text), 1)
    parts: dict[int, PrintedCell] = {}
    for word in re.finditer(r"\S+", cell.text):
        x0, x1 = cell.x0 + word.start() * letter, cell.x0 + word.end() * letter
        at = sum((x0 + x1) / 2 > end for end in ends)
        before = parts.get(at)
        parts[at] = PrintedCell(f"{before.text} {word[0]}" if before else word[0], before.x0 if before else x0, x1)
    return [parts[at] for at in sorted(parts)]


def _evenly(heads: Sequence[PrintedCell], middles: Sequence[float]) -> bool:
    """Return whether each head stands above the middle of as many columns as any other."""
    share = len(middles) // len(heads)
    groups = [middles[at * share : (at + 1) * share] for at in range(len(heads))]
    return all(group[0] - 20 <= cell.middle <= group[-1] + 20 for cell, group in zip(heads, groups, strict=True))
