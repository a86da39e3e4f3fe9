"""A heading found in the text: its lines, and its place in the outline."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """A heading. ``line`` is the index of its first line, ``lines`` the number of its lines (0: not printed).

    ``page`` and ``last_page`` are set for a section whose text, a printed table of contents, was left out.
    """

    line: int
    lines: int
    number: str
    heading: str
    level: int
    page: int | None = None
    last_page: int = 0
