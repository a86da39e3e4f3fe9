"""The knowledge base as others use it: open, ingest, search, read, resolve."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from .data_folder import knowledge_base_folder
from .editions_in_force import works_with_editions
from .errors import KnowledgeBaseError, UsageError
from .ingest.run import corrections
from .ingest.run import file_maintenance as collected
from .ingest.run.collection_health import CollectionHealth, health_of
from .ingest.run.collection_statistics import Stats, stats
from .ingest.run.corrections import Correction
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
)
from .references.detection.document_references import Mentions
from .references.graph.citing import citing, times_cited
from .references.graph.collection_graph import CollectionGraph, collection_graph
from .references.graph.reference_graph import StoredReferences
from .references.names.registry import NameRow
from .references.names.registry_file import RegistryFile
from .references.names.snapshot import Naming, complete_file, registry_path
from .search.hybrid import Searcher
from .search.linked import LinkedSearcher
from .search.quotation_place import Quotations
from .search.references import References
from .search.section_lookup import find_section, neighbours, section_at
from .settings import KbSettings
from .store import maintenance
from .store.encoders.embedding_models import RERANKING
from .store.encoders.embeddings import MULTILINGUAL, Embedder
from .store.records import IndexedDocument
from .store.reference_rows import ReferenceRow
from .store.rows import split_id
from .store.store import Store
from .store.vectors.matrix import Float32

_ONE_WRITER = threading.Lock()


class KnowledgeBase:
    """All calls that read are safe from several threads, and see what other processes have written.

    Calls are synchronous; asynchronous callers use ``asyncio.to_thread``.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._catalog = store.catalog
        self._naming = Naming(
            self,
            registry_path(store.folder, store.settings.document_registry_path),
            store.settings.registry_threshold,
            store.folder,
        )
        self._mentions = Mentions(self._catalog, self._naming)
        self._quotations = Quotations(self._catalog)
        opening = json.dumps({"folder": str(store.folder), "settings": store.settings.model_dump(mode="json")})
        # -P: no module is taken from the folder the program was started in, which may be the documents' own.
        worker = ((sys.executable, "-P", "-m", "rabbithole.kb.reference_worker"), opening)
        alone = store.settings.parse_workers == 1
        self._graph = StoredReferences(self, self._catalog, self._naming, None if alone else worker)
        self._searcher = Searcher(store, References(self._graph))
        self._linked = LinkedSearcher(store, self._searcher)

    @classmethod
    def open(
        cls, path: str | Path | None = None, settings: KbSettings | None = None, *, create: bool = False
    ) -> KnowledgeBase:
        """Open the knowledge base in a folder (None: the one in the data folder), or make one there (``create``).

        Raises KnowledgeBaseError when there is none, when it is damaged or of a newer version, or when it was built
        with another embedding model than the settings name.
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
        """Changes with every committed change, of this or another process."""
        return self._catalog.generation

    @property
    def day(self) -> Day | None:
        """The day as of which it is read (``kb.as_of``); None: as it is now."""
        return None

    @property
    def store(self) -> Store:
        """Catalog and indexes, for whoever writes."""
        return self._store

    @property
    def folder(self) -> Path:
        return self._store.folder

    @property
    def embedding_model(self) -> str:
        return self._store.embedder.name

    @property
    def answer_encoder(self) -> Embedder | None:
        """What reads the passages that may answer again; None: the collection's encoder is better, or it is off."""
        wanted = self._store.settings.answer_rerank == "auto" and self.embedding_model == MULTILINGUAL
        return RERANKING if wanted else None

    def collections(self) -> tuple[CollectionInfo, ...]:
        return self._catalog.collections()

    def require(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names, each once. Raises UsageError naming the known collections when one is unknown."""
        known = self._searcher.view().collections
        for name in names:
            if name not in known:
                listed = ", ".join(known) or "none yet; build one with `rabbithole ingest`"
                raise UsageError(f"There is no collection {name!r}; the known collections are: {listed}.")
        return tuple(dict.fromkeys(names))

    def documents(self, collection: str | None = None) -> tuple[Document, ...]:
        return self._catalog.documents(collection)

    @property
    def changed(self) -> str:
        """How often documents were renamed or corrected in place, and the last of them: '3:id,id,id'."""
        return self._catalog.meta("changed") or ""

    def count(self) -> int:
        return self._catalog.count()

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Number of each document, never used again for another, and its id; only those of a later number."""
        return self._catalog.ordinals(after)

    def held(self, document_id: str) -> Document | None:
        """The document of an id, or None when it is not there (any more)."""
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
            )
            path = registry_path(store.folder, store.settings.document_registry_path)
            complete_file(path, self.documents())
            try:
                corrections.apply(store, RegistryFile.load(path), collection)
            finally:
                store.release()
            self._naming.current()
            self._graph.update()
        return report

    def read_again(self, collection: str, file: str, *, progress: IngestProgress | None = None) -> IngestReport:
        """Read the file of a document again although it has not changed. Raises UsageError for an unknown name."""
        with _ONE_WRITER:
            path = collected.forget_reading(self._store, collection, file)
        return self.ingest([path], collection, progress=progress)

    def health(self, collections: Sequence[str] = ()) -> tuple[CollectionHealth, ...]:
        """What each collection's documents are taken for, where that was read, and what looks wrong."""
        names = self.require(collections) or tuple(info.name for info in self.collections())
        return tuple(health_of(self._store, self._naming.current().registry, name) for name in names)

    def names(self, collections: Sequence[str] = ()) -> tuple[NameRow, ...]:
        """Every name with its document, and for acronyms of titles how the collection uses them."""
        wanted = self.require(collections)
        return tuple(
            row
            for document in self.documents()
            if not wanted or document.collection in wanted
            for row in self._naming.current().registry.decisions(document)
        )

    def name(self, collection: str, file: str, correction: Correction) -> Document:
        """Write a correction of one file into the registry file and apply it. Raises UsageError."""
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
        """Remove a collection with all its documents; how many there were. The PDFs themselves are not touched."""
        self.require((collection,))
        documents = [document.id for document in self.documents(collection)]
        with _ONE_WRITER:
            forgotten = [(collection, file) for file in self._catalog.files(collection)]
            self._store.delete(*documents, forgotten=forgotten)
            self._store.release()
        return len(documents)

    def remove_files(self, collection: str, files: Sequence[str]) -> int:
        """Remove documents of a collection by their file names; how many there were. Raises UsageError."""
        self.require((collection,))
        with _ONE_WRITER:
            return collected.remove_files(self._store, collection, files)

    def stats(self) -> Stats:
        """What is in the knowledge base, in figures."""
        return stats(self._store)

    def check(self) -> list[str]:
        """What is wrong with the indexes or differs from the files, a sentence each; empty when all is well."""
        return [*maintenance.check(self._store), *collected.check_files(self._store)]

    def repair(self, progress: maintenance.Progress | None = None) -> None:
        """Mend what ``check`` finds."""
        with _ONE_WRITER:
            maintenance.repair(self._store, progress)

    @classmethod
    def rebuild(
        cls,
        path: str | Path | None = None,
        settings: KbSettings | None = None,
        progress: maintenance.Progress | None = None,
        *,
        keep_vectors: bool = False,
    ) -> None:
        """Embed and index everything anew as the settings say; no PDF is read.

        ``keep_vectors``: nothing is embedded, the vectors only move to the index the settings name. Raises
        KnowledgeBaseError when they were made by another embedding model.
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
        """The best chunks of the collections (all when none is named); see ``kb.search.hybrid`` and ``.linked``.

        ``documents`` are ids or file names, ``section`` an id or a number; both restrict the search. Raises UsageError.
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
        """The same as ``search`` in hybrid mode, which goes on from hit to hit by itself; kept for older callers."""
        return self.search(query, collections, filters=filters, top_k=top_k, documents=documents)

    def outline(self, document_id: str) -> tuple[Section, ...]:
        return self._catalog.outline(document_id)

    def section(self, document_id: str, number: str) -> Section | None:
        """A section by its number as people write it: "§ 27", "27", "4.2.3", "Annex B"."""
        return find_section(self.outline(document_id), number)

    def section_by_id(self, section_id: str) -> Section:
        return self._catalog.section_by_id(section_id)

    def section_text(self, section_id: str, *, own: bool = False) -> str:
        """The section's text with its subsections, or without them (``own``)."""
        section = self.section_by_id(section_id)
        return self.text(section.document, section.start, section.own_end if own else section.end)

    def neighbours(self, section_id: str) -> tuple[Section | None, Section | None]:
        """The sections of the same level before and after this one, across the document."""
        section = self.section_by_id(section_id)
        return neighbours(self.outline(section.document), section)

    def section_at(self, document_id: str, offset: int) -> Section | None:
        """The innermost section in which an offset stands."""
        return section_at(self.outline(document_id), offset)

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str:
        return self._catalog.text(document_id, start, end)

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]:
        """Index (from 0) and printed label of the page on which an offset stands."""
        return self._catalog.page_of(document_id, offset)

    def page_count(self, document_id: str) -> int:
        """How many pages it has, or paragraphs, which stand for them in a format without pages."""
        return len(self._catalog.page_starts(document_id))

    def page_span(self, document_id: str, page: int) -> tuple[int, int]:
        return self._catalog.page_span(document_id, page)

    def chunks(self, document_id: str, section: str | None = None) -> tuple[Chunk, ...]:
        """The document's chunks in order, or those of one section (by id) and its subsections."""
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
        return self._mentions.within(document_id, start, end)

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]:
        return self._catalog.bibliography(document_id)

    def cited_by(self, document_id: str, section: str | None = None) -> tuple[Citing, ...]:
        """Which places refer to a document, or to one of its sections (by id, subsections included)."""
        self._graph.update()
        return citing(self._graph.rows, self._catalog, document_id, section)

    def times_cited(self, document_id: str) -> dict[str | None, int]:
        """Section id (None: the document as a whole) -> how often other sections refer to it; others are left out."""
        self._graph.update_if_small()
        return times_cited(self._graph.rows, self._catalog, document_id)

    def reference_rows(self, mark: str, ordinals: Sequence[int]) -> list[list[ReferenceRow]] | None:
        """Where the references of documents lead, for a process that brings the graph up to date; None when the
        knowledge base is no longer in the state that ``mark`` stands for."""
        return self._graph.rows_of(mark, ordinals)

    def collection_graph(self, collection: str) -> CollectionGraph:
        """Documents and sections of a collection, what leads where, and what is broken or missing."""
        (name,) = self.require((collection,))
        return collection_graph(self._graph, self._catalog, name)

    def resolve(self, reference: Reference, *, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        """Where a reference leads; see ``kb.references.resolution.resolve``."""
        return self._naming.current().resolver.resolve(reference, at, self.require(collections))

    def standing(self, document_id: str) -> str:
        """What the collection says against relying on a document: replaced, out of force, a later edition; or ''."""
        return self._naming.current().resolver.standing(self.document(document_id))

    def works(self, collections: Sequence[str] = ()) -> tuple[tuple[Document, ...], ...]:
        """Works of which several dated editions are held, each from its oldest edition to its latest."""
        documents = tuple(each for each in self.documents() if not collections or each.collection in collections)
        return works_with_editions(documents, self._naming.current().registry)

    def detect(self, text: str, *, language: str | None = None) -> tuple[Reference, ...]:
        """References in a text, names of this knowledge base's documents included; offsets into the text."""
        return self._mentions.detect(text, language=language)

    def find_quote(self, document_id: str, quote: str, *, page: int | None = None) -> QuotePlace | None:
        """Where a quotation stands verbatim, on ``page`` first; None when it does not."""
        return self._quotations.find(document_id, quote, page=page)

    def put(self, prepared: Sequence[tuple[IndexedDocument, Float32]]) -> None:
        """Store documents read elsewhere than from PDFs, each with one vector a chunk; all or none become visible."""
        with _ONE_WRITER:
            self._store.put_many(prepared)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        """Vectors of the texts, float32, one normalised row each."""
        return self._store.embedder.embed(texts, query=query)

    def rarity(self, stem: str, language: str) -> float:
        """How rare a stemmed word is among the chunks, 0-1; one that stands in none is as rare as can be."""
        return self.store.keywords.rarity(stem, language)
