"""The interface of the catalog: documents, texts, sections, positions of chunks, references, files and generations.

``sql`` implements it for SQLite and PostgreSQL. Only complete documents are visible. Several threads may call it, each
call sees the last committed change, and every call may raise KnowledgeBaseError with one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import (
    BibliographyEntry,
    Chunk,
    CollectionInfo,
    Document,
    Model,
    Reference,
    Scalar,
    Section,
)

from .engine import Lock, NameTables, Tables
from .records import FileState, IndexedDocument
from .reference_rows import ReferenceRows
from .rows import Stored

TableRows = Mapping[str, Sequence[tuple[Any, ...]]]
"""Table -> the rows of one document in it, all columns."""


class Pending(Model):
    """An invisible document of the catalog, and the rows of its chunks in the indexes."""

    ordinal: int
    first_row: int
    chunk_count: int


class CollectionFigures(Model):
    """How much the documents of a collection contain; ``characters`` of text."""

    sections: int
    characters: int
    links: int
    bibliography: int


class CatalogReader(Protocol):
    """What may be read. A method that takes the id of a document raises KnowledgeBaseError if there is none."""

    @property
    def generation(self) -> int:
        """A number that changes with every committed change."""

    def meta(self, key: str) -> str | None:
        """Return a value recorded about the whole knowledge base, such as its embedding model."""

    def all_meta(self) -> dict[str, str]:
        """Return all values recorded about the whole knowledge base."""

    def count(self) -> int:
        """Return the number of documents."""

    def ordinal(self, document_id: str) -> int:
        """Return a document's number. A document that is read again gets a new one; none is used twice."""

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Return ordinal -> id of the documents with an ordinal higher than ``after``."""

    def stored(self, document_id: str) -> Stored:
        """Return a document with its rows."""

    def stored_at(self, ordinal: int) -> Stored | None:
        """Return the document with this ordinal, or None."""

    def find(self, document_ids: Iterable[str]) -> list[Stored]:
        """Return those of these documents that exist."""

    def all_stored(self, collection: str | None = None) -> tuple[Stored, ...]:
        """Return all documents, or those of a collection, in the order of collection and file name."""

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        """Return the documents of ``all_stored``."""

    def places(self) -> list[tuple[int, int, int, str, str]]:
        """Return (ordinal, first row, chunk count, document id, collection) of every document, by first row."""

    def assigned_rows(self, after: int) -> list[tuple[int, int, int]]:
        """Return (ordinal, first row, chunk count) of every document with a higher ordinal, visible or not."""

    def chunk_counts(self) -> dict[int, int]:
        """Return ordinal -> number of chunks of all documents."""

    def chunk_rows(self) -> NDArray[np.int64]:
        """Return the rows of all chunks, in ascending order."""

    def collections(self) -> tuple[CollectionInfo, ...]:
        """Return the collections that have documents, by name."""

    def holds_collection(self, name: str) -> bool:
        """Return whether a collection has visible documents."""

    def collection_names(self) -> list[str]:
        """Return the collections that have documents or files seen, by name."""

    def figures(self, collection: str) -> CollectionFigures:
        """Return how much the documents of a collection contain."""

    def outline_sources(self, collection: str) -> dict[str, str]:
        """Return document id -> where its sections come from."""

    def section_counts(self, collection: str) -> dict[str, int]:
        """Return document id -> number of its sections, for the documents that have any."""

    def own_values(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return (ordinal, value of each column) of every document."""

    def field_records(self, name: str) -> list[tuple[int, str]]:
        """Return (ordinal, value as JSON) of all documents with a metadata field, visible or not."""

    def field_types(self, collections: Sequence[str] = ()) -> dict[str, str]:
        """Return field name -> number, text, boolean or mixed, for the named collections or for all."""

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        """Return a document's text, or the part between two offsets."""

    def page_starts(self, document_id: str) -> tuple[int, ...]:
        """Return the offset at which each page begins."""

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        """Return the index and the printed label of the page with this offset; (0, '') for a document without pages."""

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        """Return the start and end offset of a page. Raises KnowledgeBaseError if the document has no such page."""

    def outline(self, document_id: str) -> tuple[Section, ...]:
        """Return the document's sections, in order."""

    def section_spans(self, entry: Stored, section: str) -> list[tuple[int, int]]:
        """Return (start, end) of the document's sections with this id or number, without reading its outline."""

    def section_by_id(self, section_id: str) -> Section:
        """Return a section by its id. Raises KnowledgeBaseError if there is no such document or section."""

    def chunks(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Chunk, ...]:
        """Return the document's chunks, in order, that begin at an offset in start <= offset < end."""

    def chunk_at(self, entry: Stored, position: int) -> Chunk:
        """Return a chunk by its position in a document. Raises ReplacedError if there is no such chunk (any more)."""

    def chunk_starts(self, entry: Stored) -> NDArray[np.int64]:
        """Return the offsets at which the document's chunks begin, in order."""

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """Return the references and links, in order, whose spans lie within start .. end."""

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        """Return the entries of the document's lists of literature, in order."""

    def files(self, collection: str) -> dict[str, FileState]:
        """Return file name in the collection -> what the last ingestion found there."""

    def unread(self, collection: str) -> tuple[FileState, ...]:
        """Return the records of the files in which nothing can be found, by name: skipped, or without readable text."""

    def read_in_part(self, collection: str) -> tuple[FileState, ...]:
        """Return the records of the files with pages without readable text among others, by name."""

    def document_rows(self, ordinal: int) -> TableRows:
        """Return all that is stored of a document, its resolved references included, for another catalog."""


