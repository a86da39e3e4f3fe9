"""Checking, mending and rebuilding the indexes from the catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError

from . import writes
from .database import damaged
from .indexes import FORMAT, Indexes
from .keywords import KeywordEntry
from .matrix import Float32, Rows
from .records import embedding_texts
from .rows import Stored
from .store import Store

Progress = Callable[[int, int], None]
_TOGETHER = 8192
_DOCUMENTS = 32
"""Documents whose keywords are committed together."""


def check(store: Store) -> list[str]:
    """What is wrong, a sentence each; empty when all is well. Changes nothing."""
    damage = _catalog_damage(store)
    if damage:
        return [damage]  # everything else is judged by the catalog
    problems: list[str] = []
    if unfinished := writes.leftovers(store.catalog.database):
        problems.append(f"{len(unfinished)} documents of an interrupted change are left; the next writer removes them.")
    rows = _rows(store)
    problems += _wrong_words(store, len(rows))
    if not len(rows):
        return problems
    sound = _in_parts(store.matrix.sound, rows)
    if not sound.all():
        missing = _missing(store, rows)
        said = "is incomplete" if missing else f"is damaged in {np.count_nonzero(~sound)} of {len(rows)} rows"
        problems.append(f"The copy of the vectors for searching {said}.")
    if store.catalog.database.read_only and store.settings.chroma_url is None:
        return problems  # embedded Chroma cannot be opened on a read-only disk, and is only read for mending
    store.vectors.close()
    try:
        problems += _wrong_in_chroma(store, rows, sound)
    except KnowledgeBaseError as error:
        problems.append(str(error))
    return problems


def repair(store: Store, progress: Progress | None = None) -> None:
    """Make whole what ``check`` found: each copy of the vectors from the other one, the model only for what is lost.

    A folder that cannot be read is set aside under another name first. Raises KnowledgeBaseError for a damaged catalog:
    everything is rebuilt from it.
    """
    damage = _catalog_damage(store)
    if damage:
        raise KnowledgeBaseError(damage)
    store.begin()
    try:
        store.catalog.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _open_chroma(store)
        entries = store.catalog.all_stored()
        for done, entry in enumerate(entries):
            _repair_vectors(store, entry)
            _tell(progress, done + 1, len(entries))
        if _wrong_words(store, sum(entry.chunk_count for entry in entries)):
            if store.indexes.damaged_words():
                store.indexes.set_words_aside()
            store.keywords.clear()
            _index_words(store, store.indexes)
        writes.publish(store.catalog.database)
    finally:
        store.release()


def _catalog_damage(store: Store) -> str:
    """What SQLite's own check finds, with what to do; '' when the catalog is sound."""
    try:
        answers = [str(row[0]) for row in store.catalog.database.connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        answers = [str(error)]
    return "" if answers == ["ok"] else damaged(store.folder, "; ".join(" ".join(one.split()) for one in answers))


def _wrong_words(store: Store, chunks: int) -> list[str]:
    damaged_words = store.indexes.damaged_words()
    if damaged_words:
        return [damaged_words]
    store.refresh()
    found = store.keywords.count()
    return [f"The keyword index holds {found} chunks, the catalog {chunks}."] if found != chunks else []


def _missing(store: Store, rows: Rows) -> bool:
    """Whether rows were never written, as far as the files go."""
    return (
        not store.matrix.holds(int(rows.max()) + 1)
        or not _in_parts(lambda part: _written(store.matrix.vectors(part)), rows).all()
    )


def _wrong_in_chroma(store: Store, rows: Rows, sound: NDArray[np.bool_]) -> list[str]:
    kept = _in_parts(lambda part: _written(store.vectors.get(part.tolist(), store.dimension)), rows)
    if not kept.all():
        return ["Chroma does not hold all vectors."]
    same = _in_parts(lambda part: _same(store, part, store.vectors.get(part.tolist(), store.dimension)), rows[sound])
    return [] if same.all() else [f"Chroma holds {np.count_nonzero(~same)} vectors that differ from those searched."]


def _same(store: Store, rows: Rows, kept: Float32) -> NDArray[np.bool_]:
    """Chroma may scale a vector; what it points to must stay."""
    near: NDArray[np.bool_] = np.isclose(_unit(store.matrix.vectors(rows)), _unit(kept), atol=1e-3)
    return np.logical_and.reduce(near, axis=1)


def _written(vectors: Float32) -> NDArray[np.bool_]:
    """A row that was never written is all zeros."""
    return np.logical_or.reduce(vectors != 0, axis=1)


def _unit(vectors: Float32) -> Float32:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _open_chroma(store: Store) -> None:
    """Open Chroma, with an empty folder where the one that is there cannot be read."""
    try:
        store.vectors.count()
        if spans := store.catalog.spans():
            store.vectors.get([spans[0][0]], store.dimension)
    except KnowledgeBaseError:
        if store.settings.chroma_url is not None:
            raise
        store.vectors.set_aside()


def _in_parts(ask: Callable[[Rows], NDArray[np.bool_]], rows: Rows) -> NDArray[np.bool_]:
    """The answers of all rows, asked for some thousand at a time so that memory is not the limit."""
    parts = [ask(rows[start : start + _TOGETHER]) for start in range(0, len(rows), _TOGETHER)]
    return np.concatenate(parts) if parts else np.ones(0, dtype=np.bool_)


def rebuild(store: Store, progress: Progress | None = None) -> None:
    """Make all indexes anew with the store's embedding model; the old ones answer until the new ones are complete."""
    store.begin()
    try:
        dimension = store.embedder.dimension
        epoch = store.epoch + 1
        new = Indexes(store.folder, epoch, store.settings.chroma_url, lambda: dimension, create=True)
        new.remove()
        new = Indexes(store.folder, epoch, store.settings.chroma_url, lambda: dimension, create=True)
        entries = store.catalog.all_stored()
        for done, entry in enumerate(entries):
            vectors = _embedded(store, entry)
            new.matrix.write(entry.first_row, vectors)
            new.vectors.add(entry.first_row, vectors)
            _tell(progress, done + 1, len(entries))
        _index_words(store, new)
        old = store.indexes
        store.indexes = new
        writes.switch(
            store.catalog.database,
            {
                "epoch": str(epoch),
                "embedding_model": store.embedder.name,
                "embedding_dimension": str(dimension),
                "index_format": FORMAT,
            },
        )
        old.remove()
    finally:
        store.release()


def _repair_vectors(store: Store, entry: Stored) -> None:
    if not entry.chunk_count:
        return
    rows = np.arange(entry.first_row, entry.first_row + entry.chunk_count, dtype=np.int64)
    kept = store.vectors.get(rows.tolist(), store.dimension)
    sound = store.matrix.sound(rows)
    if sound.all() and _filled(kept) and _same(store, rows, kept).all():
        return
    # Rows that have a checksum that fits are believed before Chroma, which keeps none.
    whole = store.matrix.vectors(rows) if sound.all() else kept if _filled(kept) else _embedded(store, entry)
    store.matrix.write(entry.first_row, whole)
    store.vectors.add(entry.first_row, whole)


def _embedded(store: Store, entry: Stored) -> Float32:
    document = entry.document
    texts = list(embedding_texts(document.title, store.catalog.chunks(document.id), store.catalog.text(document.id)))
    if not texts:
        return np.empty((0, store.embedder.dimension), dtype=np.float32)
    return store.embedder.embed(texts)


def _index_words(store: Store, indexes: Indexes) -> None:
    entries = store.catalog.all_stored()
    for start in range(0, len(entries), _DOCUMENTS):
        indexes.keywords.change(add=_words(store, entries[start : start + _DOCUMENTS]))


def _words(store: Store, entries: tuple[Stored, ...]) -> Iterator[KeywordEntry]:
    for entry in entries:
        document = entry.document
        chunks, whole = store.catalog.chunks(document.id), store.catalog.text(document.id)
        for position, text in enumerate(embedding_texts(document.title, chunks, whole)):
            yield KeywordEntry(entry.first_row + position, entry.ordinal, document.collection, document.language, text)


def _rows(store: Store) -> Rows:
    spans = store.catalog.spans()
    parts = [np.arange(first, first + count, dtype=np.int64) for first, count, *_ in spans]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _filled(vectors: Float32) -> bool:
    return bool(_written(vectors).all())


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
