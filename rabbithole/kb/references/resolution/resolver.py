"""Resolves references by key, never by similarity. A work that is not held is missing, by its proper name."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.registry import Registry

from .book_pages import Books
from .cited_works import CitedWorks
from .link_targets import LinkTargets
from .named_documents import NamedDocuments
from .relative_references import RelativeReferences
from .results import Resolutions


class Resolver:
    """Resolves references among a reader's documents. Results for recent documents are cached for a generation."""

    def __init__(self, reader: CorpusReader, registry: Registry) -> None:
        self._registry = registry
        self._resolutions = Resolutions(reader, registry)
        books = Books(reader)
        self._cited = CitedWorks(reader, registry, self._resolutions)
        self._named = NamedDocuments(reader, registry, self._resolutions, books, self._cited)
        self._relative = RelativeReferences(reader, registry, self._resolutions, books, self._named)
        self._links = LinkTargets(reader, registry, self._resolutions, self._cited, self._named, self.resolve)

    def resolve(self, reference: Reference, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        """Return where ``reference``, found at ``at``, leads among the documents of ``collections`` (all if empty)."""
        academic = reference.kind in ("academic_numbered", "academic_shortform")
        if reference.method == "link" and reference.page is not None and at is not None and not academic:
            return self._links.within_file(reference, at, collections)
        if reference.kind == "external":
            return self._links.address(reference, at, collections)
        if reference.file and at is not None:
            return self._links.to_page(reference, reference.file, at, collections)
        if academic:
            return self._cited.resolve(reference, at, collections)
        if reference.document:
            return self._named.resolve(reference, reference.document, at, collections)
        if at is not None and not reference.path and (headed := self._relative.headed(reference, at)):
            return headed
        if at is not None and (found := self._named.of_kind(reference, at, collections)):
            return found
        return self._relative.resolve(reference, at, collections)

    def validity_note(self, document: Document) -> str:
        """Return what the collection says against a document being in force: what replaced it, its status; or ''."""
        return self._resolutions.validity_note(document)

    @property
    def registry(self) -> Registry:
        """The names by which documents are looked up."""
        return self._registry
