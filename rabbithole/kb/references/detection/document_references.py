"""References that stand in documents, found when they are asked for: names of documents ingested later count too."""

from __future__ import annotations

from functools import lru_cache

from rabbithole.kb.models import Reference
from rabbithole.kb.references.names.snapshot import Naming
from rabbithole.kb.store.catalog import Catalog

from .bibliography_labels import labelled_callouts, without_foreign_numbers
from .detect import detect
from .joining import join
from .merge import merge


class Mentions:
    """Keeps those of the documents asked about last, as long as document and names stay as they are."""

    def __init__(self, catalog: Catalog, naming: Naming) -> None:
        self._catalog = catalog
        self._naming = naming
        self._of = lru_cache(maxsize=64)(self._find)

    def detect(self, text: str, *, language: str | None = None) -> tuple[Reference, ...]:
        """Those of any text, names of the knowledge base's documents included; offsets into the text."""
        return join(text, detect(text, names=self._naming.current().index_for(text), language=language))

    def within(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """References and links of a document that lie within start .. end."""
        entry = self._catalog.stored(document_id)
        found = self._of(document_id, entry.ordinal, entry.document.language, self._naming.current().mark)
        return tuple(one for one in found if one.start >= start and (end is None or one.end <= end))

    def _find(self, document_id: str, ordinal: int, language: str, mark: tuple[int, int]) -> tuple[Reference, ...]:
        """Keyed by ordinal (a document ingested again has another one) and by the names' mark."""
        links = [one for one in self._catalog.references(document_id) if one.method == "link"]
        text = self._catalog.text(document_id)
        entries = self._catalog.bibliography(document_id)
        found = without_foreign_numbers(self.detect(text, language=None if language == "und" else language), entries)
        callouts = labelled_callouts(text, entries, found)
        numbers = {section.number for section in self._catalog.outline(document_id)}
        return merge(join(text, [*found, *callouts], numbers), links)
