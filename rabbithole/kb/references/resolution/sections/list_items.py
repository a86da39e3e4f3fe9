"""Finds an item of nested lists by its numbers, and the clauses of a text that is numbered throughout. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

_MARK = re.compile(r"^[ \t]*(?P<open>\(?)(?P<value>\d{1,2}|[a-z])(?P<close>[.)])(?=\s)", re.MULTILINE)
_LEFT_OUT = 2
"""Largest step between items: one may stand inside a line, where it is not seen."""


_LEAST_CLAUSES, _CLAUSE_LENGTH, _CLAUSE_SHARE = 4, 300, 0.5
"""Least number of clauses, their least mean length, and the least share of the text that they fill."""
_REMEMBERED = 16
"""Texts whose clauses are kept: those around the references of one document."""


class ListItem(NamedTuple):
    """An item: its numbers from the outermost list inwards, and where it begins."""

    numbers: tuple[str, ...]
    start: int


class _OpenList(NamedTuple):
    """A list that has not ended: how its items are marked, and the last of them."""

    style: tuple[str, str, bool]
    last: int
    value: str


def find_item(text: str, numbers: Sequence[str]) -> tuple[int, int] | None:
    """Return the span of the item with these numbers, which ends at the next one that is not inside it.

    Where "4." may go on either list, behind "3." and its items "1." to "3.", it is first read as an item of the inner
    one; if the item is not found, as one of the outer list.
    """
    for outer in (False, True):
        items = list(_items(text, outer=outer))
        for place, item in enumerate(items):
            if item.numbers == tuple(numbers):
                after = (other.start for other in items[place + 1 :] if len(other.numbers) <= len(item.numbers))
                end = next(after, len(text))
                return item.start, item.start + len(text[item.start : end].rstrip())
    return None


@lru_cache(_REMEMBERED)
def clauses(text: str) -> Mapping[str, tuple[int, int]]:
    """Return the spans of the numbered clauses of a licence or contract by number; empty if the text has only lists."""
    first = [item for item in _items(text) if len(item.numbers) == 1 and item.numbers[0].isdecimal()]
    if not first:
        return {}
    ends = [item.start for item in first[1:]] + [len(text)]
    found = {item.numbers[0]: (item.start, end) for item, end in zip(first, ends, strict=True)}
    filled = len(text) - first[0].start
    long = len(found) >= _LEAST_CLAUSES and filled >= _CLAUSE_LENGTH * len(found)
    return found if long and len(found) == len(first) and filled >= _CLAUSE_SHARE * len(text) else {}


def _items(text: str, *, outer: bool = False) -> Iterator[ListItem]:
    """Yield the items in order. A list counts up from its first item; one that starts anew stands inside the last.

    ``outer``: an item that may go on several lists goes on the outermost of them.
    """
    open_lists: list[_OpenList] = []
    for mark in _MARK.finditer(text):
        value = mark["value"]
        count = int(value) if value.isdecimal() else ord(value) - ord("a") + 1
        style = (mark["open"], mark["close"], value.isdecimal())
        depth = _goes_on(open_lists, style, count, outer=outer)
        if depth is None and count > 1:
            continue
        del open_lists[len(open_lists) if depth is None else depth :]
        open_lists.append(_OpenList(style, count, value))
        yield ListItem(tuple(each.value for each in open_lists), mark.start())


def _goes_on(open_lists: Sequence[_OpenList], style: tuple[str, str, bool], count: int, *, outer: bool) -> int | None:
    """Return the depth of the list that an item continues, without a gap if possible; None if there is none."""
    depths = range(len(open_lists)) if outer else reversed(range(len(open_lists)))
    alike = [depth for depth in depths if open_lists[depth].style == style]
    for step in range(1, _LEFT_OUT + 1):
        for depth in alike:
            if count == open_lists[depth].last + step:
                return depth
    return None
