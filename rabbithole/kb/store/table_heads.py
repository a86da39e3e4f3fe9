"""Find the head of the table that a passage continues: its title, unit and columns, which are in an earlier passage.

A long table is cut into several passages. Later ones have figures only; the year of a column and the unit are given
once, in the first. They are indexed with the head, so that a question about a year's figure finds them.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

_CELL: Final = "|"
_RULE: Final = frozenset("|-: ")
_LONGEST: Final = 400
"""Maximum number of characters of a line of the head that are kept."""
_LINES: Final = 2
"""The number of lines before a table that may be its title and its unit."""
_WORDS: Final = 25
"""Maximum number of words of a title or unit; a longer line is a sentence of the text."""


def table_head(text: str, start: int) -> str:
    """Return the title, unit and columns of the table that the offset ``start`` is in after its first row, or ''.

    >>> table_head("Sales in EUR\\n| | 2019 |\\n| --- | --- |\\n| North | 4 |\\n| South | 5 |", 53)
    'Sales in EUR\\n| | 2019 |'
    """
    begin = text.rfind("\n", 0, start) + 1
    if not text.startswith(_CELL, begin):
        return ""
    first = begin
    while first > 0 and text.startswith(_CELL, before := text.rfind("\n", 0, first - 1) + 1):
        first = before
    if first == begin:
        return ""
    rows = text[first:begin].splitlines()
    before_it = [line.strip() for line in text[max(0, first - _LINES * _LONGEST) : first].splitlines()[-_LINES:]]
    titles = list(takewhile(lambda line: len(line.split()) <= _WORDS, reversed(before_it)))[::-1]
    columns = next((row for row in rows if set(row) - _RULE), "")
    return "\n".join(line[:_LONGEST] for line in (*titles, columns) if line)
