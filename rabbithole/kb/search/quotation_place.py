"""Find the place of a quotation in a document of the knowledge base: span, page and section."""

from __future__ import annotations

from functools import lru_cache

from rabbithole.kb.models import QuotePlace
from rabbithole.kb.store.catalog import Catalog

from . import quote_matching
from .section_lookup import section_at


class Quotations:
    """Finds quotations; it caches the reduced texts of the documents used last."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._reduced = lru_cache(maxsize=32)(self._reduce)

    def find(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        """Return the place of the verbatim quotation, preferably on ``page``; None if there is none."""
        entry = self._catalog.stored(document_id)
        known = page is not None and 0 <= page < (entry.document.pages or len(self._catalog.page_starts(document_id)))
        near = self._catalog.page_span(document_id, page) if page is not None and known else None
        found = quote_matching.find(self._reduced(document_id, entry.ordinal), quote, near=near)
        if found is None:
            return None
        index, label = self._catalog.page_of(document_id, found[0])
        section = section_at(self._catalog.outline(document_id), found[0])
        return QuotePlace(
            document=document_id,
            start=found[0],
            end=found[1],
            page=index,
            page_label=label,
            section=section.id if section else None,
        )

    def _reduce(self, document_id: str, ordinal: int) -> quote_matching.Reduced:
        """Return the reduced text. The ordinal is part of the cache key, as it is new after another ingestion."""
        return quote_matching.reduce(self._catalog.text(document_id))
