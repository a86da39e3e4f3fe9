"""Read the catalog by SQL: documents, texts, sections, chunks and references."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError, ReplacedError
from rabbithole.kb.models import BibliographyEntry, Chunk, CollectionInfo, Document, Reference, Section
from rabbithole.kb.store import rows
from rabbithole.kb.store.catalog import CollectionFigures, TableRows
from rabbithole.kb.store.engine import Engine
from rabbithole.kb.store.records import NEEDS_OCR, UNREADABLE, FileState
from rabbithole.kb.store.rows import CHUNK_COLUMNS, DOCUMENT_COLUMNS, SECTION_COLUMNS, Stored

from .copied_rows import rows_of
from .schema import READY
from .sql_references import SqlReferences

_CACHED_TEXTS = 64


class CatalogReading:
    """Reads the tables of the catalog; see ``store.catalog.CatalogReader``."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.resolved = SqlReferences(engine)
        # Keyed by ordinal: a document that is ingested again gets a new one, so these caches never go stale.
        self._texts = lru_cache(maxsize=_CACHED_TEXTS)(self._load_text)
        self._pages = lru_cache(maxsize=1024)(self._load_pages)
        self._outlines = lru_cache(maxsize=256)(self._load_outline)

    def close(self) -> None:
        self.engine.close()

    @property
    def generation(self) -> int:
        return int(self.meta("generation") or 0)

    def meta(self, key: str) -> str | None:
        found = self.engine.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(found[0][0]) if found else None

    def all_meta(self) -> dict[str, str]:
        return dict(self.engine.rows("SELECT key, value FROM meta"))

    def ordinal(self, document_id: str) -> int:
        return int(self._ready("ordinal", document_id)[0])

    def stored(self, document_id: str) -> Stored:
        return rows.stored(self._ready(DOCUMENT_COLUMNS, document_id))

    def _ready(self, columns: str, document_id: str) -> tuple[Any, ...]:
        query = f"SELECT {columns} FROM documents WHERE id = ? AND state = {READY}"
        found: list[tuple[Any, ...]] = self.engine.rows(query, (document_id,))
        if not found:
            raise KnowledgeBaseError(f"There is no document with id {document_id!r} in this knowledge base.")
        return found[0]

    def find(self, document_ids: Iterable[str]) -> list[Stored]:
        query = f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE id = ? AND state = {READY}"
        return [rows.stored(row) for identifier in document_ids for row in self.engine.rows(query, (identifier,))]

    def all_stored(self, collection: str | None = None) -> tuple[Stored, ...]:
        condition, arguments = ("AND collection = ?", (collection,)) if collection is not None else ("", ())
        found = self.engine.rows(
            f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE state = {READY} {condition} ORDER BY collection, file, id",
            arguments,
        )
        return tuple(map(rows.stored, found))

    def stored_at(self, ordinal: int) -> Stored | None:
        query = f"SELECT {DOCUMENT_COLUMNS} FROM documents WHERE ordinal = ? AND state = {READY}"
        found = self.engine.rows(query, (ordinal,))
        return rows.stored(found[0]) if found else None

    def count(self) -> int:
        query = f"SELECT count(*) FROM documents WHERE state = {READY}"
        return int(self.engine.rows(query)[0][0])

    def ordinals(self, after: int = 0) -> dict[int, str]:
        return dict(
            self.engine.rows(
                f"SELECT ordinal, id FROM documents WHERE ordinal > ? AND state = {READY} ORDER BY ordinal", (after,)
            )
        )

    def places(self) -> list[tuple[int, int, int, str, str]]:
        return self.engine.rows(
            "SELECT ordinal, first_row, chunk_count, id, collection FROM documents "
            f"WHERE state = {READY} ORDER BY first_row, ordinal"
        )

    def assigned_rows(self, after: int) -> list[tuple[int, int, int]]:
        return self.engine.rows(
            "SELECT ordinal, first_row, chunk_count FROM documents WHERE ordinal > ? ORDER BY ordinal", (after,)
        )

    def chunk_counts(self) -> dict[int, int]:
        return {ordinal: count for ordinal, _, count, *_ in self.places()}

    def own_values(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        return self.engine.rows(f"SELECT ordinal, {', '.join(columns)} FROM documents WHERE state = {READY}")

    def field_records(self, name: str) -> list[tuple[int, str]]:
        return self.engine.rows("SELECT document, value FROM fields WHERE name = ?", (name,))

    def chunk_rows(self) -> NDArray[np.int64]:
        parts = [np.arange(first, first + count, dtype=np.int64) for _, first, count, *_ in self.places()]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    def collections(self) -> tuple[CollectionInfo, ...]:
        figures: dict[str, tuple[int, int, int]] = {}
        languages: dict[str, set[str]] = {}
        for name, language, *counted in self.engine.rows(
            "SELECT collection, language, count(*), CAST(sum(pages) AS BIGINT), CAST(sum(chunk_count) AS BIGINT) "
            f"FROM documents WHERE state = {READY} GROUP BY collection, language ORDER BY collection"
        ):
            documents, pages, chunks = (a + b for a, b in zip(figures.get(name, (0, 0, 0)), counted, strict=True))
            figures[name] = documents, pages, chunks
            languages.setdefault(name, set()).add(language)
        model = self.meta("embedding_model") or ""
        return tuple(
            CollectionInfo(
                name=name,
                documents=documents,
                pages=pages,
                chunks=chunks,
                embedding_model=model,
                languages=tuple(sorted(languages[name])),
                fields=self.field_types((name,)),
            )
            for name, (documents, pages, chunks) in figures.items()
        )

    def holds_collection(self, name: str) -> bool:
        query = f"SELECT 1 FROM documents WHERE collection = ? AND state = {READY} LIMIT 1"
        return bool(self.engine.rows(query, (name,)))

    def collection_names(self) -> list[str]:
        found = self.engine.rows(
            f"SELECT collection FROM files UNION SELECT collection FROM documents WHERE state = {READY} ORDER BY 1"
        )
        return [str(name) for (name,) in found]

    def figures(self, collection: str) -> CollectionFigures:
        def total(expression: str, table: str, condition: str = "1 = 1") -> int:
            query = (
                f"SELECT CAST(coalesce({expression}, 0) AS BIGINT) FROM {table} JOIN documents d "
                f"ON d.ordinal = {table}.document WHERE d.state = {READY} AND d.collection = ? AND {condition}"
            )
            return int(self.engine.rows(query, (collection,))[0][0])

        return CollectionFigures(
            sections=total("count(*)", "sections"),
            characters=total("sum(length(text))", "texts"),
            links=total("count(*)", "mentions", "link = 1"),
            bibliography=total("count(*)", "bibliography"),
        )

    def outline_sources(self, collection: str) -> dict[str, str]:
        query = f"SELECT id, outline_source FROM documents WHERE state = {READY} AND collection = ?"
        return dict(self.engine.rows(query, (collection,)))

    def section_counts(self, collection: str) -> dict[str, int]:
        query = (
            "SELECT d.id, count(*) FROM documents d JOIN sections s ON s.document = d.ordinal "
            f"WHERE d.state = {READY} AND d.collection = ? GROUP BY d.id"
        )
        return dict(self.engine.rows(query, (collection,)))

    def field_types(self, collections: Sequence[str] = ()) -> dict[str, str]:
        marks = ",".join("?" * len(collections))
        condition = f"AND d.collection IN ({marks})" if collections else ""
        found = self.engine.rows(
            "SELECT DISTINCT f.name, substr(f.value, 1, 1) FROM fields f "
            f"JOIN documents d ON d.ordinal = f.document WHERE d.state = {READY} {condition} ORDER BY f.name",
            tuple(collections),
        )
        kinds: dict[str, set[str]] = {}
        for name, first in found:
            kinds.setdefault(name, set()).add(first)
        return {name: _type_name(firsts) for name, firsts in kinds.items()}

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self._texts(self.ordinal(document_id))[start:end]

    def page_starts(self, document_id: str) -> tuple[int, ...]:
        return self._pages(self.ordinal(document_id))[0]

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        starts, labels = self._pages(self.ordinal(document_id))
        if not starts:
            return 0, ""
        page = max(bisect_right(starts, offset) - 1, 0)
        return page, labels[page]

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        entry = self.stored(document_id)
        starts, _ = self._pages(entry.ordinal)
        if not 0 <= page < len(starts):
            raise KnowledgeBaseError(f"{entry.document.file} has {len(starts)} pages; there is no page index {page}.")
        end = starts[page + 1] if page + 1 < len(starts) else len(self._texts(entry.ordinal))
        return starts[page], end

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self._outlines(self.ordinal(document_id), document_id)

    def section_spans(self, entry: Stored, section: str) -> list[tuple[int, int]]:
        parts = rows.split_id(section, "s")
        position = parts[1] if parts and parts[0] == entry.document.id else -1
        return self.engine.rows(
            'SELECT start, "end" FROM sections WHERE document = ? AND (position = ? OR number = ?) ORDER BY position',
            (entry.ordinal, position, section),
        )

    def section_by_id(self, section_id: str) -> Section:
        parts = rows.split_id(section_id, "s")
        outline = self.outline(parts[0]) if parts else ()
        if parts is None or parts[1] >= len(outline):
            raise KnowledgeBaseError(f"There is no section with id {section_id!r} in this knowledge base.")
        return outline[parts[1]]

    def chunks(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Chunk, ...]:
        ordinal = self.ordinal(document_id)
        text = self._texts(ordinal)
        found = self.engine.rows(
            f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE document = ? AND start >= ? AND start < ? ORDER BY position",
            (ordinal, start, len(text) + 1 if end is None else end),
        )
        return tuple(rows.chunk(document_id, row, text[row[5] : row[6]]) for row in found)

    def chunk_at(self, entry: Stored, position: int) -> Chunk:
        query = f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE document = ? AND position = ?"
        found = self.engine.rows(query, (entry.ordinal, position))
        if not found:
            raise ReplacedError(f"There is no chunk {position} in {entry.document.file}.")
        row = found[0]
        return rows.chunk(entry.document.id, row, self._texts(entry.ordinal)[row[5] : row[6]])

    def chunk_starts(self, entry: Stored) -> NDArray[np.int64]:
        found = self.engine.rows("SELECT start FROM chunks WHERE document = ? ORDER BY position", (entry.ordinal,))
        return np.array([start for (start,) in found], dtype=np.int64)

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        found = self.engine.rows(
            'SELECT record FROM mentions WHERE document = ? AND start >= ? AND "end" <= ? ORDER BY position',
            (self.ordinal(document_id), start, 2**62 if end is None else end),
        )
        return tuple(rows.reference(record) for (record,) in found)

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        found = self.engine.rows(
            "SELECT record FROM bibliography WHERE document = ? ORDER BY position",
            (self.ordinal(document_id),),
        )
        return tuple(rows.bibliography_entry(record) for (record,) in found)

    def files(self, collection: str) -> dict[str, FileState]:
        found = self.engine.rows("SELECT file, record FROM files WHERE collection = ? ORDER BY file", (collection,))
        return {file: FileState.model_validate_json(record) for file, record in found}

    def unread(self, collection: str) -> tuple[FileState, ...]:
        states = self._files_like(collection, '%"status":"skipped"%', f"%{UNREADABLE}%")
        return tuple(state for state in states if state.unread)

    def read_in_part(self, collection: str) -> tuple[FileState, ...]:
        states = self._files_like(collection, f"%{NEEDS_OCR}%", f"%{NEEDS_OCR}%")
        return tuple(state for state in states if state.read_in_part)

    def _files_like(self, collection: str, one: str, other: str) -> Iterator[FileState]:
        found = self.engine.rows(
            "SELECT record FROM files WHERE collection = ? AND (record LIKE ? OR record LIKE ?) ORDER BY file",
            (collection, one, other),
        )
        return (FileState.model_validate_json(record) for (record,) in found)

    def document_rows(self, ordinal: int) -> TableRows:
        return rows_of(self.engine, ordinal, graph=self.resolved.exist)

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return tuple(entry.document for entry in self.all_stored(collection))

    def _load_text(self, ordinal: int) -> str:
        return str(self._text_row("text", ordinal)[0])

    def _load_pages(self, ordinal: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        starts, labels = self._text_row("page_starts, page_labels", ordinal)
        return tuple(json.loads(starts)), tuple(json.loads(labels))

    def _text_row(self, columns: str, ordinal: int) -> tuple[Any, ...]:
        found: list[tuple[Any, ...]] = self.engine.rows(f"SELECT {columns} FROM texts WHERE document = ?", (ordinal,))
        if not found:
            raise ReplacedError("A document was replaced or removed while it was read: ask again.")
        return found[0]

    def _load_outline(self, ordinal: int, document_id: str) -> tuple[Section, ...]:
        found = self.engine.rows(
            f"SELECT {SECTION_COLUMNS} FROM sections WHERE document = ? ORDER BY position", (ordinal,)
        )
        return tuple(rows.section(document_id, row) for row in found)


def _type_name(firsts: set[str]) -> str:
    """Return the type of JSON values by their first characters."""
    names = {"number" if first in "-0123456789" else "boolean" if first in "tf" else "text" for first in firsts - {"n"}}
    return names.pop() if len(names) == 1 else "mixed" if names else "text"
