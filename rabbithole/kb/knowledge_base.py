"""The public interface of the knowledge base: open, ingest, search, read, resolve.

Reading documents is in ``reading.document_reader``, changing them in ``ingest.run.kb_writer``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from .data_folder import knowledge_base_folder
from .editions_in_force import works_with_editions
from .errors import UsageError
from .ingest.run.collection_health import CollectionHealth, health_of
from .ingest.run.collection_statistics import Stats, stats
from .ingest.run.corrections import Correction
from .ingest.run.file_maintenance import check_files
from .ingest.run.kb_writer import KnowledgeBaseWriter, rebuild
from .ingest.run.kept_originals import check_originals
from .ingest.run.progress import IngestProgress
from .models import (
    Citing,
    Day,
    Document,
    Filter,
    IngestReport,
    Place,
    Reference,
    Resolution,
    SearchMode,
    SearchResult,
    UnreadFile,
)
from .reading.document_reader import DocumentReader
from .references.detection.document_references import DocumentReferences
from .references.graph.citing import citing, times_cited
from .references.graph.collection_graph import CollectionGraph, collection_graph
from .references.graph.reference_graph import StoredReferences
from .references.names.registry import NameRow
from .references.names.snapshot import Naming, registry_path
from .references.resolution.current_resolver import CurrentResolver
from .search.hybrid import Searcher
from .search.linked.linked_search import LinkedSearcher
from .search.reference_ranking import References
from .search.rerank import FIRST
from .search.rereading import hit_reader, reread_hits
from .settings import KbSettings
from .store import maintenance
from .store.blobs.blobs_place import BlobsPlace
from .store.encoders.answer_reader import AnswerReader, E5Reader, span_reader
from .store.encoders.embeddings import HASH
from .store.encoders.span_reader import SpanReader
from .store.ports import Progress
from .store.records import FileState, IndexedDocument
from .store.reference_rows import ReferenceRow
from .store.store import Store
from .store.vectors.matrix import Float32
from .worker_process import command_of

if TYPE_CHECKING:
    from .ingest.run.ray_cluster import RayCluster


class KnowledgeBase(DocumentReader):
    """A knowledge base. Reading calls are thread-safe and see what other processes have written.

    Calls are synchronous; asynchronous callers use ``asyncio.to_thread``.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(store.catalog)
        self._store = store
        self._naming = Naming(
            self,
            registry_path(store.folder, store.settings.document_registry_path),
            store.settings.registry_threshold,
            store.catalog.names,
        )
        self._references = DocumentReferences(self._catalog, self._naming)
        self._resolver = CurrentResolver(self, self._naming)
        opening = json.dumps({"folder": str(store.folder), "settings": store.settings.with_secrets()})
        worker = (command_of("rabbithole.kb.reference_worker"), opening)
        alone = store.settings.parse_workers == 1
        self._graph = StoredReferences(self, self._catalog, self._resolver, None if alone else worker)
        self._writer = KnowledgeBaseWriter(store, self._naming, self._graph)
        self._searcher = Searcher(store, References(self._graph))
        self._linked = LinkedSearcher(store, self._searcher)

    @classmethod
    def open(
        cls, path: str | Path | None = None, settings: KbSettings | None = None, *, create: bool = False
    ) -> KnowledgeBase:
        """Open the knowledge base in a folder (None: the one in the data folder); ``create`` makes a new one if needed.

        Raises KnowledgeBaseError if there is none, if it is damaged or of a newer version, or if it was built with
        another embedding model than the settings name.
        """
        return cls(Store(knowledge_base_folder(path), settings or KbSettings(), create=create))

    def close(self) -> None:
        self._naming.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def day(self) -> Day | None:
        """The day as of which it is read (``kb.as_of``); None for the present."""
        return None

    @property
    def store(self) -> Store:
        """The catalog and indexes, for callers that write."""
        return self._store

    @property
    def folder(self) -> Path:
        return self._store.folder

    @property
    def embedding_model(self) -> str:
        return self._store.embedder.name

    @property
    def originals(self) -> BlobsPlace | None:
        """Where copies of the ingested files are kept for other machines, if they are."""
        return self._store.originals

    @property
    def answer_reader(self) -> AnswerReader | None:
        """A new reader of passages that may answer; None if rereading is off, or if the collection is only hashed."""
        off = self._store.settings.answer_rerank == "off" or self.embedding_model == HASH
        return None if off else E5Reader()

    @property
    def span_reader(self) -> SpanReader | None:
        """The reader that finds where a passage answers; None wherever ``answer_reader`` is."""
        return None if self.answer_reader is None else span_reader()

    def require(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names, each once. Raises UsageError with the known collections if one is unknown."""
        for name in names:
            if not self._catalog.holds_collection(name):
                listed = ", ".join(self._searcher.view().collections) or "none yet; build one with `rabbithole ingest`"
                raise UsageError(f"There is no collection {name!r}; the known collections are: {listed}.")
        return tuple(dict.fromkeys(names))

    def ingest(
        self,
        paths: Sequence[Path],
        collection: str,
        *,
        progress: IngestProgress | None = None,
        passwords: Sequence[str] = (),
        library: Path | None = None,
        keep: Callable[[Sequence[str]], Collection[str]] | None = None,
        cluster: RayCluster | None = None,
    ) -> IngestReport:
        """Bring a collection up to date with folders and files; see ``kb.ingest.run.pipeline``."""
        return self._writer.ingest(
            paths, collection, progress, passwords=passwords, library=library, keep=keep, cluster=cluster
        )

    def read_again(self, collection: str, file: str, *, progress: IngestProgress | None = None) -> IngestReport:
        """Read the file of a document again even if it has not changed. Raises UsageError for an unknown name."""
        return self.ingest([self._writer.forget_reading(collection, file)], collection, progress=progress)

    def health(self, collections: Sequence[str] = ()) -> tuple[CollectionHealth, ...]:
        """Return how each collection's documents were identified, from which sources, and what looks wrong."""
        names = self.require(collections) or tuple(info.name for info in self.collections())
        return tuple(health_of(self._store, self._naming.current().registry, name) for name in names)

    def names(self, collections: Sequence[str] = ()) -> tuple[NameRow, ...]:
        """Return every name with its document, and for acronyms of titles how the collection uses them."""
        wanted = self.require(collections)
        return tuple(
            row
            for document in self.documents()
            if not wanted or document.collection in wanted
            for row in self._naming.current().registry.decisions(document)
        )

    def name(self, collection: str, file: str, correction: Correction) -> Document:
        """Save a correction of one file in the registry file and apply it; return the document. Raises UsageError."""
        self.require((collection,))
        return self.document(self._writer.correct(collection, file, correction))

    def remove(self, collection: str) -> int:
        """Remove a collection and return the number of its documents. The files themselves are not touched."""
        self.require((collection,))
        return self._writer.remove(collection)

    def remove_files(self, collection: str, files: Sequence[str]) -> int:
        """Remove documents of a collection by file name and return their number. Raises UsageError."""
        self.require((collection,))
        return self._writer.remove_files(collection, files)

    def stats(self) -> Stats:
        """Return the content of the knowledge base in figures."""
        return stats(self._store)

    def unread(self, collections: Sequence[str] = ()) -> tuple[UnreadFile, ...]:
        """Return the files of these collections (all if empty) in which nothing can be found, with the reason."""
        return self._files(self._catalog.unread, collections)

    def read_in_part(self, collections: Sequence[str] = ()) -> tuple[UnreadFile, ...]:
        """Return the files of these collections (all if empty) that have pages without readable text among others."""
        return self._files(self._catalog.read_in_part, collections)

    def _files(self, found: Callable[[str], Sequence[FileState]], collections: Sequence[str]) -> tuple[UnreadFile, ...]:
        return tuple(
            UnreadFile(collection=name, file=state.file, reason=state.reason)
            for name in collections or self._catalog.collection_names()
            for state in found(name)
        )

    def check(self) -> list[str]:
        """Return problems of the indexes and differences from the files, one sentence each; [] if there are none."""
        store = self._store
        return [*maintenance.check(store), *check_files(store), *check_originals(store)]

    def repair(self, progress: Progress | None = None) -> None:
        """Repair what ``check`` finds."""
        self._writer.repair(progress)

    @classmethod
    def rebuild(
        cls,
        path: str | Path | None = None,
        settings: KbSettings | None = None,
        progress: Progress | None = None,
        *,
        keep_vectors: bool = False,
    ) -> None:
        """Embed and index everything again according to the settings; no file is read.

        With ``keep_vectors`` nothing is embedded; the vectors only move to the index that the settings name. Raises
        KnowledgeBaseError if they were made with another embedding model.
        """
        rebuild(knowledge_base_folder(path), settings or KbSettings(), progress, keep_vectors=keep_vectors)

    def search(
        self,
        query: str,
        collections: Sequence[str] = (),
        *,
        mode: SearchMode = "hybrid",
        filters: Sequence[Filter] = (),
        top_k: int = 10,
        documents: Sequence[str] = (),
        section: str | None = None,
        reread: bool = True,
    ) -> SearchResult:
        """Return the best chunks of the collections (all if none is named); see ``kb.search.hybrid`` and ``.linked``.

        ``documents`` are ids or file names, ``section`` is an id or a number; both restrict the search. ``reread``: in
        hybrid mode, order the first hits by how near they are to the query, which takes a second or two
        (``kb.search.rereading``); callers that read the hits themselves do without. Raises UsageError.
        """
        search = self._linked.search if mode == "hybrid" else partial(self._searcher.search, mode=mode)
        reader = None
        if reread and mode == "hybrid":
            reader = hit_reader(self._store.settings, self.embedding_model, self._searcher.view().chunks)
        found = search(
            query,
            collections=self.require(collections),
            filters=filters,
            top_k=max(top_k, FIRST) if reader else top_k,
            documents=documents,
            section=section,
        )
        return reread_hits(query, found, reader, top_k) if reader else found

    def search_linked(
        self,
        query: str,
        collections: Sequence[str] = (),
        *,
        filters: Sequence[Filter] = (),
        top_k: int = 10,
        documents: Sequence[str] = (),
    ) -> SearchResult:
        """Do the same as ``search`` in hybrid mode, which follows references itself; kept for older callers."""
        return self.search(query, collections, filters=filters, top_k=top_k, documents=documents)

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """References and links that lie within start .. end, documents ingested later and edited names included."""
        return self._references.within(document_id, start, end)

    def cited_by(self, document_id: str, section: str | None = None, *, wait: bool = True) -> tuple[Citing, ...]:
        """Return the places that refer to a document, or to one of its sections (by id, including subsections).

        Without ``wait``, references of many new documents that are not resolved yet are left out.
        """
        if wait:
            self._graph.update()
        else:
            self._graph.update_if_small()
        return citing(self._graph.rows, self._catalog, document_id, section)

    def times_cited(self, document_id: str) -> dict[str | None, int]:
        """Return how often other sections refer to each section (by id; None: the whole document); 0 is left out."""
        self._graph.update_if_small()
        return times_cited(self._graph.rows, self._catalog, document_id)

    def reference_rows(self, mark: str, ordinals: Sequence[int]) -> list[list[ReferenceRow]] | None:
        """Return where the references of documents lead, for a process that updates the graph.

        Returns None if the knowledge base is no longer in the state ``mark``.
        """
        return self._graph.rows_of(mark, ordinals)

    def collection_graph(self, collection: str) -> CollectionGraph:
        """Return the documents and sections of a collection, their references, and broken or missing targets."""
        (name,) = self.require((collection,))
        return collection_graph(self._graph, self._catalog, name)

    def resolve(self, reference: Reference, *, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        """Return where a reference leads; see ``kb.references.resolution.resolver``."""
        return self._resolver.get().resolve(reference, at, self.require(collections))

    def validity_note(self, document_id: str) -> str:
        """Return what the collection says against relying on a document (replaced, repealed, later edition), or ''."""
        return self._resolver.get().validity_note(self.document(document_id))

    def works(self, collections: Sequence[str] = ()) -> tuple[tuple[Document, ...], ...]:
        """Return the works with several dated editions, each work from its oldest to its latest edition."""
        documents = tuple(each for each in self.documents() if not collections or each.collection in collections)
        return works_with_editions(documents, self._naming.current().registry)

    def detect(self, text: str, *, language: str | None = None) -> tuple[Reference, ...]:
        """References in a text, names of this knowledge base's documents included; offsets into the text."""
        return self._references.detect(text, language=language)

    def put(self, prepared: Sequence[tuple[IndexedDocument, Float32]]) -> None:
        """Store documents not read from files, each with one vector for each chunk; all or none become visible."""
        self._writer.put(prepared)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        """Return the vectors of the texts: float32, one normalised row each."""
        return self._store.embedder.embed(texts, query=query)

    def rarity(self, stem: str, language: str) -> float:
        """Return how rare a stem is among the chunks, 0-1; a stem that occurs in none has rarity 1.

        A term with a slash ("i/o") is indexed by its parts, and is as rare as the rarest of them.
        """
        return max(self.store.index.rarity(part, language) for part in stem.split("/"))

    def chunks_with(self, word: str) -> int:
        """Return how many chunks have a word or another form of it, in the language that has it most often."""
        return self.store.index.chunks_with(word)

    def synonyms(self, query: str) -> Mapping[str, tuple[str, ...]]:
        """Return the words of a query that stand in no document, with the German synonyms it is also searched by."""
        return self._searcher.synonyms(query)

    def near_words(self, word: str, language: str) -> Mapping[str, int]:
        """Return the words one edit away from a word whose stem is in some chunk -> in how many; {} if unknown."""
        return self.store.index.near(word, language)
