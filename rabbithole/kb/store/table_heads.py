"""The head of a table that a passage goes on with: its title, unit and columns stand in the passage before.

A long table is cut into several passages. The later ones hold figures alone: which year a column is of, and in what
unit, is said once. They are indexed with the head, so that a question for a figure of a year finds them.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

_CELL: Final = "|"
_RULE: Final = frozenset("|-: ")
_LONGEST: Final = 400
"""Characters of a title, and of a row of columns."""
_LINES: Final = 2
"""Lines before a table that may be its title and its unit."""
_WORDS: Final = 25
"""Of a line that may be one of them; a longer one is a sentence of the text."""


def table_head(text: str, start: int) -> str:
    """Title, unit and columns of the table in a document's text that holds ``start`` after its first row; '' elsewhere.

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
