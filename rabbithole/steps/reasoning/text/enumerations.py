"""Quotations out of an enumeration: an item says nothing without what introduces it, nor does that without items."""

from __future__ import annotations

import re

from .sentences import pieces

LONGEST_WHOLE = 900
"""Characters up to which an introduction is quoted with the items that follow it."""

_ITEM = re.compile(r"\s*(?:\d{1,3}[a-z]?[.)]|[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_SUB_ITEM = re.compile(r"\s*(?:[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_CLOSED = re.compile(r"[.!?…][\"“”»«')\]]*\Z")


def lead_in(text: str, start: int) -> tuple[int, int] | None:
    """The span of what introduces the item that begins at ``start`` of ``text``; None for anything but an item.

    Between the two stand only other items. A lettered item is introduced by the numbered one it belongs to.
    """
    if not _ITEM.match(text, start):
        return None
    nested = _SUB_ITEM.match(text, start) is not None
    before = [one for one in pieces(text[:start]) if one.end <= start]
    for one in reversed(before):
        if _CLOSED.search(one.text):
            return None
        if not _ITEM.match(one.text) or (nested and not _SUB_ITEM.match(one.text)):
            return one.start, one.end
    return None


def with_items(text: str, start: int, end: int, longest: int = LONGEST_WHOLE) -> int:
    """Where the quotation ``text[start:end]`` ends with the items it introduces, as many as ``longest`` holds."""
    belongs = _SUB_ITEM if _ITEM.match(text, start) else _ITEM  # an item introduces only the lettered ones below it
    if _CLOSED.search(text[start:end]) or _SUB_ITEM.match(text, start) or not belongs.match(text, _next(text, end)):
        return end
    reached = end
    for one in pieces(text[end : start + 2 * longest]):
        last = end + one.end
        if not belongs.match(one.text) or last - start > longest:
            break
        reached = last
        if _CLOSED.search(one.text):
            break
    return reached


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
