"""The lines of a section's text, and the units made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.steps.reasoning.text.markdown_tables import is_row
from rabbithole.steps.selection.models import UnitKind

from .item_markers import markers

WHOLE = 750
"""Maximum number of characters of a list, or of paragraphs that belong together, that stay one unit."""
LONGEST = 1100
"""Maximum number of characters of any other unit of several lines."""
CAPTION = 90
"""Maximum number of characters of a caption or a heading."""
CLOSED = re.compile(r"[.!?…][\"“”»«')\]]*\s*\Z")
LEADS = re.compile(r"[:?]\s*\Z|\?\s+[^.!?\n]{0,60}(?:\.\.\.|…)\s*\Z")
"""The end of a line that belongs to what follows: a rule continued below, or a question answered below."""


@dataclass(frozen=True)
class UnitSpan:
    """The place of a unit in its section's text; ``head`` is the span of the line that introduces it."""

    start: int
    end: int
    kind: UnitKind
    block: int
    head: tuple[int, int] | None = None


@dataclass(frozen=True)
class Line:
    """A line without the white space around it; ``marker`` is the kind of its number or bullet, if it has one."""

    start: int
    end: int
    text: str
    marker: int | None

    @property
    def row(self) -> bool:
        """Whether the line is a row of a table."""
        return is_row(self.text)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text that are not empty."""
    found: list[Line] = []
    matches = list(re.finditer(r"[^\n]*[^\s][^\n]*", text))
    for match, marker in zip(matches, markers([match.group() for match in matches]), strict=True):
        words = match.group()
        start = match.start() + len(words) - len(words.lstrip())
        found.append(Line(start, match.start() + len(words.rstrip()), words.strip(), marker))
    return found


def is_caption(line: Line) -> bool:
    """Return whether a line may be a caption: it is short and ends no sentence."""
    return len(line.text) <= CAPTION and not CLOSED.search(line.text)
