"""Finds words printed in the margin beside the text, such as keywords; each stands before the paragraph beside it.

Where the text begins and ends is known from all pages: on one page alone, the terms of a list of definitions would
look like words in its margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rabbithole.kb.ingest.page.lines import TextLine

from .margin_headings import LEVEL, blocks_of, is_heading, joined

FULL = 40
"""Minimum number of characters of a line of running text, and maximum of one in the margin."""
LEAST_LINES, LEAST_SHARE = 5, 0.03
"""Minimum number of lines of running text on a page, and share of those of all pages that an edge is known from."""
MIN_GUTTER, INDENT = 4.0, 40.0
"""Points between margin and text, and by which text may be indented: lists of terms are, by more than a paragraph."""
NEXT = 1.5
"""Least distance of the first line of the next paragraph, in font sizes, where paragraphs are set apart."""
APART = 0.8
"""Minimum distance from what stands on the same baseline, in font sizes: words of a line are closer."""
MAX_SHARE, LEAST_FULL = 0.2, 0.4
"""Maximum share of a page's letters in its margins, and minimum share in lines of running text."""

Edges = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MarginWords:
    """The blocks of lines in a page's margins from top to bottom, and the lines of its text."""

    blocks: tuple[tuple[TextLine, ...], ...]
    text: tuple[TextLine, ...]


def text_edges(pages: Sequence[Sequence[TextLine]]) -> list[Edges | None]:
    """Return where the running text of each page begins and ends, in points; left and right pages may differ."""
    edges = [_edges([line for page in pages[parity::2] for line in page if _is_full(line)]) for parity in (0, 1)]
    return [edges[number % 2] for number in range(len(pages))]


def margin_words(lines: Sequence[TextLine], edges: Edges | None) -> MarginWords | None:
    """Return what stands outside the edges of the text, level with a line of it; None if there is nothing."""
    if edges is None:
        return None
    left, right = edges
    full = [line for line in lines if _is_full(line) and left - 1 <= line.x0 <= left + INDENT]
    outside = [line for line in lines if _is_outside(line, left, right) and _is_apart(line, lines)]
    letters = _letters(lines)
    if not outside or len(full) < LEAST_LINES or _letters(full) < LEAST_FULL * letters:
        return None
    if _letters(outside) > MAX_SHARE * letters:
        return None
    chosen = {id(line) for line in outside}
    text = [line for line in lines if id(line) not in chosen]
    sides = [line for line in outside if line.x1 < left], [line for line in outside if line.x0 > right]
    top, bottom = min(line.y0 for line in text), max(line.y1 for line in text)
    blocks = [tuple(block) for side in sides for block in blocks_of(side) if top - LEVEL <= block[0].y0 <= bottom]
    if not blocks:
        return None
    chosen = {id(line) for block in blocks for line in block}
    return MarginWords(
        tuple(sorted(blocks, key=lambda block: block[0].base)),
        tuple(line for line in lines if id(line) not in chosen),
    )


def with_margin_words(text: Sequence[TextLine], blocks: Sequence[Sequence[TextLine]]) -> list[TextLine]:
    """Return the text in reading order with each block before the first line that is not above it.

    A block that begins beside the last line of a paragraph and ends below it belongs to the next one. Words are marked
    as notes, which are kept out of the sentence beside them, with a negative column for each block; a heading stands
    before its paragraph.
    """
    ordered: list[TextLine] = []
    waiting = list(enumerate(blocks, start=1))
    for line, below in zip(text, (*text[1:], None), strict=True):
        while waiting and line.base >= waiting[0][1][0].base - LEVEL and not _is_for_next(waiting[0][1], line, below):
            ordered += _marked(*waiting.pop(0), text, line)
        ordered.append(line)
    return ordered + [line for number, block in waiting for line in _marked(number, block, text, text[-1])]


def _is_for_next(block: Sequence[TextLine], line: TextLine, below: TextLine | None) -> bool:
    """Return whether a block beside ``line``, the last of its paragraph, labels the paragraph that begins ``below``.

    A paragraph of one line that has the words of the block is labelled by it itself.
    """
    if (
        block[-1].text in line.text
        or below is None
        or below.column != line.column
        or abs(line.base - block[0].base) > LEVEL
    ):
        return False
    gap, pitch = below.base - line.base, NEXT * max(line.size, below.size)
    return gap > pitch and line.base + LEVEL < block[-1].base <= below.base + LEVEL


def _marked(number: int, block: Sequence[TextLine], text: Sequence[TextLine], beside: TextLine) -> list[TextLine]:
    if is_heading(block, text):
        return [replace(joined(block), column=beside.column)]
    return [replace(line, note=True, column=-number) for line in block]


def _letters(lines: Sequence[TextLine]) -> int:
    return sum(len(line.text) for line in lines)


def _is_full(line: TextLine) -> bool:
    return len(line.text) >= FULL and not line.verbatim


def _is_outside(line: TextLine, left: float, right: float) -> bool:
    beside = line.x1 <= left - MIN_GUTTER or line.x0 >= right + MIN_GUTTER
    return beside and not line.verbatim and len(line.text) < FULL and sum(map(str.isalpha, line.text)) > 1


def _is_apart(word: TextLine, lines: Sequence[TextLine]) -> bool:
    gap = APART * word.size
    level = [line for line in lines if line is not word and abs(line.base - word.base) <= LEVEL]
    return not any(line.x0 < word.x1 + gap and word.x0 - gap < line.x1 for line in level)


def _edges(full: Sequence[TextLine]) -> Edges | None:
    """Return where many lines begin, and the end that hardly any line exceeds: ends of lines may be ragged."""
    least = max(LEAST_LINES, LEAST_SHARE * len(full))
    left = [edge for edge, count in Counter(round(line.x0) for line in full).items() if count >= least]
    ends = sorted(line.x1 for line in full)
    return (min(left), ends[int((1 - LEAST_SHARE) * len(ends))]) if left else None
