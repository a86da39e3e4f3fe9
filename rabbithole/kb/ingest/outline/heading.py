"""A heading found in the text: which lines it is made of, and where it stands in the outline."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """``line`` is the index of the heading's first line, ``lines`` how many lines it fills (0: not printed).

    ``page`` and ``last_page``: where a section began and ended whose text was left out as a printed table of contents.
    """

    line: int
    lines: int
    number: str
    heading: str
    level: int
    page: int | None = None
    last_page: int = 0
