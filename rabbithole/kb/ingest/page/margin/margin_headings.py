"""Finds headings in the margin beside their text; each becomes one line before its paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.ingest.page.lines import TextLine

MAX_WIDTH = 0.32
MIN_TEXT = 0.5
INSET = 0.08
MIN_GUTTER = 4.0
MAX_SHARE = 0.45
LEADING = 1.6
LEVEL = 3.0


@dataclass(frozen=True, slots=True)
class Margin:
    """The headings in a page's margin, one line each, and the lines of its text."""

    headings: tuple[TextLine, ...]
    text: tuple[TextLine, ...]


def margin_headings(lines: Sequence[TextLine]) -> Margin | None:
    """Split the page at its margin; None if it has no headings in the margin.

    A margin is narrow and does not overlap the text beside it. Each block in it begins level with a line of the text
    and is bold or numbered, unlike the first column of a table or list markers.
    """
    if len(lines) < 3:
        return None
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = right - left
    edge = left + MAX_WIDTH * width
    side = [line for line in lines if line.x1 <= edge and line.x0 <= left + INSET * width and not line.verbatim]
    chosen = {id(line) for line in side}
    text = [line for line in lines if id(line) not in chosen]
    if not side or not text or len(side) > MAX_SHARE * len(lines):
        return None
    begin = min(line.x0 for line in text)
    side = [line for line in side if line.x1 <= begin - MIN_GUTTER]
    if not side or begin - left < 0.1 * width or right - begin < MIN_TEXT * width:
        return None
    chosen = {id(line) for line in side}
    text = [line for line in lines if id(line) not in chosen]
    blocks = blocks_of(side)
    if not all(is_heading(block, text) for block in blocks):
        return None
    return Margin(tuple(joined(block) for block in blocks), tuple(text))


def with_headings(text: Sequence[TextLine], headings: Sequence[TextLine]) -> list[TextLine]:
    """Return the text in reading order with each margin heading before the first line that is not above it."""
    ordered: list[TextLine] = []
    waiting = list(headings)
    for line in text:
        while waiting and line.base >= waiting[0].base - LEVEL:
            ordered.append(replace(waiting.pop(0), column=line.column))
        ordered.append(line)
    return ordered + waiting


def blocks_of(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return the lines of a margin in blocks, from top to bottom."""
    blocks: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.base):
        last = blocks[-1][-1] if blocks else None
        new = last is None or line.base - last.base > LEADING * max(line.size, last.size)
        if new or (split_number(line.text).number and blocks[-1][-1].bold):
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def is_heading(block: Sequence[TextLine], text: Sequence[TextLine]) -> bool:
    """Return whether a block is bold or numbered, and begins level with a line of the text."""
    level = any(abs(line.base - block[0].base) <= LEVEL for line in text)
    letters = sum(character.isalpha() for line in block for character in line.text)
    numbered = split_number(" ".join(line.text for line in block))
    marked = (bool(numbered.number) and "." in numbered.number) or numbered.unit == "§"
    return level and letters >= 4 and (marked or all(line.bold for line in block))


def joined(block: Sequence[TextLine]) -> TextLine:
    """Return the lines of a heading in the margin as one."""
    first = block[0]
    return replace(
        first,
        text=" ".join(line.text for line in block),
        x0=min(line.x0 for line in block),
        x1=max(line.x1 for line in block),
        y1=max(line.y1 for line in block),
        bold=any(line.bold for line in block),
        mixed=False,
        cells=1,
        side=True,
    )
