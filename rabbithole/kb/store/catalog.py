"""Read the catalog: documents, texts, sections, chunks and references. Only complete documents are visible."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError, ReplacedError
from rabbithole.kb.models import BibliographyEntry, Chunk, CollectionInfo, Document, Reference, Scalar, Section

from . import rows
from .database import Database
from .records import FileState
from .rows import CHUNK_COLUMNS, DOCUMENT_COLUMNS, SECTION_COLUMNS, Stored
from .schema import READY

_CACHED_TEXTS = 64


class Catalog:
    """Read access to the catalog, safe for use by several threads; each call sees the last committed change."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.database = Database(folder, create=create)
        # Keyed by ordinal: a document that is ingested again gets a new one, so these caches never go stale.
        self._texts = lru_cache(maxsize=_CACHED_TEXTS)(self._load_text)
        self._pages = lru_cache(maxsize=1024)(self._load_pages)
        self._outlines = lru_cache(maxsize=256)(self._load_outline)

    def close(self) -> None:
        self.database.close()

    @property
    def generation(self) -> int:
        return int(self.meta("generation") or 0)

    def meta(self, key: str) -> str | None:
        row = self.database.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def ordinal(self, document_id: str) -> int:
        """Return a document's ordinal. Raises KnowledgeBaseError if there is no such document."""
        return int(self._ready("ordinal", document_id)[0])

    def stored(self, document_id: str) -> Stored:
        """Return a document with its rows. Raises KnowledgeBaseError if there is no such document."""
        return rows.stored(self._ready(DOCUMENT_COLUMNS, document_id))

    def _ready(self, columns: str, document_id: str) -> tuple[Any, ...]:
        query = f"SELECT {columns} FROM documents WHERE id = ? AND state = {READY}"
        row: tuple[Any, ...] | None = self.database.connection.execute(query, (document_id,)).fetchone()
        if row is None:
            raise KnowledgeBaseError(f"There is no document with id {document_id!r} in this knowledge base.")
        return row

    def find(self, document_ids: Iterable[str]) -> list[Stored]:
        """Return the visible documents among these ids."""
        query = f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ? AND state = {READY}"
        found = [self.database.connection.execute(query, (identifier,)).fetchone() for identifier in document_ids]
        return [rows.stored(row) for row in found if row is not None]

    def all_stored(self, collection: str | None = None) -> tuple[Stored, ...]:
        """Return all visible documents, or those of a collection, in the order of collection and file name."""
        condition, arguments = ("AND collection = ?", (collection,)) if collection is not None else ("", ())
        found = self.database.connection.execute(
            f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE state = {READY} {condition} ORDER BY collection, file, id",
            arguments,
        )
        return tuple(map(rows.stored, found))

    def stored_at(self, ordinal: int) -> Stored | None:
        """Return the visible document with this ordinal, or None."""
        row = self.database.connection.execute(
            f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE ordinal = ? AND state = {READY}", (ordinal,)
        ).fetchone()
        return None if row is None else rows.stored(row)

    def count(self) -> int:
        """Return the number of visible documents."""
        query = f"SELECT count(*) FROM documents WHERE state = {READY}"
        return int(self.database.connection.execute(query).fetchone()[0])

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Return ordinal -> id of the visible documents with an ordinal higher than ``after``."""
        return dict(
            self.database.connection.execute(
                f"SELECT ordinal, id FROM documents WHERE ordinal > ? AND state = {READY} ORDER BY ordinal", (after,)
            )
        )

    def places(self) -> list[tuple[int, int, int, str, str]]:
        """Return (ordinal, first row, chunk count, document id, collection) of every visible document, by first row."""
        return self.database.connection.execute(
            "SELECT ordinal, first_row, chunk_count, id, collection FROM documents "
            f"WHERE state = {READY} ORDER BY first_row, ordinal"
        ).fetchall()

    def assigned_rows(self, after: int) -> list[tuple[int, int, int]]:
        """Return (ordinal, first row, chunk count) of every document with a higher ordinal, visible or not."""
        return self.database.connection.execute(
            "SELECT ordinal, first_row, chunk_count FROM documents WHERE ordinal > ? ORDER BY ordinal", (after,)
        ).fetchall()

    def own_values(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return (ordinal, value of each column) of every visible document."""
        return self.database.connection.execute(
            f"SELECT ordinal, {', '.join(columns)} FROM documents WHERE state = {READY}"
        ).fetchall()

    def field_records(self, name: str) -> list[tuple[int, str]]:
        """Return (ordinal, value as JSON) of all documents with a metadata field, visible or not."""
        return self.database.connection.execute("SELECT document, value FROM fields WHERE name = ?", (name,)).fetchall()

    def spans(self) -> list[tuple[int, int, str, str, str]]:
        """Return (first row, chunk count, document id, collection, language) of all visible documents, by first row."""
        return self.database.connection.execute(
            "SELECT first_row, chunk_count, id, collection, language FROM documents "
            f"WHERE state = {READY} ORDER BY first_row"
        ).fetchall()

    def chunk_counts(self) -> dict[int, int]:
        """Return ordinal -> number of chunks of all visible documents."""
        return {ordinal: count for ordinal, _, count, *_ in self.places()}

    def chunk_rows(self) -> NDArray[np.int64]:
        """Return the rows of all visible chunks, in ascending order."""
        parts = [np.arange(first, first + count, dtype=np.int64) for first, count, *_ in self.spans()]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    def collections(self) -> tuple[CollectionInfo, ...]:
        found = self.database.connection.execute(
            "SELECT collection, count(*), sum(pages), sum(chunk_count), json_group_array(DISTINCT language) "
            f"FROM documents WHERE state = {READY} GROUP BY collection ORDER BY collection"
        ).fetchall()
        model = self.meta("embedding_model") or ""
        return tuple(
            CollectionInfo(
                name=name,
                documents=documents,
                pages=pages,
                chunks=chunks,
                embedding_model=model,
                languages=tuple(sorted(json.loads(languages))),
                fields=self.field_types((name,)),
            )
            for name, documents, pages, chunks, languages in found
        )

    def field_values(self, name: str) -> dict[str, Scalar]:
        """Return document id -> value of a metadata field, for the documents that have it."""
        found = self.database.connection.execute(
            "SELECT d.id, f.value FROM fields f JOIN documents d ON d.ordinal = f.document "
            f"WHERE f.name = ? AND d.state = {READY}",
            (name,),
        )
        return {identifier: json.loads(value) for identifier, value in found}

    def field_types(self, collections: Sequence[str] = ()) -> dict[str, str]:
        """Return field name -> number, text, boolean or mixed, for the named collections or for all."""
        marks = ",".join("?" * len(collections))
        condition = f"AND d.collection IN ({marks})" if collections else ""
        found = self.database.connection.execute(
            "SELECT f.name, group_concat(DISTINCT json_type(f.value)) FROM fields f "
            f"JOIN documents d ON d.ordinal = f.document WHERE d.state = {READY} {condition} "
            "GROUP BY f.name ORDER BY f.name",
            tuple(collections),
        )
        return {name: _type_name(set(kinds.split(","))) for name, kinds in found}

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self._texts(self.ordinal(document_id))[start:end]

    def page_starts(self, document_id: str) -> tuple[int, ...]:
        return self._pages(self.ordinal(document_id))[0]

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        """Return the index and the printed label of the page with this offset; (0, '') for a document without pages."""
        starts, labels = self._pages(self.ordinal(document_id))
        if not starts:
            return 0, ""
        page = max(bisect_right(starts, offset) - 1, 0)
        return page, labels[page]

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        """Return the start and end offset of a page. Raises KnowledgeBaseError if the document has no such page."""
        entry = self.stored(document_id)
        starts, _ = self._pages(entry.ordinal)
        if not 0 <= page < len(starts):
            raise KnowledgeBaseError(f"{entry.document.file} has {len(starts)} pages; there is no page index {page}.")
        end = starts[page + 1] if page + 1 < len(starts) else len(self._texts(entry.ordinal))
        return starts[page], end

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self._outlines(self.ordinal(document_id), document_id)

    def section_spans(self, entry: Stored, section: str) -> list[tuple[int, int]]:
        """Return (start, end) of the document's sections with this id or number, without reading its outline."""
        parts = rows.split_id(section, "s")
        position = parts[1] if parts and parts[0] == entry.document.id else -1
        return self.database.connection.execute(
            'SELECT start, "end" FROM sections WHERE document = ? AND (position = ? OR number = ?) ORDER BY position',
            (entry.ordinal, position, section),
        ).fetchall()

    def section_by_id(self, section_id: str) -> Section:
        """Return a section by its id. Raises KnowledgeBaseError if there is no such document or section."""
        parts = rows.split_id(section_id, "s")
        outline = self.outline(parts[0]) if parts else ()
        if parts is None or parts[1] >= len(outline):
            raise KnowledgeBaseError(f"There is no section with id {section_id!r} in this knowledge base.")
        return outline[parts[1]]

    def chunks(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Chunk, ...]:
        """Return the document's chunks, in order, that begin at an offset in start <= offset < end."""
        ordinal = self.ordinal(document_id)
        text = self._texts(ordinal)
        found = self.database.connection.execute(
            f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE document = ? AND start >= ? AND start < ? ORDER BY position",
            (ordinal, start, len(text) + 1 if end is None else end),
        )
        return tuple(rows.chunk(document_id, row, text[row[5] : row[6]]) for row in found)

    def chunk_at(self, entry: Stored, position: int) -> Chunk:
        """Return a chunk by its position in a document. Raises ReplacedError if there is no such chunk (any more)."""
        row = self.database.connection.execute(
            f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE document = ? AND position = ?", (entry.ordinal, position)
        ).fetchone()
        if row is None:
            raise ReplacedError(f"There is no chunk {position} in {entry.document.file}.")
        return rows.chunk(entry.document.id, row, self._texts(entry.ordinal)[row[5] : row[6]])

    def chunk_starts(self, entry: Stored) -> NDArray[np.int64]:
        """Return the offsets at which the document's chunks begin, in order."""
        found = self.database.connection.execute(
            "SELECT start FROM chunks WHERE document = ? ORDER BY position", (entry.ordinal,)
        ).fetchall()
        return np.array([start for (start,) in found], dtype=np.int64)

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """Return the references and links, in order, whose spans lie within start .. end."""
        found = self.database.connection.execute(
            'SELECT record FROM mentions WHERE document = ? AND start >= ? AND "end" <= ? ORDER BY position',
            (self.ordinal(document_id), start, 2**62 if end is None else end),
        )
        return tuple(rows.reference(record) for (record,) in found)

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        found = self.database.connection.execute(
            "SELECT record FROM bibliography WHERE document = ? ORDER BY position",
            (self.ordinal(document_id),),
        )
        return tuple(rows.bibliography_entry(record) for (record,) in found)

    def files(self, collection: str) -> dict[str, FileState]:
        """Return file name in the collection -> what the last ingestion found there."""
        found = self.database.connection.execute(
            "SELECT file, record FROM files WHERE collection = ? ORDER BY file", (collection,)
        )
        return {file: FileState.model_validate_json(record) for file, record in found}

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(entry.document for entry in self.all_stored(collection))

    def _load_text(self, ordinal: int) -> str:
        row = self.database.connection.execute("SELECT text FROM texts WHERE document = ?", (ordinal,)).fetchone()
        return str(row[0])

    def _load_pages(self, ordinal: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        starts, labels = self.database.connection.execute(
            "SELECT page_starts, page_labels FROM texts WHERE document = ?", (ordinal,)
        ).fetchone()
        return tuple(json.loads(starts)), tuple(json.loads(labels))

    def _load_outline(self, ordinal: int, document_id: str) -> tuple[Section, ...]:
        found = self.database.connection.execute(
            f"SELECT {SECTION_COLUMNS} FROM sections WHERE document = ? ORDER BY position", (ordinal,)
        )
        return tuple(rows.section(document_id, row) for row in found)


def _type_name(kinds: set[str]) -> str:
    names = {
        {"integer": "number", "real": "number", "text": "text", "true": "boolean", "false": "boolean"}.get(kind, "text")
        for kind in kinds - {"null"}
    }
    return names.pop() if len(names) == 1 else "mixed" if names else "text"
