"""Check, repair and rebuild the indexes from the catalog."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError

from . import former_chroma
from .indexes import FORMAT, Indexes
from .keywords import KeywordEntry
from .ports import Passage, VectorIndex
from .records import embedding_texts
from .rows import Stored
from .store import Store
from .vectors.matrix import Float32, Rows
from .vectors.vector_choice import META, for_new

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
_TOGETHER = 8192
_DOCUMENTS = 32
"""The number of documents whose keywords are committed together."""


def check(store: Store) -> list[str]:
    """Return what is wrong with a knowledge base, one sentence each; empty if nothing is. Changes nothing."""
    damage = store.catalog.damage()
    if damage:
        return [damage]  # everything else is compared with the catalog
    problems: list[str] = []
    if unfinished := store.catalog.leftovers():
        problems.append(f"{len(unfinished)} documents of an interrupted change are left; the next writer removes them.")
    rows = store.catalog.chunk_rows()
    problems += _wrong_words(store, len(rows))
    if len(rows):
        try:
            damaged_rows = np.count_nonzero(~_sound(store, rows))
        except KnowledgeBaseError as error:
            return [*problems, str(error)]
        if damaged_rows:
            problems.append(f"{damaged_rows} of {len(rows)} vectors are missing or damaged.")
    return problems


def repair(store: Store, progress: Progress | None = None) -> None:
    """Repair what ``check`` found: take words from the catalog, and lost vectors from a copy or the embedding model.

    An index that cannot be read is set aside first. Raises KnowledgeBaseError for a damaged catalog, from which
    everything else is made. ``progress`` gets the number of documents done and of all.
    """
    damage = store.catalog.damage()
    if damage:
        raise KnowledgeBaseError(damage)
    store.begin()
    try:
        store.catalog.checkpoint()
        _readable(store)
        former = former_chroma.copy_of(store.catalog, store.folder, store.settings)
        entries = store.catalog.all_stored()
        for done, entry in enumerate(entries):
            _repair_vectors(store, entry, former)
            _tell(progress, done + 1, len(entries))
        if _wrong_words(store, sum(entry.chunk_count for entry in entries)):
            if store.indexes.damaged_words():
                store.indexes.set_words_aside()
            store.keywords.clear()
            _index_words(store, store.indexes)
        if former is not None:
            former.close()
        former_chroma.settle(store.catalog, store.folder, store.vectors, store.settings)
        store.catalog.publish()
    finally:
        store.release()


def _wrong_words(store: Store, chunks: int) -> list[str]:
    damaged_words = store.indexes.damaged_words()
    if damaged_words:
        return [damaged_words]
    store.refresh()
    found = store.keywords.count()
    return [f"The keyword index holds {found} chunks, the catalog {chunks}."] if found != chunks else []


def _readable(store: Store) -> None:
    """Set a local vector index aside if it cannot be read. Raises KnowledgeBaseError for one on a server."""
    try:
        store.vectors.sound(store.catalog.chunk_rows()[:1])
    except KnowledgeBaseError:
        if store.vector_kind == "chroma-server":
            raise
        store.vectors.set_aside()


def _sound(store: Store, rows: Rows) -> NDArray[np.bool_]:
    """Return which rows have an intact vector, checking some thousand at a time to limit memory."""
    parts = [store.vectors.sound(rows[start : start + _TOGETHER]) for start in range(0, len(rows), _TOGETHER)]
    return np.concatenate(parts) if parts else np.ones(0, dtype=np.bool_)


def rebuild(store: Store, progress: Progress | None = None, *, keep_vectors: bool = False) -> None:
    """Make all indexes anew according to the settings; searches use the old ones until the new ones are complete.

    ``keep_vectors``: take the vectors from the old index and embed only documents with lost vectors. ``progress`` gets
    the number of documents done and of all.
    """
    store.begin()
    try:
        dimension = store.dimension if keep_vectors else store.embedder.dimension
        epoch, kind, url = store.epoch + 1, for_new(store.settings), store.settings.chroma_url
        new = Indexes(store.folder, epoch, kind, url, lambda: dimension, create=True)
        new.remove()
        new = Indexes(store.folder, epoch, kind, url, lambda: dimension, create=True)
        entries = store.catalog.all_stored()
        for done, entry in enumerate(entries):
            vectors = _kept(store, entry) if keep_vectors else _embedded(store, entry)
            new.vectors.put(entry.first_row, vectors, _passages(store, entry))
            _tell(progress, done + 1, len(entries))
        _index_words(store, new)
        former = former_chroma.copy_of(store.catalog, store.folder, store.settings)
        old = store.indexes
        store.indexes = new
        store.catalog.switch(
            {
                "epoch": str(epoch),
                "embedding_model": store.embedder.name,
                "embedding_dimension": str(dimension),
                "index_format": FORMAT,
                META: kind,
            },
        )
        for index in (old, former):
            _remove(index)
    finally:
        store.release()


def _remove(index: Indexes | VectorIndex | None) -> None:
    """Remove an old index; only log a failure, as the new indexes are in use already."""
    if index is None:
        return
    try:
        index.remove() if isinstance(index, Indexes) else index.clear()
    except KnowledgeBaseError as error:
        log.warning("What an index held before could not be removed. %s", error)


def _kept(store: Store, entry: Stored) -> Float32:
    rows = _rows(entry)
    return store.vectors.get(rows) if store.vectors.sound(rows).all() else _embedded(store, entry)


def _repair_vectors(store: Store, entry: Stored, former: VectorIndex | None) -> None:
    rows = _rows(entry)
    if store.vectors.sound(rows).all():
        return
    lost = _from_copy(former, rows)
    store.vectors.put(entry.first_row, _embedded(store, entry) if lost is None else lost, _passages(store, entry))


def _from_copy(former: VectorIndex | None, rows: Rows) -> Float32 | None:
    """Return the vectors of the rows, or None if there is no copy or it does not hold all of them."""
    try:
        return former.get(rows) if former is not None else None
    except KnowledgeBaseError:
        return None


def _rows(entry: Stored) -> Rows:
    return np.arange(entry.first_row, entry.first_row + entry.chunk_count, dtype=np.int64)


def _passages(store: Store, entry: Stored) -> Iterator[Passage]:
    """Yield the passages of a document, which only some vector indexes store."""
    for chunk in store.catalog.chunks(entry.document.id):
        yield entry.document, chunk


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


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)