class Catalog(CatalogReader, Protocol):
    """The catalog with what changes it. A document is written invisibly, then one transaction makes it visible."""

    @property
    def read_only(self) -> bool:
        """Whether this process may only read."""

    @property
    def lock(self) -> Lock:
        """The lock that a process holds while it changes documents and indexes."""

    @property
    def resolved(self) -> ReferenceRows:
        """The graph of resolved references."""

    def names(self, tables: Tables) -> NameTables:
        """Open the tables of names by key; empty ones if they have another format. May raise NotWritableError."""

    def stage(self, documents: Sequence[IndexedDocument]) -> list[Pending]:
        """Write documents invisibly, and assign them consecutive rows that were never used before."""

    def publish(
        self,
        ready: Iterable[int] = (),
        gone: Iterable[int] = (),
        files: Iterable[FileState] = (),
        forgotten: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Make documents visible (``ready``) or invisible (``gone``), by ordinal, in one transaction.

        It also records ``files`` and removes the records of ``forgotten`` files (collection, file). Raises
        KnowledgeBaseError if another process has made a document with the same id visible in the meantime.
        """

    def stage_rows(self, documents: Sequence[TableRows]) -> None:
        """Write documents of another catalog invisibly, with the ordinals and rows they have there.

        The catalog must not have these ordinals, and gives later documents higher ones.
        """

    def leftovers(self) -> list[Pending]:
        """Return the invisible documents that an interrupted change has left, by ordinal."""

    def forget(self, ordinals: Iterable[int]) -> None:
        """Delete documents by ordinal, once no index holds them."""

    def rename(self, document_id: str, file: str, path: str) -> None:
        """Record that a file was moved or renamed; its content is not indexed again."""

    def correct(self, document_id: str, title: str, metadata: Mapping[str, Scalar]) -> None:
        """Change a document's title and metadata. The indexes keep the old words."""

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Record values about the whole knowledge base."""

    def switch(self, values: Mapping[str, str]) -> None:
        """Record values and begin a new generation, so that readers notice."""

    def damage(self) -> str:
        """Return what is damaged and what to do about it, in one sentence; '' if nothing is. May read everything."""

    def checkpoint(self) -> None:
        """Write everything committed to where a copy of the files would have it."""

    def close(self) -> None:
        """Close all connections; the next call opens them again."""
