"""Tells running lines from text: by their words, their height, and whether numbers count up with the pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.notation.roman import from_roman

from .lines import UNREADABLE, TextLine

STEP = 4.0
SURE_PAGES = 4
NEARLY_ALL, USUAL = 0.8, 0.3
MIN_RUNNING = 0.5
"""Minimum share of the pages with a line at some height that have a running line there."""
_DIGITS = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
LONE_NUMBER = re.compile(
    r"[\[(\s–—|-]*(?:(?:page|seite|p\.|s\.)\s*)?(?:[A-Z]{1,2}[-–])?(\d{1,4}|[ivxlcdm]{1,7})"
    r"(?:\s*(?:/|of|von)\s*\d{1,4})?[\])\s–—|-]*",
    re.IGNORECASE,
)
_BARE_DECIMAL = re.compile(r"\d{1,3}(?:\.\d{1,3})+\.?")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(slots=True)
class RunningLines:
    """Counts on how many pages the shape, text and height of an edge row were seen."""

    pages: int
    shapes: Counter[tuple[str, str]] = field(default_factory=Counter)
    placed: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    exact: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    rows: Counter[tuple[str, int]] = field(default_factory=Counter)
    running: Counter[tuple[str, int]] = field(default_factory=Counter)
    ahead: Counter[int] = field(default_factory=Counter)
    looks: Counter[tuple[str, int, float, str, bool]] = field(default_factory=Counter)
    exactly: Counter[tuple[str, int, float, str, bool]] = field(default_factory=Counter)
    numbers: set[tuple[str, int, int, int]] = field(default_factory=set)

    @property
    def needed(self) -> int:
        return 2 if self.pages <= 4 else max(3, min(self.pages // 12, 6))

    def add(self, side: str, row: Sequence[TextLine]) -> None:
        """Count a row of one page."""
        for text in {shape(line.text) for line in row}:
            self.shapes[side, text] += 1
        for line in row:
            if (number := _lone_number(line.text)) is not None:
                self.ahead[number - line.page] += 1
                self.numbers |= {(side, step, line.page, number) for step in _steps(line)}
        for step in {step for line in row for step in _steps(line)}:
            self.rows[side, step] += 1
            for text in {shape(line.text) for line in row}:
                self.placed[side, text, step] += 1
            for text in {line.text for line in row}:
                self.exact[side, text, step] += 1

    def weigh(self, side: str, row: Sequence[TextLine]) -> None:
        """Count a row as running at its height if it is, once all rows are added."""
        again = [line for line in row if self._counts(side, line) or self._again(side, line)]
        if again:
            self.running.update((side, step) for step in {step for line in row for step in _steps(line)})
        words = [line for line in again if _LETTER.search(line.text)]
        self.looks.update({look for line in words for look in self._looks(side, line)})
        exact = [line for line in words if self._exact(side, line) >= 2]
        self.exactly.update({look for line in exact for look in self._looks(side, line)})

    def repeats(self, side: str, line: TextLine, *, apart: bool, first: bool, alone: bool) -> bool:
        """Return whether a line of an edge row is a running line; ``alone``: the only one of the row.

        Running lines stand at a height where most pages have one; at the height of the text, words repeat by chance.
        """
        if self.pages < 2:
            return False
        zone = any(self._is_zone(side, step) for step in _steps(line))
        number, text = _lone_number(line.text), shape(line.text)
        if number is not None:
            ahead = number - line.page
            counts = self.ahead[ahead] >= self.needed or (self.pages <= SURE_PAGES and ahead == 1)
            return apart and (zone or (alone and counts))
        exact = self._exact(side, line)
        if first and apart and self.pages > SURE_PAGES and self._looks_running(side, line):
            return True
        if _names_section(line.text) and exact < 2:
            return False  # "Anlage 4" at the top of its first page, as "Anlage 3" at the top of another
        if apart and self.shapes[side, text] >= max(self.needed, self.pages / 2):
            return True
        if not zone:
            return False
        if self._placed(side, line) >= self.needed:
            return apart or self.pages > SURE_PAGES
        return first and apart and exact >= 2  # names of chapters

    def _again(self, side: str, line: TextLine) -> bool:
        """Return whether the words of a line stand at its height on other pages too."""
        if _lone_number(line.text) is not None or not line.text.strip(f"{UNREADABLE} "):
            return False
        return self._placed(side, line) >= self.needed or self._exact(side, line) >= 2

    def _counts(self, side: str, line: TextLine) -> bool:
        """Return whether a line is a number that counts on with those at its height on the pages beside it."""
        number = _lone_number(line.text)
        if number is None:
            return False
        return any(
            (side, step, line.page + away, number + away) in self.numbers
            for step in _steps(line)
            for away in (-2, -1, 1, 2)
        )

    def _looks_running(self, side: str, line: TextLine) -> bool:
        """Return whether nearly all lines at this height run, in the same letters; the chapter may have one page.

        A line that names a section is a heading if none of the others is repeated word by word.
        """
        heading = _names_section(line.text)
        return any(
            self.looks[look] >= max(self.needed, NEARLY_ALL * self.rows[side, look[1]], USUAL * self.pages)
            and (not heading or self.exactly[look] >= MIN_RUNNING * self.looks[look])
            for look in self._looks(side, line)
        )

    @staticmethod
    def _looks(side: str, line: TextLine) -> list[tuple[str, int, float, str, bool]]:
        return [(side, step, line.size, line.font, line.bold) for step in _steps(line)]

    def _placed(self, side: str, line: TextLine) -> int:
        return max(self.placed[side, shape(line.text), step] for step in _steps(line))

    def _exact(self, side: str, line: TextLine) -> int:
        return max(self.exact[side, line.text, step] for step in _steps(line))

    def _is_zone(self, side: str, step: int) -> bool:
        """Return whether running lines stand at this height on most pages that have a line there."""
        return self.running[side, step] >= max(self.needed, MIN_RUNNING * self.rows[side, step])


def shape(text: str) -> str:
    """Return text with its numbers replaced, so that it is the same on every page."""
    return _BLANKS.sub(" ", _DIGITS.sub("#", text)).strip().casefold()


def _steps(line: TextLine) -> tuple[int, int]:
    """Return the heights at which a line is counted, so that two lines hardly apart share one."""
    step = round(line.base / STEP)
    return step, step + 1


def _lone_number(text: str) -> int | None:
    """Return the number of a line that may be a page's, or None."""
    found = LONE_NUMBER.fullmatch(text)
    if found is None:
        return None
    return int(found[1]) if found[1].isdigit() else from_roman(found[1])


def _names_section(text: str) -> bool:
    if _BARE_DECIMAL.fullmatch(text):
        return True
    numbered = split_number(text)
    return numbered.unit not in ("", "roman", "letter") and bool(numbered.number)
