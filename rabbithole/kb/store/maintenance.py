"""Checking, mending and rebuilding the indexes from the catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from . import writes
from .indexes import FORMAT, Indexes
from .keywords import Entry
from .matrix import Float32
from .records import embedding_text
from .rows import Stored
from .store import Store

Progress = Callable[[int, int], None]
_DOCUMENTS = 32
"""Documents whose keywords are committed together."""


def check(store: Store) -> list[str]:
    """What is wrong, a sentence each; empty when all is well. Changes nothing."""
    problems: list[str] = []
    for (answer,) in store.catalog.database.connection.execute("PRAGMA integrity_check"):
        if answer != "ok":
            problems.append(f"The catalog is damaged: {answer}.")
    if unfinished := writes.leftovers(store.catalog.database):
        problems.append(f"{len(unfinished)} documents of an interrupted change are left; the next writer removes them.")
    rows = _rows(store)
    store.refresh()
    if store.keywords.count() != len(rows):
        problems.append(f"The keyword index holds {store.keywords.count()} chunks, the catalog {len(rows)}.")
    if not len(rows):
        return problems
    if not store.matrix.holds(int(rows.max()) + 1) or not _filled(store.matrix.vectors(rows)):
        problems.append("The copy of the vectors for searching is incomplete.")
    if store.catalog.database.read_only and store.settings.chroma_url is None:
        return problems  # embedded Chroma cannot be opened on a read-only disk, and is only read for mending
    store.vectors.close()
    if not _filled(store.vectors.get(rows.tolist(), store.dimension)):
        problems.append("Chroma does not hold all vectors.")
    return problems


def repair(store: Store, progress: Progress | None = None) -> None:
    """Make whole what ``check`` found: each copy of the vectors from the other one, the model only for what is lost."""
    store.begin()
    try:
        store.catalog.database.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        entries = store.catalog.all_stored()
        for done, entry in enumerate(entries):
            _repair_vectors(store, entry)
            _tell(progress, done + 1, len(entries))
        if store.keywords.count() != sum(entry.chunk_count for entry in entries):
            store.keywords.clear()
            _index_words(store, store.indexes)
        writes.publish(store.catalog.database)
    finally:
        store.release()


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
    copied = store.matrix.vectors(rows) if store.matrix.holds(int(rows[-1]) + 1) else np.zeros_like(kept)
    if _filled(kept) and _filled(copied):
        return
    whole = kept if _filled(kept) else copied if _filled(copied) else _embedded(store, entry)
    store.matrix.write(entry.first_row, whole)
    store.vectors.add(entry.first_row, whole)


def _embedded(store: Store, entry: Stored) -> Float32:
    document = entry.document
    texts = [embedding_text(document.title, chunk) for chunk in store.catalog.chunks(document.id)]
    if not texts:
        return np.empty((0, store.embedder.dimension), dtype=np.float32)
    return store.embedder.embed(texts)


def _index_words(store: Store, indexes: Indexes) -> None:
    entries = store.catalog.all_stored()
    for start in range(0, len(entries), _DOCUMENTS):
        indexes.keywords.change(add=_words(store, entries[start : start + _DOCUMENTS]))


def _words(store: Store, entries: tuple[Stored, ...]) -> Iterator[Entry]:
    for entry in entries:
        document = entry.document
        for position, chunk in enumerate(store.catalog.chunks(document.id)):
            text = embedding_text(document.title, chunk)
            yield Entry(entry.first_row + position, entry.ordinal, document.collection, document.language, text)


def _rows(store: Store) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    spans = store.catalog.spans()
    parts = [np.arange(first, first + count, dtype=np.int64) for first, count, *_ in spans]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _filled(vectors: Float32) -> bool:
    """A row that was never written is all zeros."""
    return bool(vectors.any(axis=1).all())


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
