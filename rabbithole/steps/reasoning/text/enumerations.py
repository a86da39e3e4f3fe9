"""Quotations from enumerations: an item needs its introduction to make sense, and an introduction its items."""

from __future__ import annotations

import re

from .sentences import pieces

LONGEST_WHOLE = 900
"""Most characters of an introduction quoted together with its items."""

_ITEM = re.compile(r"\s*(?:\d{1,3}[a-z]?[.)]|[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_SUB_ITEM = re.compile(r"\s*(?:[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_CLOSED = re.compile(r"[.!?…][\"“”»«')\]]*\Z")


def lead_in(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of the introduction of the item beginning at ``start``; None if there is no item.

    Only other items may be between the two. A lettered item is introduced by the numbered one it belongs to.
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
    """Return the end of the quotation ``text[start:end]`` extended by the items it introduces, up to ``longest``."""
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
