"""Finds where the headings of bookmarks are printed: candidates by their words, chosen together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from rapidfuzz import fuzz

from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.ingest.page.body_font import Style
from rabbithole.kb.ingest.page.lines import TextLine

from .lookalikes import is_row_of_cells

MAX_HEADING_LINES = 8
MIN_SIMILARITY = 90.0
MIN_FUZZY = 12
CUT_OFF = 50
START = 4
NEAR = 45.0
MAX_CANDIDATES = 12
SURE = 5.0
_LETTERS = re.compile(r"[^\w§]|_")
_DATE = re.compile(r"\(\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\)")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A bookmark. ``page`` counts from 0; ``y`` is the target's height in points, if the PDF gives one.

    Producers count heights from the top or from the bottom; the reading that leads to headings is used.
    """

    level: int
    title: str
    page: int
    y: float | None = None


@dataclass(frozen=True, slots=True)
class HeadingCandidate:
    """Lines that may be a bookmark's heading, with a score for how well they fit."""

    index: int
    lines: int
    score: float


def letters(text: str) -> str:
    """Return only letters, digits and §, case folded, for comparing a bookmark with its printed heading."""
    return _LETTERS.sub("", _DATE.sub("", text)).casefold()


class Placer:
    """Finds the heading lines of bookmarks among the lines of a document."""

    def __init__(self, lines: Sequence[TextLine], style: Style, heights: Sequence[float]) -> None:
        self._lines = lines
        self._style = style
        self._heights = heights
        self._letters = [letters(line.text) for line in lines]
        self._pages = [line.page for line in lines]

    def place(self, marks: Sequence[Bookmark]) -> tuple[list[HeadingCandidate | None], list[float | None]]:
        """Return the heading lines of each bookmark (None if not printed) and the heights of all targets.

        Heights count from the top of the page; they are None if those of the file lead nowhere. The candidates are
        chosen together, as the sequence in reading order with the highest sum of scores, so that a short title that
        also occurs in the text ("Git") does not draw all later ones away. A heading that stands out but breaks the
        order, because the bookmarks are sorted differently from the text, is taken if no other one claims its line.
        """
        found = [self._candidates(mark) for mark in marks]
        target = self._targets(marks, found)
        scored = [
            [self._scored(each, height) for each in candidates]
            for candidates, height in zip(found, target, strict=True)
        ]
        chosen = _best_chain(scored, len(self._lines))
        taken = {each.index for each in chosen if each is not None}
        for place, candidates in enumerate(scored):
            free = [each for each in candidates if each.index not in taken and each.score >= SURE]
            if chosen[place] is None and free:
                chosen[place] = best = max(free, key=lambda each: each.score)
                taken.add(best.index)
        return chosen, target

    def page_start(self, page: int) -> int:
        """Return the index of the first line on a page or after it."""
        return bisect_left(self._pages, page)

    def _candidates(self, mark: Bookmark) -> list[HeadingCandidate]:
        """Return the best candidates on the target page and its neighbours."""
        wanted = letters(mark.title)
        if not wanted:
            return []
        start, stop = self.page_start(mark.page - 1), self.page_start(mark.page + 2)
        found: list[HeadingCandidate] = []
        head = wanted[:START]
        for index in range(start, stop):
            first = self._letters[index]
            if not first or not (first[0].isdigit() or head in first or first[:START] in wanted):
                continue
            if is_row_of_cells(self._lines[index].text):
                continue  # a row of a table that begins with the heading's words
            if match := self._match(index, wanted):
                count, score = match
                score += 1.0 if self._lines[index].page == mark.page else 0.0
                found.append(HeadingCandidate(index, count, score))
        return sorted(found, key=lambda each: -each.score)[:MAX_CANDIDATES]

    def _match(self, index: int, wanted: str) -> tuple[int, float] | None:
        """Return how many lines from ``index`` on hold the wanted words, with a score for words and style; or None."""
        joined = ""
        for count in range(1, MAX_HEADING_LINES + 1):
            if index + count > len(self._lines):
                return None
            joined += self._letters[index + count - 1]
            words = self._words(index, count, joined, wanted)
            if words:
                line = self._lines[index]
                looks = 3.0 if self._style.stands_out(line) or line.side else 1.0 if self._style.is_special(line) else 0
                return count, words + looks
            if len(joined) >= len(wanted) + CUT_OFF:
                return None
            if (
                not wanted.startswith(joined)
                and not joined.endswith(wanted[:1])
                and not self._may_go_on(joined, wanted)
            ):
                return None
        return None

    def _words(self, index: int, count: int, joined: str, wanted: str) -> float:
        if joined == wanted:
            return 3.0
        if joined.endswith(wanted):
            text = " ".join(line.text for line in self._lines[index : index + count])
            numbered = split_number(_DATE.sub("", text))
            return 3.5 if numbered.number and letters(numbered.heading) == wanted else 0.0
        if len(wanted) >= CUT_OFF and joined.startswith(wanted):  # bookmark titles are often cut off
            return 2.5
        if len(wanted) >= MIN_FUZZY and len(joined) >= len(wanted) and fuzz.ratio(joined, wanted) >= MIN_SIMILARITY:
            return 2.0
        return 0.0

    def _may_go_on(self, joined: str, wanted: str) -> bool:
        if fuzz.ratio(joined, wanted[: len(joined)]) >= MIN_SIMILARITY:
            return True
        bare = joined.lstrip("§0123456789")
        return len(bare) < len(joined) and wanted.startswith(bare)

    def _scored(self, each: HeadingCandidate, height: float | None) -> HeadingCandidate:
        if height is None:
            return each
        away = abs(self._lines[each.index].y0 - height)
        return HeadingCandidate(each.index, each.lines, each.score + (2.0 if away < NEAR else 0.0))

    def _targets(self, marks: Sequence[Bookmark], found: Sequence[Sequence[HeadingCandidate]]) -> list[float | None]:
        """Return heights from the top, as given or reversed, whichever leads to the headings that are certain."""
        given = [mark.y for mark in marks]
        turned = [
            None if mark.y is None or mark.page >= len(self._heights) else self._heights[mark.page] - mark.y
            for mark in marks
        ]
        best: tuple[float, list[float | None]] | None = None
        for heights in (given, turned):
            away = [
                abs(self._lines[top.index].y0 - height)
                for mark, candidates, height in zip(marks, found, heights, strict=True)
                if height is not None
                and candidates
                and (top := candidates[0]).score >= SURE
                and self._lines[top.index].page == mark.page
            ]
            if away and (best is None or median(away) < best[0]):
                best = median(away), heights
        return best[1] if best is not None and best[0] < NEAR else [None] * len(marks)


