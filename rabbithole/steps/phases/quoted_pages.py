"""Finds the page on which a quotation ends."""

from __future__ import annotations

from collections.abc import Iterable

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import LEFT_OUT, QuotePlace
from rabbithole.kb.place_names import is_paragraph


def last_page(kb: KnowledgeBase, place: QuotePlace, quote: str) -> tuple[int | None, str]:
    """Return the page on which a quotation ends, and its label; None if it is the page on which it begins.

    The place of a quotation with words left out is that of one of its parts. Documents without pages have none.
    """
    *before, last = [part for part in quote.split(LEFT_OUT) if any(map(str.isalnum, part))] or [quote]
    if before and (end := kb.find_quote(place.document, last, page=place.page)) is not None:
        place = through(place, (end,))
    words = kb.text(place.document, place.start, place.end).rstrip()
    page, label = kb.page_of(place.document, place.start + max(0, len(words) - 1))
    return (page, label) if page > place.page and not is_paragraph(label) else (None, "")


def through(place: QuotePlace, lines: Iterable[QuotePlace]) -> QuotePlace:
    """Return the place extended to the last of the lines quoted with it from the same section."""
    ends = [one.end for one in lines if (one.document, one.section) == (place.document, place.section)]
    return place.model_copy(update={"end": max(place.end, *ends)}) if ends else place
