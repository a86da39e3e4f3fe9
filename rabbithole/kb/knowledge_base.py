"""The public interface of the knowledge base: open, ingest, search, read, resolve."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from .data_folder import knowledge_base_folder
from .editions_in_force import works_with_editions
from .errors import KnowledgeBaseError, UsageError
from .ingest.run import corrections
from .ingest.run import file_maintenance as collected
from .ingest.run.collection_health import CollectionHealth, health_of
from .ingest.run.collection_statistics import Stats, stats
from .ingest.run.corrections import Correction
from .ingest.run.kept_originals import check_originals, keep_originals
from .ingest.run.progress import IngestProgress
from .models import (
    BibliographyEntry,
    Chunk,
    Citing,
    CollectionInfo,
    Day,
    Document,
    Filter,
    IngestReport,
    Place,
    QuotePlace,
    Reference,
    Resolution,
    Scalar,
    SearchMode,
    SearchResult,
    Section,
    UnreadFile,
)
from .references.detection.document_references import DocumentReferences
from .references.graph.citing import citing, times_cited
from .references.graph.collection_graph import CollectionGraph, collection_graph
from .references.graph.reference_graph import StoredReferences
from .references.names.registry import NameRow
from .references.names.registry_file import RegistryFile
from .references.names.snapshot import Naming, complete_file, registry_path
from .search.hybrid import Searcher
from .search.linked.linked_search import LinkedSearcher
from .search.quotation_search import Quotations
from .search.reference_ranking import References
from .search.section_lookup import find_section, neighbours, section_at, telling_label
from .settings import KbSettings
from .store import maintenance
from .store.blobs.blobs_place import BlobsPlace
from .store.encoders.answer_reader import AnswerReader, CosineReader, E5Reader
from .store.encoders.embeddings import HASH, MULTILINGUAL
from .store.ports import Progress
from .store.records import IndexedDocument
from .store.reference_rows import ReferenceRow
from .store.rows import split_id
from .store.store import Store
from .store.vectors.matrix import Float32
from .worker_process import command_of

if TYPE_CHECKING:
    from .ingest.run.ray_cluster import RayCluster

_ONE_WRITER = threading.Lock()


class KnowledgeBase:
    """A knowledge base. Reading calls are thread-safe and see what other processes have written.

    Calls are synchronous; asynchronous callers use ``asyncio.to_thread``.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._catalog = store.catalog
        self._naming = Naming(
            self,
            registry_path(store.folder, store.settings.document_registry_path),
            store.settings.registry_threshold,
            store.catalog.names,
        )
        self._references = DocumentReferences(self._catalog, self._naming)
        self._quotations = Quotations(self._catalog)
        opening = json.dumps({"folder": str(store.folder), "settings": store.settings.with_secrets()})
        worker = (command_of("rabbithole.kb.reference_worker"), opening)
        alone = store.settings.parse_workers == 1
        self._graph = StoredReferences(self, self._catalog, self._naming, None if alone else worker)
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
    def generation(self) -> int:
        """A number that changes with every committed change of this or another process."""
        return self._catalog.generation

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
        """A new reader of passages that may answer: the collection's own encoder, or E5 if that is the embedded one.

        None if rereading is off, or if the collection is only hashed.
        """
        if self._store.settings.answer_rerank == "off" or self.embedding_model == HASH:
            return None
        return E5Reader() if self.embedding_model == MULTILINGUAL else CosineReader(self._store.embedder)

    def collections(self) -> tuple[CollectionInfo, ...]:
        return self._catalog.collections()

    def require(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names, each once. Raises UsageError with the known collections if one is unknown."""
        for name in names:
            if not self._catalog.holds_collection(name):
                listed = ", ".join(self._searcher.view().collections) or "none yet; build one with `rabbithole ingest`"
                raise UsageError(f"There is no collection {name!r}; the known collections are: {listed}.")
        return tuple(dict.fromkeys(names))

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return self._catalog.documents(collection)

    @property
    def changed(self) -> str:
        """How many documents were renamed or corrected in place, with the last ones: '3:id,id,id'."""
        return self._catalog.meta("changed") or ""

    def count(self) -> int:
        return self._catalog.count()

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Return the number and id of each document numbered above ``after``; numbers are never reused."""
        return self._catalog.ordinals(after)

    def held(self, document_id: str) -> Document | None:
        """Return the document with this id, or None if it is not (or no longer) held."""
        found = self._catalog.find([document_id])
        return found[0].document if found else None

    def document(self, document_id: str) -> Document:
        return self._catalog.stored(document_id).document

    def get_document_metadata(self, document_id: str) -> dict[str, Scalar]:
        return dict(self.document(document_id).metadata)

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
        from .ingest.run.pipeline import ingest  # noqa: PLC0415  needed for writing only

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
            path = registry_path(store.folder, store.settings.document_registry_path)
            complete_file(path, self.documents())
            try:
                corrections.apply(store, RegistryFile.load(path), collection)
                keep_originals(store)
            finally:
                store.release()
            self._naming.current()
            self._graph.update()
        return report

    def read_again(self, collection: str, file: str, *, progress: IngestProgress | None = None) -> IngestReport:
        """Read the file of a document again even if it has not changed. Raises UsageError for an unknown name."""
        with _ONE_WRITER:
            path = collected.forget_reading(self._store, collection, file)
        return self.ingest([path], collection, progress=progress)

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
        store = self._store
        path = registry_path(store.folder, store.settings.document_registry_path)
        with _ONE_WRITER:
            document = corrections.find(self.documents(collection), file)
            registry = self._naming.current().registry
            corrected = corrections.corrected(RegistryFile.load(path), document, correction, registry)
            corrected.save(path)
            try:
                corrections.apply(store, corrected, collection)
            finally:
                store.release()
        return self.document(document.id)

    def remove(self, collection: str) -> int:
        """Remove a collection and return the number of its documents. The files themselves are not touched."""
        self.require((collection,))
        documents = [document.id for document in self.documents(collection)]
        with _ONE_WRITER:
            forgotten = [(collection, file) for file in self._catalog.files(collection)]
            self._store.delete(*documents, forgotten=forgotten)
            keep_originals(self._store)
            self._store.release()
        return len(documents)

    def remove_files(self, collection: str, files: Sequence[str]) -> int:
        """Remove documents of a collection by file name and return their number. Raises UsageError."""
        self.require((collection,))
        with _ONE_WRITER:
            removed = collected.remove_files(self._store, collection, files)
            keep_originals(self._store)
        return removed

    def stats(self) -> Stats:
        """Return the content of the knowledge base in figures."""
        return stats(self._store)

    def unread(self, collections: Sequence[str] = ()) -> tuple[UnreadFile, ...]:
        """Return the files of these collections (all if empty) in which nothing can be found, with the reason."""
        names = collections or self._catalog.collection_names()
        return tuple(
            UnreadFile(collection=name, file=state.file, reason=state.reason)
            for name in names
            for state in self._catalog.unread(name)
        )

    def check(self) -> list[str]:
        """Return problems of the indexes and differences from the files, one sentence each; [] if there are none."""
        store = self._store
        return [*maintenance.check(store), *collected.check_files(store), *check_originals(store)]

    def repair(self, progress: Progress | None = None) -> None:
        """Repair what ``check`` finds."""
        with _ONE_WRITER:
            maintenance.repair(self._store, progress)

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
        folder = knowledge_base_folder(path)
        store = Store(folder, settings or KbSettings(), any_model=not keep_vectors, any_index=True)
        try:
            with _ONE_WRITER:
                maintenance.rebuild(store, progress, keep_vectors=keep_vectors)
        finally:
            store.close()

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
    ) -> SearchResult:
        """Return the best chunks of the collections (all if none is named); see ``kb.search.hybrid`` and ``.linked``.

        ``documents`` are ids or file names, ``section`` is an id or a number; both restrict the search. Raises
        UsageError.
        """
        if mode == "hybrid":
            return self._linked.search(
                query,
                collections=self.require(collections),
                filters=filters,
                top_k=top_k,
                documents=documents,
                section=section,
            )
        return self._searcher.search(
            query,
            collections=self.require(collections),
            mode=mode,
            filters=filters,
            top_k=top_k,
            documents=documents,
            section=section,
        )

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

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self._catalog.outline(document_id)

    def section(self, document_id: str, number: str) -> Section | None:
        """Return a section by its number as people write it ("§ 27", "27", "4.2.3", "Annex B"), or None."""
        return find_section(self.outline(document_id), number)

    def section_by_id(self, section_id: str) -> Section:
        return self._catalog.section_by_id(section_id)

    def section_label(self, section_id: str) -> str:
        """Return number and heading as a citation shows them: 'srun > OPTIONS' where the heading alone is repeated."""
        section = self.section_by_id(section_id)
        return telling_label(self.outline(section.document), section)

    def section_text(self, section_id: str, *, own: bool = False) -> str:
        """Return the section's text with its subsections, or without them (``own``)."""
        section = self.section_by_id(section_id)
        return self.text(section.document, section.start, section.own_end if own else section.end)

    def neighbours(self, section_id: str) -> tuple[Section | None, Section | None]:
        """Return the sections of the same level before and after this one, in the whole document."""
        section = self.section_by_id(section_id)
        return neighbours(self.outline(section.document), section)

    def section_at(self, document_id: str, offset: int) -> Section | None:
        """Return the innermost section that contains an offset, or None."""
        return section_at(self.outline(document_id), offset)

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self._catalog.text(document_id, start, end)

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        """Return index (from 0) and printed label of the page that contains an offset."""
        return self._catalog.page_of(document_id, offset)

    def page_count(self, document_id: str) -> int:
        """Return the number of pages, or of paragraphs in a format without pages."""
        return len(self._catalog.page_starts(document_id))

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        return self._catalog.page_span(document_id, page)

    def chunks(self, document_id: str, section: str | None = None) -> tuple[Chunk, ...]:
        """Return the document's chunks in order, or those of one section (by id) with its subsections."""
        if section is None:
            return self._catalog.chunks(document_id)
        found = self.section_by_id(section)
        return self._catalog.chunks(document_id, found.start, found.end)

    def chunk(self, chunk_id: str) -> Chunk:
        parts = split_id(chunk_id, "c")
        if parts is None:
            raise KnowledgeBaseError(f"There is no chunk with id {chunk_id!r} in this knowledge base.")
        return self._catalog.chunk_at(self._catalog.stored(parts[0]), parts[1])

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]:
        """References and links that lie within start .. end, documents ingested later and edited names included."""
        return self._references.within(document_id, start, end)

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        return self._catalog.bibliography(document_id)

    def cited_by(self, document_id: str, section: str | None = None) -> tuple[Citing, ...]:
        """Return the places that refer to a document, or to one of its sections (by id, including subsections)."""
        self._graph.update()
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
        return self._naming.current().resolver.resolve(reference, at, self.require(collections))

    def standing(self, document_id: str) -> str:
        """Return what the collection says against relying on a document (replaced, repealed, later edition), or ''."""
        return self._naming.current().resolver.standing(self.document(document_id))

    def works(self, collections: Sequence[str] = ()) -> tuple[tuple[Document, ...], ...]:
        """Return the works with several dated editions, each work from its oldest to its latest edition."""
        documents = tuple(each for each in self.documents() if not collections or each.collection in collections)
        return works_with_editions(documents, self._naming.current().registry)

    def detect(self, text: str, *, language: str | None = None) -> tuple[Reference, ...]:
        """References in a text, names of this knowledge base's documents included; offsets into the text."""
        return self._references.detect(text, language=language)

    def find_quote(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        """Return where a quotation stands verbatim, preferably on ``page``; None if it is not found."""
        return self._quotations.find(document_id, quote, page=page)

    def put(self, prepared: Sequence[tuple[IndexedDocument, Float32]]) -> None:
        """Store documents not read from files, each with one vector for each chunk; all or none become visible."""
        with _ONE_WRITER:
            self._store.put_many(prepared)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        """Return the vectors of the texts: float32, one normalised row each."""
        return self._store.embedder.embed(texts, query=query)

    def rarity(self, stem: str, language: str) -> float:
        """Return how rare a stem is among the chunks, 0-1; a stem that occurs in none has rarity 1."""
        return self.store.index.rarity(stem, language)

    def chunks_with(self, word: str) -> int:
        """Return how many chunks have a word or another form of it, in the language that has it most often."""
        return self.store.index.chunks_with(word)

    def near_words(self, word: str, language: str) -> Mapping[str, int]:
        """Return the words one edit away from a word whose stem is in some chunk -> in how many; {} if unknown."""
        return self.store.index.near(word, language)
