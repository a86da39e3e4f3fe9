"""The first pages of a document, from which its identity is read: blocks of similar lines, and running lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.models import Scalar

FRONT_PAGES = 4
FRONT_LETTERS = 300
_INDENT = 20.0
_LETTER = re.compile(r"[^\W\d_]")
_SPACED = re.compile(r"^(?:\S[ ]{1,12}){3,}\S$")
_LEADERS = re.compile(r"\s*(?:\.\s?){4,}\d*\s*$|\s*…[….\s]*\d*\s*$")
_WIDE = re.compile(r"\s{3,}")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines in the same style that follow each other on a page.

    ``ratio`` is the letter size relative to the body text.
    """

    page: int
    lines: tuple[TextLine, ...]
    text: str
    size: float
    ratio: float
    bold: bool
    top: float
    bottom: float
    centred: bool = False


@dataclass(frozen=True)
class FrontMatter:
    """The input for a document's identity. ``headers`` maps running lines to the number of pages they are on."""

    file: str
    pages: tuple[tuple[TextLine, ...], ...]
    last_page: tuple[TextLine, ...] = ()
    heights: tuple[float, ...] = ()
    headers: Mapping[str, int] = field(default_factory=dict)
    bookmarks: tuple[str, ...] = ()
    properties: Mapping[str, Scalar] = field(default_factory=dict)

    @cached_property
    def body_size(self) -> float:
        counted: Counter[float] = Counter()
        for line in (*(line for page in self.pages for line in page), *self.last_page):
            counted[round(line.size * 2) / 2] += len(line.text)
        return max(counted, key=lambda size: counted[size]) if counted else 10.0

    @cached_property
    def blocks(self) -> tuple[tuple[TextBlock, ...], ...]:
        """The blocks of each front page, from the top."""
        return tuple(blocks_of(page, self.body_size) for page in self.pages)

    @cached_property
    def text(self) -> str:
        """The text of the front pages, one line each."""
        return "\n".join(line.text for page in self.pages for line in page)


def blocks_of(lines: Sequence[TextLine], body: float) -> tuple[TextBlock, ...]:
    """Return blocks: lines of one size, weight and column that are close to each other."""
    usable = [line for line in lines if _LETTER.search(line.text) or any(map(str.isdigit, line.text))]
    groups: list[list[TextLine]] = []
    for line in sorted(usable, key=lambda each: (round(each.y0), each.x0)):
        near = next((group for group in reversed(groups[-6:]) if _continues(group[-1], line, body)), None)
        if near is None:
            groups.append([line])
        else:
            near.append(line)
    left, right = min((line.x0 for line in usable), default=0.0), max((line.x1 for line in usable), default=0.0)
    return tuple(_block(group, body, left, right) for group in groups)


def clipped(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines cut to a maximum length, because a line that is a paragraph may be as long as the whole text."""
    return [replace(line, text=line.text[:FRONT_LETTERS]) for line in lines]


def despaced(text: str) -> str:
    """Join spaced letters ('D I E N S T B L A T T' -> 'DIENSTBLATT'); drop dot leaders and page numbers after them."""
    text = _LEADERS.sub("", text).strip()
    if _SPACED.match(text):
        return " ".join("".join(word.split()) for word in _WIDE.split(text))
    return " ".join(text.split())


def is_spaced(text: str) -> bool:
    """Return whether a line has spaces between its letters."""
    return bool(_SPACED.match(text.strip()))


def _continues(last: TextLine, line: TextLine, body: float) -> bool:
    same = abs(last.size - line.size) <= 0.06 * max(last.size, 8) and last.bold == line.bold
    below = (line.base - last.base) / max(line.size, 8)
    beside = line.x0 < last.x1 and last.x0 < line.x1  # in the same column
    spread = line.size > 1.25 * body or (line.text.isupper() and last.text.isupper())  # titles are set wider
    return same and beside and 0.5 <= below <= (2.3 if spread else 1.95)


def _block(lines: Sequence[TextLine], body: float, left: float, right: float) -> TextBlock:
    size = max(line.size for line in lines)
    words: list[str] = []
    for line in lines:
        text = despaced(line.text)
        if words and words[-1].endswith("-") and text[:1].islower():
            words[-1] = words[-1][:-1] + text
        elif text:
            words.append(text)
    return TextBlock(
        page=lines[0].page,
        lines=tuple(lines),
        text=" ".join(words),
        size=size,
        ratio=size / max(body, 1.0),
        bold=all(line.bold for line in lines),
        top=min(line.y0 for line in lines),
        bottom=max(line.y1 for line in lines),
        centred=all(
            line.x0 > left + _INDENT and abs(line.x0 + line.x1 - left - right) < 0.1 * (right - left) for line in lines
        ),
    )
