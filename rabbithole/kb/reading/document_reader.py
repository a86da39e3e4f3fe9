"""Reads the documents of a knowledge base: metadata, outline, text, pages, chunks, bibliography and quotations."""

from __future__ import annotations

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import (
    BibliographyEntry,
    Chunk,
    CollectionInfo,
    Document,
    QuotePlace,
    Scalar,
    Section,
)
from rabbithole.kb.references.names.file_parts import file_parts, title_at
from rabbithole.kb.store.catalog import Catalog
from rabbithole.kb.store.rows import split_id

from .quotation_search import Quotations
from .section_label import section_label
from .section_lookup import find_section, neighbours, section_at


class DocumentReader:
    """The documents of a catalog. Calls are thread-safe and see what other processes have written.

    Raises KnowledgeBaseError for an id that is not known. Offsets are characters of a document's text.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._quotations = Quotations(catalog)

    @property
    def generation(self) -> int:
        """A number that changes with every committed change of this or another process."""
        return self._catalog.generation

    @property
    def changed(self) -> str:
        """How many documents were renamed or corrected in place, with the last ones: '3:id,id,id'."""
        return self._catalog.meta("changed") or ""

    def count(self) -> int:
        """Return the number of documents."""
        return self._catalog.count()

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Return the number and id of each document numbered above ``after``; numbers are never reused."""
        return self._catalog.ordinals(after)

    def collections(self) -> tuple[CollectionInfo, ...]:
        """Return the collections with their figures, by name."""
        return self._catalog.collections()

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        """Return all documents, or those of one collection."""
        return self._catalog.documents(collection)

    def held(self, document_id: str) -> Document | None:
        """Return the document with this id, or None if it is not (or no longer) held."""
        found = self._catalog.find([document_id])
        return found[0].document if found else None

    def document(self, document_id: str) -> Document:
        """Return a document by its id."""
        return self._catalog.stored(document_id).document

    def get_document_metadata(self, document_id: str) -> dict[str, Scalar]:
        """Return a copy of a document's metadata."""
        return dict(self.document(document_id).metadata)

    def outline(self, document_id: str) -> tuple[Section, ...]:
        """Return the sections of a document in reading order."""
        return self._catalog.outline(document_id)

    def section(self, document_id: str, number: str) -> Section | None:
        """Return a section by its number as people write it ("§ 27", "27", "4.2.3", "Annex B"), or None."""
        return find_section(self.outline(document_id), number)

    def section_by_id(self, section_id: str) -> Section:
        """Return a section by its id."""
        return self._catalog.section_by_id(section_id)

    def title_at(self, document_id: str, offset: int) -> str:
        """Return the title of a document; of one in a file that holds several, its own, unless the file has a title."""
        return title_at(self.document(document_id), file_parts(self.outline(document_id)), offset)

    def section_label(self, section_id: str, *, alone: bool = False) -> str:
        """Return the label of a section; with ``alone`` for where no title stands before it: see ``section_label``."""
        section = self.section_by_id(section_id)
        return section_label(self.document(section.document), self.outline(section.document), section, alone=alone)

    def section_text(self, section_id: str, *, own: bool = False) -> str:
        """Return the section's text with its subsections, or without them (``own``)."""
        section = self.section_by_id(section_id)
        return self.text(section.document, section.start, section.own_end if own else section.end)

    def neighbours(self, section_id: str) -> tuple[Section | None, Section | None]:
        """Return the sections of the same level before and after this one, in the whole document."""
        section = self.section_by_id(section_id)
        return neighbours(self.outline(section.document), section)

    def section_at(self, document_id: str, offset: int) -> Section | None:
        """Return the innermost section that contains an offset, or None."""
        return section_at(self.outline(document_id), offset)

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        """Return the document's text from ``start`` to ``end`` (None: its end)."""
        return self._catalog.text(document_id, start, end)

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        """Return index (from 0) and printed label of the page that contains an offset."""
        return self._catalog.page_of(document_id, offset)

    def page_count(self, document_id: str) -> int:
        """Return the number of pages, or of paragraphs in a format without pages."""
        return len(self._catalog.page_starts(document_id))

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        """Return the span of a page (index from 0) in the document's text."""
        return self._catalog.page_span(document_id, page)

    def chunks(self, document_id: str, section: str | None = None) -> tuple[Chunk, ...]:
        """Return the document's chunks in order, or those of one section (by id) with its subsections."""
        if section is None:
            return self._catalog.chunks(document_id)
        found = self.section_by_id(section)
        return self._catalog.chunks(document_id, found.start, found.end)

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk by its id."""
        parts = split_id(chunk_id, "c")
        if parts is None:
            raise KnowledgeBaseError(f"There is no chunk with id {chunk_id!r} in this knowledge base.")
        return self._catalog.chunk_at(self._catalog.stored(parts[0]), parts[1])

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        """Return the entries of the document's bibliography; () if it has none."""
        return self._catalog.bibliography(document_id)

    def find_quote(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        """Return where a quotation stands verbatim, preferably on ``page``; None if it is not found."""
        return self._quotations.find(document_id, quote, page=page)
