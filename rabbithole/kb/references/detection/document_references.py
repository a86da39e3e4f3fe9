"""Finds the references of stored documents on demand, so that names of documents ingested later count too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rabbithole.kb.models import BibliographyEntry, Reference, Section
from rabbithole.kb.references.names.name_index import NameIndex
from rabbithole.kb.references.names.snapshot import Naming
from rabbithole.kb.store.catalog import CatalogReader

from .antecedents import with_abbreviation, with_cited_act
from .bare_acronyms import without_bare_acronyms
from .bibliography_labels import (
    labelled_callouts,
    without_entries,
    without_footnotes,
    without_foreign_numbers,
    without_unlisted_words,
)
from .control_codes import with_codes
from .detect import detect
from .joining import join
from .learned_units import usage
from .links import led_on
from .merge import merge
from .named_headings import named_headings
from .own_headings import without_headings


class DocumentReferences:
    """Keeps those of the documents asked about last, as long as document and names stay as they are."""

    def __init__(self, catalog: CatalogReader, naming: Naming) -> None:
        self._catalog = catalog
        self._naming = naming
        self._of = lru_cache(maxsize=64)(self._find)

    def detect(self, text: str, *, language: str | None = None) -> tuple[Reference, ...]:
        """Return the references in any text, including names of the knowledge base's documents; offsets into it."""
        return join(text, detect(text, names=self._naming.current().index_for(text), language=language))

    def within(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """Return references and links of a document that lie within ``start`` .. ``end``."""
        entry = self._catalog.stored(document_id)
        found = self._of(document_id, entry.ordinal, entry.document.language, self._naming.current().mark)
        return tuple(one for one in found if one.start >= start and (end is None or one.end <= end))

    def _find(self, document_id: str, ordinal: int, language: str, mark: tuple[int, int]) -> tuple[Reference, ...]:
        """Find the references of a document.

        The cache key includes the ordinal, which a new ingestion changes, and the mark of the names.
        """
        links = [one for one in self._catalog.references(document_id) if one.method == "link"]
        text = self._catalog.text(document_id)
        return references_of(
            text,
            self._catalog.outline(document_id),
            self._catalog.bibliography(document_id),
            links,
            names=self._naming.current().index_for(text),
            language=None if language == "und" else language,
        )


def references_of(
    text: str,
    outline: Sequence[Section],
    entries: Sequence[BibliographyEntry] = (),
    links: Sequence[Reference] = (),
    *,
    names: NameIndex,
    language: str | None,
) -> tuple[Reference, ...]:
    """Return references and links of one document, taking its outline and its bibliography into account."""

    def is_name(words: str) -> bool:
        return names.canonical(words) is not None

    units = usage(text, outline, is_name)
    detected = with_abbreviation(text, join(text, detect(text, names=names, language=language, units=units)), is_name)
    cited = without_unlisted_words(without_foreign_numbers(text, detected, entries), entries)
    found = without_entries(text, without_footnotes(text, cited, entries), entries)
    found = with_codes(text, outline, without_headings(text, outline, found))
    found = without_bare_acronyms(found, is_name, names.only_known)
    callouts = labelled_callouts(text, entries, found)
    numbers = {section.number for section in outline}
    merged = merge(with_cited_act(join(text, [*found, *callouts], numbers), units), led_on(text, outline, links))
    named = named_headings(text, outline, merged)
    return tuple(sorted([*merged, *named], key=lambda one: (one.start, one.end))) if named else merged
