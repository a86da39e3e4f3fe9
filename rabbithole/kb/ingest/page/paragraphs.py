"""Assembles lines into the canonical text: one line for each paragraph, list item or heading, without hyphenation."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from rabbithole.kb.notation.captions import TABLE_CAPTION
from rabbithole.kb.notation.months import GERMAN_MONTH

from .hyphenation import Hyphens
from .lines import UNREADABLE, TextLine

ENUMERATOR = re.compile(
    r"(?:\(\d{1,3}[a-z]?\)|\d{1,3}[a-z]?\.|\d{1,2}[a-z]?\)|[a-z]{1,2}\)|\([a-z]{1,3}\)|\([ivx]{1,5}\)|[•▪●○◦■*–—o-]|\[[^\]]{1,24}\])\s"
)
_STRONG = re.compile(r"(?:\(\d{1,3}[a-z]?\)|[•▪●○◦■]|[a-z]{1,2}\))\s")
_ORDINAL = re.compile(rf"\d{{1,2}}\.\s+(?:{GERMAN_MONTH}|Halbsatz|Kategorie)")
_TERMINAL = re.compile(r"[.:;!?…][\"'”“’)\]»⁰¹²³⁴⁵⁶⁷⁸⁹]*$")
_UNFINISHED = re.compile(
    r"(?<!\w)(?:bzw|vgl|sog|inkl|ggf|z\.\s?B|d\.\s?h|u\.\s?a|Nr|Abs|Art|e\.\s?g|i\.\s?e|cf|vs|approx|Fig|Eq|Sec|Dr|Prof)\.$"
)
"""Abbreviations that end no sentence."""
_BEFORE_ITEM = re.compile(r"(?:[.:;,)]|\b(?:und|oder|and|or|sowie|bis))[\"'”“’)\]⁰-⁹]*$")
_NOTE_NUMBER = re.compile(r"[⁰¹²³⁴-⁹]{1,3}\s?[^\W\d_]")
_LETTERED = re.compile(r"(?P<letter>[a-z])\.\s+(?=[(\"“A-ZÄÖÜ][^\W\d_])")
"""The letter of an item, 'h. The board', but not 'i. V. m.'."""
_CODED = re.compile(r"[+(]?\d[\d ()/.+-]* [^\W\d_]")
"""A code with a name, apart from it: the rows of a list of codes."""
_SIGN = re.compile(r"[–—*-]\s")
_JUSTIFIED = 2.0
"""Points by which the ends of the lines of a justified column differ."""
_MOST, _FEW = 0.5, 4
_FURTHER = 1.3
"""Maximum distance, in pitches, of a line that goes on with a sentence: raised letters push it down."""
_BLANKS = re.compile(r" {2,}")
_UNREADABLE = re.compile(rf"{UNREADABLE}(?:\s?{UNREADABLE})+")
_AFTER_SIGN = re.compile(r"(?:\.\s?){4,}[^\W\d_][^.]{0,60}")
_CODE = re.compile(r"[$#%>]\s|[\w./-]{1,30}\s?[:=]\s\S|[{}<]|//|/\*|.*[;{}\\]$")
"""A line of a program, a session or a file of settings: '$ kinit user', 'version: 1.2', 'int i = 0;'."""
_FIGURE = re.compile(r"(?:figure|fig|abbildung|abb|diagram|diagramm)\.?\s*\d", re.IGNORECASE)
_DIAGRAM = re.compile(r"\S {3,}\S|[|+][-=+|]{2,}|^[|+].*[|+]$|[─│┌┐└┘├┤]")


@dataclass(frozen=True, slots=True)
class Assembled:
    """The text, with the offset of every line and every page in it."""

    text: str
    line_starts: tuple[int, ...]
    page_starts: tuple[int, ...]


def line_pitches(lines: Sequence[TextLine]) -> dict[float, float]:
    """Return the line spacing within paragraphs by font size: the smallest distance that is common."""
    counts: dict[float, Counter[float]] = {}
    for before, line in itertools.pairwise(lines):
        distance = line.base - before.base
        together = before.page == line.page and before.column == line.column and before.size == line.size
        together = together and not (before.verbatim or line.verbatim)
        if together and 0.7 * line.size <= distance <= 2.2 * line.size:
            counts.setdefault(line.size, Counter())[round(distance * 2) / 2] += 1
    pitches: dict[float, float] = {}
    for size, found in counts.items():
        common = min(0.12 * found.total(), max(found.values()))
        pitches[size] = min(distance for distance, count in found.items() if count >= common)
    return pitches


class Edges:
    """The right edges of the columns: where most lines of a justified column end, else the end of its longest line.

    A caption or a title over both columns is wider than the column that it is read with, and has that column's widest
    line as its edge. Text that is flush right has no edge of its own.
    """

    def __init__(self, lines: Sequence[TextLine]) -> None:
        columns: dict[tuple[int, int], list[TextLine]] = {}
        for line in lines:
            columns.setdefault((line.page, line.column), []).append(line)
        self._common = {key: _justified(found) for key, found in columns.items()}
        self._longest = {key: max(line.x1 for line in found) for key, found in columns.items()}

    def of(self, line: TextLine) -> float:
        """Return the edge that a line would reach if it were full."""
        place = (line.page, line.column)
        common = self._common[place]
        return common if common is not None and line.x1 <= common else self._longest[place]


def _justified(column: Sequence[TextLine]) -> float | None:
    """Return where most lines of a column end, give or take; None if they do not begin and end at the same places."""
    left = Counter(round(line.x0) for line in column).most_common(1)[0][0]
    right = Counter(round(line.x1) for line in column).most_common(1)[0][0]
    full = sum(abs(one.x1 - right) <= _JUSTIFIED for one in column)
    flush = sum(abs(one.x0 - left) <= _JUSTIFIED for one in column)
    return right + _JUSTIFIED if min(full, flush) > max(_FEW, _MOST * len(column)) else None


def _explains_sign(before: TextLine, line: TextLine) -> bool:
    """Return whether a line explains a sign that is drawn before its dots, below a caption or another such line."""
    if not _AFTER_SIGN.fullmatch(line.text) or line.page != before.page or line.column != before.column:
        return False
    return bool(_FIGURE.match(before.text) or _AFTER_SIGN.fullmatch(before.text))


def _next_item(before: TextLine, line: TextLine) -> bool:
    """Return whether a line begins the item after that of ``before``: '– b' directly below '– a', 'h.' below 'g.'.

    Below an item of several lines, 'h.' stands to the left of its last line, which ends like an item.
    """
    if before.page != line.page or before.column != line.column:
        return False
    aligned = abs(line.x0 - before.x0) < 0.3 * line.size
    if _SIGN.match(line.text):
        return aligned and before.text[:2] == line.text[:2]
    letter, above = _LETTERED.match(line.text), _LETTERED.match(before.text)
    if letter is None:
        return False
    follows = above is not None and ord(letter["letter"]) == ord(above["letter"]) + 1
    hangs = line.x0 < before.x0 - 0.5 * line.size and _BEFORE_ITEM.search(before.text) is not None
    return (aligned and follows) or hangs


def begins_paragraph(before: TextLine, line: TextLine, pitch: float, edge: float) -> bool:
    """Return whether ``line`` starts a new paragraph; ``edge`` is the right edge of the column of ``before``."""
    if line.verbatim or before.verbatim or line.side or before.side or line.note != before.note:
        return True
    if line.note and _NOTE_NUMBER.match(line.text):
        return True
    if _explains_sign(before, line):
        return False
    if min(before.column, line.column) < 0 and before.column != line.column:
        return True
    if line.mono and before.mono and (_DIAGRAM.search(line.text) or _DIAGRAM.search(before.text)):
        return True
    if abs(before.size - line.size) > 0.15 * max(before.size, line.size):
        return True
    ends = bool(_TERMINAL.search(before.text)) and not _UNFINISHED.search(before.text)
    hyphen = before.text.endswith(("-", "\u00ad")) and not before.text.endswith(" -")
    here = before.page == line.page and before.column == line.column
    if not here and TABLE_CAPTION.match(line.text):
        return True
    if _STRONG.match(line.text) and not hyphen:
        return True
    if _CODED.match(before.text) and _CODED.match(line.text) and min(before.cells, line.cells) > 1:
        return True
    if _next_item(before, line):
        return True
    if ENUMERATOR.match(line.text) and _BEFORE_ITEM.search(before.text) and not _ORDINAL.match(line.text):
        return True
    small = line.text[:1].islower() and not _LETTERED.match(line.text)
    reads_on = small and not ends
    if here and line.base < before.base - line.size:  # what a program prints, beside it
        return True
    if here and line.base - before.base > (_FURTHER if reads_on else 1.1) * pitch + 0.3 and not hyphen:
        return True
    if before.bold != line.bold and here and not hyphen and line.text[:1].isupper():
        return True
    first = line.text.split(" ", 1)[0]
    room = edge - before.x1
    width = (line.x1 - line.x0) / max(len(line.text), 1)
    short = room > (len(first) + 2) * width + 0.08 * (edge - before.x0)
    if hyphen:
        return False
    if here and short and line.mono and before.mono and (_CODE.match(line.text) or _CODE.match(before.text)):
        return True
    if not here:
        return ends or (short and not small)
    if short and ends:
        return True
    if short and not small and room > 0.35 * (edge - before.x0):
        return True
    indented = line.x0 - before.x0 > 0.8 * line.size
    return indented and ends


def assemble(
    lines: Sequence[TextLine], pages: int, starts: Set[int], hyphens: Hyphens, *, glued: Set[int] = frozenset()
) -> Assembled:
    """Return the assembled text.

    ``starts`` are indexes of lines that always start a paragraph (headings and the lines after them), ``glued`` those
    that always continue the line before (further lines of a heading).
    """
    pitches = line_pitches(lines)
    edges = Edges(lines)
    parts: list[str] = []
    length = 0
    line_starts: list[int] = []
    page_starts: list[int] = []
    before: TextLine | None = None
    for index, line in enumerate(lines):
        text = line.text if line.verbatim else _BLANKS.sub(" ", _UNREADABLE.sub(UNREADABLE, line.text))
        if line.mono and _DIAGRAM.search(line.text):
            text = line.text
        if line.verbatim and text.startswith("| "):
            text = hyphens.within(text)
        separator = "\n"
        if before is None:
            separator = ""
        elif index not in starts:
            pitch = pitches.get(line.size, 1.25 * line.size)
            if index in glued or not begins_paragraph(before, line, pitch, edges.of(before)):
                last = parts.pop()
                length -= len(last)
                last, separator = hyphens.join(last, text, typewritten=before.mono)
                parts.append(last)
                length += len(last)
        offset = length + len(separator)
        # a word that runs over the end of a page belongs to the page on which it begins
        while len(page_starts) <= line.page:
            page_starts.append(offset)
        parts.append(separator)
        parts.append(text)
        length = offset + len(text)
        line_starts.append(offset)
        before = line
    page_starts += [length] * (pages - len(page_starts))
    return Assembled("".join(parts), tuple(line_starts), tuple(page_starts))
