"""Rows and cells of a page as they are printed: what stands on one baseline, divided at wide spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rabbithole.kb.ingest.page.lines import TextLine, clean
from rabbithole.kb.ingest.page.reading_order import rows_of

Word = tuple[float, float, float, float, str]
WIDE, APART = 0.8, 0.5
"""Width of a space between cells, in font sizes, inside a line of MuPDF and between two; words of a cell are closer."""
_LEVEL = 0.5
"""Maximum distance of the baselines of a row, in font sizes."""
_CURRENCY = re.compile(r"(?:US|CA|A|HK)?[$€£¥]|EUR|USD|CHF|T€|TEUR")
_SUFFIX = re.compile(r"[)%]|\)\s?%|\)?\s?(?:bps|pts|pp)")
_MINUS = r"[-—–−]"
_NUMBER = rf"(?:[(±+]|{_MINUS})?\s?\d(?:[\d.,'’]|\s(?=\d{{3}}(?!\d)))*\s?\)?"
_UNIT = r"%|bps|pts|pp|x|€|EUR"
_KINDS = (
    rf"(?:{_CURRENCY.pattern})?\s?(?:\(|{_MINUS})?\s?(?:{_CURRENCY.pattern})?\s?{_NUMBER}(?:\s?(?:{_UNIT}))?\s?\)?\s?[*†‡⁰¹²³⁴-⁹⁽⁾]*",
    r"\(?\d{1,2}\)?(?:,\s?\(?\d{1,2}\)?)+|\[\d[\d., ]*\]",  # the numbers of notes
    r"(?:Note|Anm\.|Ziffer|Tz\.)\s?\d{1,2}",
    rf"(?:(?:{_CURRENCY.pattern})\s?)?{_MINUS}+\s?%?",  # nothing
    r"n/?[am]|N/?[AM]|n\.\s?[am]\.|k\.\s?A\.",
)
FIGURE = re.compile("|".join(_KINDS))
_LEADERS = re.compile(r"\s*(?:\.\s?|…\s?|_){3,}\s*\Z")
_SPACED = re.compile(r"\s+(?=\))|(?<=\()\s+|(?<=[$€£¥])\s+(?=[\d(])")


@dataclass(frozen=True, slots=True)
class PrintedCell:
    text: str
    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def is_figure(self) -> bool:
        return FIGURE.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """What stands on one baseline; ``cells`` from left to right."""

    lines: tuple[TextLine, ...]
    cells: tuple[PrintedCell, ...]

    @property
    def y0(self) -> float:
        return min(line.y0 for line in self.lines)

    @property
    def y1(self) -> float:
        return max(line.y1 for line in self.lines)

    @property
    def size(self) -> float:
        return max(self.lines, key=lambda line: len(line.text)).size

    @property
    def is_level(self) -> bool:
        """Whether all of it has one baseline: lines printed closely may be taken for one row."""
        bases = [line.base for line in self.lines]
        return max(bases) - min(bases) <= _LEVEL * self.size

    @property
    def figures(self) -> tuple[PrintedCell, ...]:
        """The cells after the first, if all of them are figures; else none."""
        rest = self.cells[1:]
        return rest if rest and self.is_level and all(cell.is_figure for cell in rest) else ()


def printed_rows(lines: Sequence[TextLine], words: Sequence[Word]) -> list[PrintedRow]:
    """Return the rows of a page from top to bottom; ``words`` divide lines that have several cells."""
    return [PrintedRow(tuple(row), _cells(row, words)) for row in rows_of(lines)]


def _cells(lines: Sequence[TextLine], words: Sequence[Word]) -> tuple[PrintedCell, ...]:
    pieces = sorted((piece for line in lines for piece in _pieces(line, words)), key=lambda cell: cell.x0)
    size = max(line.size for line in lines)
    joined: list[PrintedCell] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is None:
            joined.append(piece)
        elif _SUFFIX.fullmatch(piece.text) and last.is_figure:
            joined[-1] = PrintedCell(last.text + piece.text, last.x0, piece.x1)
        elif _CURRENCY.fullmatch(last.text) and piece.is_figure:
            joined[-1] = PrintedCell(f"{last.text} {piece.text}", last.x0, piece.x1)
        elif piece.x0 - last.x1 <= APART * size and not (piece.is_figure and _ends_cell(last)):
            joined[-1] = PrintedCell(f"{last.text} {piece.text}", last.x0, max(last.x1, piece.x1))
        else:
            joined.append(piece)
    return tuple(replace(cell, text=_plain(cell.text)) for cell in joined)


def _ends_cell(cell: PrintedCell) -> bool:
    """Return whether a figure after this cell is a cell of its own, however near: after a figure, and after leaders."""
    return cell.is_figure or _LEADERS.search(cell.text) is not None


def _plain(text: str) -> str:
    """Return the text of a cell without leaders, and without the blanks that the cells of a sign left.

    >>> _plain("(71.4 )"), _plain("Net sales .......")
    ('(71.4)', 'Net sales')
    """
    short = _LEADERS.sub("", text).strip()
    return _SPACED.sub("", short) if FIGURE.fullmatch(short) else short


def _pieces(line: TextLine, words: Sequence[Word]) -> list[PrintedCell]:
    """Return the cells of one line."""
    if line.cells == 1 and "  " not in line.text:
        return [PrintedCell(line.text, line.x0, line.x1)]
    inside = sorted(
        (word for word in words if line.x0 - 1 <= (word[0] + word[2]) / 2 <= line.x1 + 1 and _on(word, line)),
        key=lambda word: word[0],
    )
    found: list[PrintedCell] = []
    for x0, _, x1, _, text in inside:
        if found and x0 - found[-1].x1 <= WIDE * line.size:
            found[-1] = PrintedCell(f"{found[-1].text} {clean(text)}", found[-1].x0, x1)
        else:
            found.append(PrintedCell(clean(text), x0, x1))
    return found or [PrintedCell(line.text, line.x0, line.x1)]


def _on(word: Word, line: TextLine) -> bool:
    return line.y0 - 1 <= (word[1] + word[3]) / 2 <= line.y1 + 1
