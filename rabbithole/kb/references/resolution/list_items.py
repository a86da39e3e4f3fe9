"""Finds an item of nested lists by its numbers: item 2 of item 1. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_MARK = re.compile(r"^[ \t]*(?P<open>\(?)(?P<value>\d{1,2}|[a-z])(?P<close>[.)])(?=\s)", re.MULTILINE)
_LEFT_OUT = 2
"""Largest step between items: one may stand inside a line, where it is not seen."""


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
    """Return the span of the item with these numbers, which ends at the next one that is not inside it."""
    items = list(_items(text))
    for place, item in enumerate(items):
        if item.numbers == tuple(numbers):
            after = (other.start for other in items[place + 1 :] if len(other.numbers) <= len(item.numbers))
            end = next(after, len(text))
            return item.start, item.start + len(text[item.start : end].rstrip())
    return None


def _items(text: str) -> Iterator[ListItem]:
    """Yield the items in order. A list counts up from its first item; one that starts anew stands inside the last."""
    open_lists: list[_OpenList] = []
    for mark in _MARK.finditer(text):
        value = mark["value"]
        count = int(value) if value.isdecimal() else ord(value) - ord("a") + 1
        style = (mark["open"], mark["close"], value.isdecimal())
        depth = _goes_on(open_lists, style, count)
        if depth is None and count != 1:
            continue
        del open_lists[len(open_lists) if depth is None else depth :]
        open_lists.append(_OpenList(style, count, value))
        yield ListItem(tuple(each.value for each in open_lists), mark.start())


def _goes_on(open_lists: Sequence[_OpenList], style: tuple[str, str, bool], count: int) -> int | None:
    """Return the depth of the list that an item continues, without a gap if possible; None if there is none."""
    alike = [depth for depth in reversed(range(len(open_lists))) if open_lists[depth].style == style]
    for step in range(1, _LEFT_OUT + 1):
        for depth in alike:
            if count == open_lists[depth].last + step:
                return depth
    return None
