"""Changes a knowledge base: ingests, corrects and removes documents, and repairs the indexes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rabbithole.kb.models import IngestReport
from rabbithole.kb.references.graph.reference_graph import StoredReferences
from rabbithole.kb.references.names.registry_file import RegistryFile
from rabbithole.kb.references.names.snapshot import Naming, complete_file, registry_path
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store import maintenance
from rabbithole.kb.store.ports import Progress
from rabbithole.kb.store.records import IndexedDocument
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from . import corrections, file_maintenance
from .corrections import Correction
from .kept_originals import keep_originals
from .progress import IngestProgress

if TYPE_CHECKING:
    from .ray_cluster import RayCluster

_ONE_WRITER = threading.Lock()


class KnowledgeBaseWriter:
    """Changes one store and what is derived from it. Only one thread of a process changes anything at a time."""

    def __init__(self, store: Store, naming: Naming, graph: StoredReferences) -> None:
        self._store = store
        self._naming = naming
        self._graph = graph
        self._registry_path = registry_path(store.folder, store.settings.document_registry_path)

    def ingest(
        self,
        paths: Sequence[Path],
        collection: str,
        progress: IngestProgress | None = None,
        *,
        passwords: Sequence[str] = (),
        library: Path | None = None,
        keep: Callable[[Sequence[str]], Collection[str]] | None = None,
        cluster: RayCluster | None = None,
    ) -> IngestReport:
        """Bring a collection up to date with folders and files, then the registry file, names and references.

        The parameters are those of ``pipeline.ingest``.
        """
        from .pipeline import ingest  # noqa: PLC0415  takes long to import and is not needed for reading

        store = self._store
        with _ONE_WRITER:
            report = ingest(
                store,
                store.embedder,
                paths,
                collection,
                store.settings,
                progress,
                passwords=passwords,
                library=library,
                keep=keep,
                cluster=cluster,
            )
            complete_file(self._registry_path, store.catalog.documents())
            try:
                corrections.apply(store, RegistryFile.load(self._registry_path), collection)
                keep_originals(store)
            finally:
                store.release()
            self._naming.current()
            self._graph.update()
        return report

    def forget_reading(self, collection: str, file: str) -> Path:
        """Have the next ingestion read a file again; return its path. Raises UsageError for an unknown name."""
        with _ONE_WRITER:
            return file_maintenance.forget_reading(self._store, collection, file)

    def correct(self, collection: str, file: str, correction: Correction) -> str:
        """Save a correction of one file in the registry file and apply it; return the document's id.

        Raises UsageError if the collection has no such file, or if a name cannot be used.
        """
        store = self._store
        with _ONE_WRITER:
            document = corrections.find(store.catalog.documents(collection), file)
            registry = self._naming.current().registry
            corrected = corrections.corrected(RegistryFile.load(self._registry_path), document, correction, registry)
            corrected.save(self._registry_path)
            try:
                corrections.apply(store, corrected, collection)
            finally:
                store.release()
        return document.id

    def remove(self, collection: str) -> int:
        """Remove a collection and return the number of its documents. The files themselves are not touched."""
        catalog = self._store.catalog
        documents = [document.id for document in catalog.documents(collection)]
        with _ONE_WRITER:
            forgotten = [(collection, file) for file in catalog.files(collection)]
            self._store.delete(*documents, forgotten=forgotten)
            maintenance.forget_removed(self._store)
            keep_originals(self._store)
            self._store.release()
        return len(documents)

    def remove_files(self, collection: str, files: Sequence[str]) -> int:
        """Remove documents of a collection by file name and return their number. Raises UsageError."""
        with _ONE_WRITER:
            removed = file_maintenance.remove_files(self._store, collection, files)
            keep_originals(self._store)
        return removed

    def put(self, prepared: Sequence[tuple[IndexedDocument, Float32]]) -> None:
        """Store documents not read from files, each with one vector for each chunk; all or none become visible."""
        with _ONE_WRITER:
            self._store.put_many(prepared)

    def repair(self, progress: Progress | None = None) -> None:
        """Repair what ``maintenance.check`` finds."""
        with _ONE_WRITER:
            maintenance.repair(self._store, progress)


def rebuild(
    folder: Path, settings: KbSettings, progress: Progress | None = None, *, keep_vectors: bool = False
) -> None:
    """Embed and index everything in a folder again according to the settings; see ``KnowledgeBase.rebuild``."""
    store = Store(folder, settings, any_model=not keep_vectors, any_index=True)
    try:
        with _ONE_WRITER:
            maintenance.rebuild(store, progress, keep_vectors=keep_vectors)
    finally:
        store.close()