def _best_chain(candidates: Sequence[Sequence[HeadingCandidate]], length: int) -> list[HeadingCandidate | None]:
    """Return at most one candidate for each bookmark, in order, with the highest sum of scores.

    A Fenwick tree of prefix maxima over line numbers keeps this at O(n log n).
    """
    tree: list[tuple[float, int]] = [(0.0, -1)] * (length + 2)
    chain: list[tuple[int, HeadingCandidate, int]] = []  # bookmark, candidate, index of the previous entry in this list
    for place, each in enumerate(candidates):
        fresh: list[tuple[int, float, int]] = []
        for candidate in each:
            best, before = 0.0, -1
            node = candidate.index + 1
            while node > 0:
                if tree[node][0] > best:
                    best, before = tree[node]
                node -= node & -node
            chain.append((place, candidate, before))
            fresh.append((candidate.index + candidate.lines + 1, best + candidate.score, len(chain) - 1))
        for node, total, entry in fresh:
            while node < len(tree):
                if total > tree[node][0]:
                    tree[node] = (total, entry)
                node += node & -node
    chosen: list[HeadingCandidate | None] = [None] * len(candidates)
    _, entry = max(tree, key=lambda node: node[0])
    while entry >= 0:
        place, candidate, entry = chain[entry]
        chosen[place] = candidate
    return chosen
