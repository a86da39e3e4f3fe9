"""Complete quotations from enumerations: add the introduction to an item, and the items to an introduction."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence, Quote

from .enumerations import lead_in, with_items

LONGEST_LEAD = 500
"""Most characters of an introduction; a longer one does not help to read an item."""


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
