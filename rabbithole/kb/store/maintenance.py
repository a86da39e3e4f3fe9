"""Check, repair and rebuild the index from the catalog."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError

from . import former_chroma
from .index.embedded import EmbeddedIndex
from .index.index_choice import FORMAT, META, for_new
from .ports import ChunkKey, DocumentChunks, Progress
from .records import embedding_texts
from .rows import Stored
from .store import Store
from .vectors.matrix import Float32
from .vectors.vector_index import VectorIndex

log = logging.getLogger(__name__)

_DOCUMENTS: Final = 32
"""The number of documents that a rebuild writes together."""


def check(store: Store) -> list[str]:
    """Return what is wrong with a knowledge base, one sentence each; empty if nothing is. Changes nothing."""
    damage = store.catalog.damage()
    if damage:
        return [damage]  # everything else is compared with the catalog
    problems: list[str] = []
    if unfinished := store.catalog.leftovers():
        problems.append(f"{len(unfinished)} documents of an interrupted change are left; the next writer removes them.")
    store.refresh()
    return problems + store.index.check(store.catalog.chunk_counts())


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
        former = former_chroma.copy_of(store.catalog, store.folder, store.settings)
        store.index.repair(store.catalog.chunk_counts(), Content(store, former), progress)
        if former is not None:
            former.close()
        store.settle()
        store.catalog.publish()
    finally:
        store.release()


def forget_removed(store: Store) -> None:
    """Take what was removed out of the statistics of words, so that the same documents have the same scores."""
    if isinstance(store.index, EmbeddedIndex):
        store.index.forget(sorted(store.catalog.chunk_counts()), Content(store))


class Content:
    """The content of the visible documents: from the catalog, and vectors from a former copy or the embedding model."""

    def __init__(self, store: Store, former: VectorIndex | None = None) -> None:
        self._store = store
        self._former = former

    def chunks(self, document: int) -> DocumentChunks:
        found = self._stored(document)
        catalog, held = self._store.catalog, found.document
        chunks = catalog.chunks(held.id)
        texts = tuple(embedding_texts(held.title, chunks, catalog.text(held.id)))
        return DocumentChunks(document, held, chunks, texts)

    def vectors(self, document: int) -> Float32:
        copied = self._copied(self._stored(document))
        return self.embedded(self.chunks(document)) if copied is None else copied

    def embedded(self, content: DocumentChunks) -> Float32:
        """Return the vectors of a document, made anew."""
        embedder = self._store.embedder
        return embedder.embed(content.texts) if content.texts else np.empty((0, embedder.dimension), dtype=np.float32)

    def _stored(self, document: int) -> Stored:
        found = self._store.catalog.stored_at(document)
        assert found is not None, "the writer's lock is held"
        return found

    def _copied(self, entry: Stored) -> Float32 | None:
        """Return the vectors from the copy, or None if there is none or it does not hold all of them."""
        if self._former is None:
            return None
        try:
            return self._former.get(np.arange(entry.first_row, entry.first_row + entry.chunk_count, dtype=np.int64))
        except KnowledgeBaseError:
            return None


def rebuild(store: Store, progress: Progress | None = None, *, keep_vectors: bool = False) -> None:
    """Make the index anew according to the settings; searches use the old one until the new one is complete.

    ``keep_vectors``: take the vectors from the old index and embed only documents with lost vectors. ``progress`` gets
    the number of documents done and of all.
    """
    store.begin()
    try:
        dimension = store.dimension if keep_vectors else store.embedder.dimension
        epoch, kind = store.epoch + 1, for_new(store.settings)
        new = store.open_index(epoch, kind, lambda: dimension)
        new.destroy()
        content = Content(store)
        held = list(store.catalog.chunk_counts().items())
        for start in range(0, len(held), _DOCUMENTS):
            together = held[start : start + _DOCUMENTS]
            documents = [content.chunks(ordinal) for ordinal, _ in together]
            vectors = [_kept(store, content, one) if keep_vectors else content.embedded(one) for one in documents]
            new.put(documents, np.concatenate(vectors))
            if progress is not None:
                progress(start + len(together), len(held))
        new.optimise()
        former = former_chroma.copy_of(store.catalog, store.folder, store.settings)
        old = store.index
        store.use_index(new, epoch, kind)
        store.catalog.switch(
            {
                "epoch": str(epoch),
                "embedding_model": store.embedder.name,
                "embedding_dimension": str(dimension),
                "index_format": FORMAT,
                META: kind,
            },
        )
        _remove(old.destroy)
        if former is not None:
            _remove(former.clear)
    finally:
        store.release()


def _remove(destroy: Callable[[], None]) -> None:
    """Remove an old index; only log a failure, as the new one is in use already."""
    try:
        destroy()
    except KnowledgeBaseError as error:
        log.warning("What an index held before could not be removed. %s", error)


def _kept(store: Store, content: Content, document: DocumentChunks) -> Float32:
    """Return the vectors of a document from the index in use, or new ones if it has lost them."""
    count = len(document.chunks)
    if not store.index.sound(document.ordinal, count):
        return content.embedded(document)
    return store.index.vectors([ChunkKey(document.ordinal, position) for position in range(count)])
