"""Change catalog and index together. A document is visible once both hold it."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final
from uuid import uuid4

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Scalar
from rabbithole.kb.settings import KbSettings

from . import former_chroma
from .blobs.blobs_place import BlobsPlace
from .catalog import Catalog, Pending
from .copied_documents import require_finished
from .encoders.embedding_models import make_embedder, model_name
from .encoders.embeddings import Embedder
from .index.embedded import EmbeddedIndex
from .index.index_choice import FORMAT, META, VectorKind, for_existing, for_new, open_index
from .index.row_numbers import RowNumbers
from .ports import ChunkIndex, DocumentChunks
from .records import FileState, IndexedDocument, embedding_texts
from .rows import Stored
from .sql.open_catalog import open_catalog
from .vectors.exact import ExactVectors
from .vectors.matrix import Float32
from .vectors.vector_index import VectorIndex

Prepared = tuple[IndexedDocument, Float32]
BASE: Final = "index_owner"
"""The catalog's entry for the id by which what is outside its folder (index, files) knows it."""
_NONE: Final = np.empty((0, 0), dtype=np.float32)


class Store:
    """The store of a knowledge base. Several threads and processes may read; one process, with a lock, may write."""

    def __init__(
        self,
        folder: Path,
        settings: KbSettings,
        *,
        create: bool = False,
        any_model: bool = False,
        any_index: bool = False,
        unfinished: bool = False,
    ) -> None:
        """Open the store, or with ``create`` make it if there is none.

        ``any_model``: open it even if its embedding model is not that of the settings, or another version made its
        indexes; ``any_index``: even if the settings name another vector index. Both serve a rebuild. ``unfinished``:
        even if it is part of a copy that was interrupted. Raises KnowledgeBaseError if the store cannot be opened or
        does not fit the settings.
        """
        self.folder = folder
        self.settings = settings
        self.catalog: Catalog = open_catalog(
            folder, _address(settings), create=create, shared=settings.rabbithole_index is not None
        )
        if not unfinished:
            require_finished(self.catalog, folder)
        self._lock = self.catalog.lock
        self._writing = threading.RLock()
        self.embedder: Embedder = make_embedder(
            model_name(settings, None if any_model else self.catalog.meta("embedding_model")), settings
        )
        self._any_model, self._any_index = any_model, any_index
        self._opened = self._wanted()
        self._numbers = RowNumbers(self.catalog.assigned_rows)
        self.index = self.open_index(*self._opened, lambda: self.dimension)
        if not any_model:
            self._require_format()

    @property
    def epoch(self) -> int:
        """The number of rebuilds so far."""
        return int(self.catalog.meta("epoch") or 0)

    @property
    def vector_kind(self) -> VectorKind:
        """The kind of index that holds the vectors."""
        return self._opened[1]

    @property
    def originals(self) -> BlobsPlace | None:
        """Where copies of the ingested files are kept, if they are."""
        address, base = self.settings.rabbithole_originals, self.catalog.meta(BASE)
        return BlobsPlace(address, base) if address and base else None

    @property
    def dimension(self) -> int:
        """The dimension of the stored vectors, or of the model if there are none yet."""
        stored = self.catalog.meta("embedding_dimension")
        return int(stored) if stored else self.embedder.dimension

    def open_index(self, epoch: int, kind: VectorKind, dimension: Callable[[], int]) -> ChunkIndex:
        """Return the index of an epoch; ``dimension`` is called only when vectors are needed."""
        create = not self.catalog.read_only
        return open_index(
            kind,
            self.folder,
            epoch,
            self.settings,
            self._numbers,
            dimension,
            base=lambda: self.catalog.meta(BASE) or "",
            model=self.embedder.name,
            create=create,
        )

    def use_index(self, index: ChunkIndex, epoch: int, kind: VectorKind) -> None:
        """Read and write another index from now on."""
        self.index, self._opened = index, (epoch, kind)

    def _wanted(self) -> tuple[int, VectorKind]:
        """Return the epoch and the kind of the index that the catalog names."""
        return self.epoch, self._recorded_kind()

    def _recorded_kind(self) -> VectorKind:
        """Return the kind of vector index. Raises KnowledgeBaseError if the settings do not fit the knowledge base."""
        if self._built_with() is None:
            return for_new(self.settings)
        try:
            return for_existing(self.settings, self.catalog.meta(META), self.folder, moving=self._any_index)
        except KnowledgeBaseError:
            if not self._any_model:
                raise
            return "exact"  # the index cannot be opened, and a rebuild makes all vectors anew

    def refresh(self) -> None:
        """Reload what another process has written. Raises KnowledgeBaseError if it changed the embedding model."""
        if self._opened != (wanted := self._wanted()):
            model_name(self.settings.model_copy(update={"embedding_model": self.embedder.name}), self._built_with())
            self.index.close()
            self.use_index(self.open_index(*wanted, lambda: self.dimension), *wanted)
        self.index.reload()

    def _require_format(self) -> None:
        """Check the format of the indexes. Raises KnowledgeBaseError if it is that of another version."""
        if self._built_with() is None:
            return
        found = self.catalog.meta("index_format")
        if found is None and isinstance(vectors := self._embedded_vectors(), ExactVectors):
            rows = int(self.catalog.meta("next_row") or 0)
            found = FORMAT if vectors.matrix.holds(rows) else None  # complete, from before formats were recorded
        if found != FORMAT:
            raise KnowledgeBaseError(
                f"The indexes of the knowledge base at {self.folder} are laid out as by another version of Rabbithole "
                f"(format {found or 'unknown'}, this one reads {FORMAT}): make them anew from its catalog with "
                f"`rabbithole kb rebuild --kb {shlex.quote(str(self.folder))}`; no PDF is read again."
            )

    def _embedded_vectors(self) -> VectorIndex | None:
        return self.index.vector_index if isinstance(self.index, EmbeddedIndex) else None

    def _built_with(self) -> str | None:
        return self.catalog.meta("embedding_model")

    def put(self, indexed: IndexedDocument, vectors: Float32, *, replaces: str | None = None) -> None:
        """Store one document with one vector per chunk; see ``put_many``."""
        self.put_many([(indexed, vectors)], replaces=[replaces] if replaces else [])

    def put_many(
        self, prepared: Sequence[Prepared], *, replaces: Iterable[str] = (), files: Iterable[FileState] = ()
    ) -> None:
        """Store documents with their vectors, each an array (chunks, dimension); all become visible at once, or none.

        Documents with the same ids and those in ``replaces`` (ids) stay visible until then and are removed in the same
        step; ``files`` are recorded in it too. Raises KnowledgeBaseError if another process is writing, or the vectors
        do not fit.
        """
        with self._writing:
            self.begin()
            for indexed, vectors in prepared:
                self._check(indexed, vectors)
            old = self._ordinals({indexed.document.id for indexed, _ in prepared} | set(replaces))
            pending = self.catalog.stage([indexed for indexed, _ in prepared])
            documents = [chunks_of(place, indexed) for place, (indexed, _) in zip(pending, prepared, strict=True)]
            self.index.put(documents, np.concatenate([vectors for _, vectors in prepared]) if prepared else _NONE)
            self.catalog.publish([p.ordinal for p in pending], [p.ordinal for p in old], files)
            self._drop(old)

    def delete(self, *document_ids: str, forgotten: Iterable[tuple[str, str]] = ()) -> None:
        """Remove documents by id, and the records of the ingested files ``forgotten`` (collection, file)."""
        with self._writing:
            self.begin()
            old = self._ordinals(set(document_ids))
            self.catalog.publish(gone=[p.ordinal for p in old], forgotten=forgotten)
            self._drop(old)

    def record_files(self, *states: FileState) -> None:
        with self._writing:
            self.begin()
            self.catalog.publish(files=states)

    def rename(self, document_id: str, file: str, path: str) -> None:
        with self._writing:
            self.begin()
            self.catalog.rename(document_id, file, path)

    def correct(self, document_id: str, title: str, metadata: Mapping[str, Scalar]) -> None:
        with self._writing:
            self.begin()
            self.catalog.correct(document_id, title, metadata)

    def begin(self) -> None:
        """Take the writer's lock and remove what an interrupted writer has left behind.

        Raises KnowledgeBaseError if another process is writing or the disk is read-only.
        """
        if self._lock.held:
            return
        if self.catalog.read_only:
            raise KnowledgeBaseError(
                f"The knowledge base at {self.folder} is on a read-only disk: it can only be read."
            )
        self._lock.acquire()
        beside = "lance" in (self.vector_kind, for_new(self.settings)) or self.settings.rabbithole_originals
        if beside and self.catalog.meta(BASE) is None:
            self.catalog.set_meta({BASE: uuid4().hex})
        self.refresh()
        self.settle()
        if unfinished := self.catalog.leftovers():
            self._drop(unfinished)

    def settle(self) -> None:
        """Give up the second copy of the vectors that older knowledge bases have; see ``former_chroma``."""
        if (vectors := self._embedded_vectors()) is not None:
            former_chroma.settle(self.catalog, self.folder, vectors, self.settings)

    def release(self) -> None:
        """Release the writer's lock and close the index, so that other processes can write."""
        with self._writing:
            try:
                if self._lock.held:
                    self.index.optimise()
            finally:  # also if the index belongs to another knowledge base
                self.index.close()
                self._lock.release()

    def close(self) -> None:
        try:
            self.release()
        finally:
            self.catalog.close()

    def _check(self, indexed: IndexedDocument, vectors: Float32) -> None:
        dimension = self.dimension
        if vectors.shape != (len(indexed.chunks), dimension):
            raise KnowledgeBaseError(
                f"{indexed.document.file} has {len(indexed.chunks)} chunks and needs as many vectors of {dimension} "
                f"numbers, not {vectors.shape}: embed it with {self.embedder.name}."
            )
        if self._built_with() is None:
            self.catalog.set_meta(
                {
                    "embedding_model": self.embedder.name,
                    "embedding_dimension": str(dimension),
                    "index_format": FORMAT,
                    META: self.vector_kind,
                },
            )

    def _ordinals(self, document_ids: Iterable[str]) -> list[Pending]:
        found: list[Stored] = self.catalog.find(document_ids)
        return [Pending(ordinal=s.ordinal, first_row=s.first_row, chunk_count=s.chunk_count) for s in found]

    def _drop(self, old: Sequence[Pending]) -> None:
        if not old:
            return
        self.index.remove([place.ordinal for place in old])
        self.catalog.forget([place.ordinal for place in old])


def chunks_of(place: Pending, indexed: IndexedDocument) -> DocumentChunks:
    """Return what the index stores of a staged document."""
    texts = tuple(embedding_texts(indexed.document.title, indexed.chunks, indexed.text))
    return DocumentChunks(place.ordinal, indexed.document, indexed.chunks, texts)


def _address(settings: KbSettings) -> str | None:
    """Return the address of the PostgreSQL database that holds the catalog; None for an SQLite file."""
    return settings.rabbithole_catalog.get_secret_value() if settings.rabbithole_catalog else None
