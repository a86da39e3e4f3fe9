"""A heading found in the text: which lines it is made of, and where it stands in the outline."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """``line`` is the index of the heading's first line, ``lines`` how many lines it fills (0: not printed).

    ``last_page`` is the page on which a section ended whose text was left out as a printed table of contents.
    """

    line: int
    lines: int
    number: str
    heading: str
    level: int
    last_page: int = 0
