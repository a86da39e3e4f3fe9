"""Quotations from enumerations: an item needs its introduction to make sense, and an introduction its items."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence, Quote

from .sentences import pieces

LONGEST_WHOLE = 900
"""Maximum number of characters of an introduction quoted together with its items."""
LONGEST_LEAD = 500
"""Maximum number of characters of an introduction; a longer one does not help to read an item."""

_ITEM = re.compile(r"\s*(?:\d{1,3}[a-z]?[.)]|[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_SUB_ITEM = re.compile(r"\s*(?:[a-z]{1,2}\)|\([a-z]{1,4}\)|[-–•*])\s")
_CLOSED = re.compile(r"[.!?…][\"“”»«')\]]*\Z")


def introduced(kb: KnowledgeBase, evidence: Evidence, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """Return the verified quotations of a piece of evidence completed, in order; those within another are left out."""
    if not quotes:
        return ()
    text = kb.text(evidence.document, evidence.start, evidence.end)
    whole = [_whole(kb, evidence, text, quote) for quote in quotes]
    kept = [one for one in whole if not any(_within(one, other) for other in whole)]
    return tuple(_with_lead(text, evidence.start, one) for one in kept)


def _whole(kb: KnowledgeBase, evidence: Evidence, text: str, quote: Quote) -> Quote:
    place = quote.place
    if place is None:
        return quote
    start, end = place.start - evidence.start, place.end - evidence.start
    last = with_items(text, start, end)
    if last == end:
        return quote
    found = kb.find_quote(evidence.document, text[start:last], page=place.page)
    return Quote(text=text[start:last], place=found) if found and found.start == place.start else quote


def _with_lead(text: str, offset: int, quote: Quote) -> Quote:
    span = lead_in(text, quote.place.start - offset) if quote.place else None
    if span is None or span[1] - span[0] > LONGEST_LEAD:
        return quote
    return quote.model_copy(update={"lead": text[slice(*span)]})


def _within(one: Quote, other: Quote) -> bool:
    if one.place is None or other.place is None or one is other:
        return False
    inside = other.place.start <= one.place.start and one.place.end <= other.place.end
    return inside and (one.place.start, one.place.end) != (other.place.start, other.place.end)


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
