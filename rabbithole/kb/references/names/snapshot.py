"""The names of documents for one generation of the knowledge base: registry and name index."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rabbithole.kb.models import Document
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.store.engine import NameTables, NotWritableError, Tables

from .entering import entered
from .held_documents import HeldDocuments
from .known_works import known_works
from .name_index import NameIndex
from .registry import FUZZY_THRESHOLD, Registry
from .registry_file import RegistryFile, RegistryRow, complete_registry
from .stored.acronym_counts import count_usage
from .stored.name_store import NameStore
from .stored.name_tables import TABLES, Entered

FILE_NAME = "document_registry.json"
_TOGETHER = 500
Opening = Callable[[Tables], NameTables]
"""Opens the tables in which the names are kept between runs."""


def registry_path(folder: Path, configured: Path | None) -> Path:
    """Return the path from the settings; else beside a folder named ``database``, or in any other ``folder``."""
    if configured is not None:
        return configured
    return (folder.parent if folder.name == "database" else folder) / FILE_NAME


def complete_file(path: Path, documents: Sequence[Document]) -> None:
    """Add a row for each new document to the file and update the names found; keep what people wrote."""
    before = RegistryFile.load(path)
    after = complete_registry(documents, before)
    if after != before:
        after.save(path)


class Names:
    """The names for one state (``mark``) of the knowledge base and the registry file."""

    def __init__(self, mark: tuple[int, int], registry: Registry) -> None:
        self.mark = mark
        self.registry = registry

    def index_for(self, text: str) -> NameIndex:
        """Return an index of the names that may occur in a text, known laws included."""
        return NameIndex(self.registry.names_in(text))


class Naming:
    """Keeps ``Names`` up to date with the knowledge base's generation and people's edits of the registry file."""

    def __init__(
        self, reader: CorpusReader, path: Path, threshold: float = FUZZY_THRESHOLD, opening: Opening | None = None
    ) -> None:
        """``path``: the registry file; ``threshold``: the least similarity (0-1) of a name with typing errors.

        ``opening``: opens the tables of names; without it, or without write access, they are in memory.
        """
        self._reader = reader
        self._path = path
        self._threshold = threshold
        self._opening = opening
        self._guard = threading.RLock()
        self._current: Names | None = None
        self._opened: NameStore | None = None

    @property
    def mark(self) -> tuple[int, int]:
        """The knowledge base's generation and the modification time of the registry file (ns; 0 without one)."""
        return self._reader.generation, self._path.stat().st_mtime_ns if self._path.exists() else 0

    def current(self) -> Names:
        mark = self.mark
        with self._guard:
            if self._current is None or self._current.mark != mark:
                store = self._synced(mark)
                held = HeldDocuments(self._reader.held)
                registry = Registry(store=store, held=held, threshold=self._threshold)
                self._current = Names(mark, registry)
            return self._current

    def close(self) -> None:
        with self._guard:
            if self._opened is not None:
                self._opened.close()
            self._opened = self._current = None

    def _store(self) -> NameStore:
        if self._opened is None:
            try:
                self._opened = NameStore(self._opening(TABLES) if self._opening else None)
            except NotWritableError:
                self._opened = NameStore()
        return self._opened

    def _synced(self, mark: tuple[int, int]) -> NameStore:
        """Return the store of names, updated to a generation and a state of the file."""
        store = self._store()
        try:
            return self._bring(store, mark)
        except NotWritableError:  # keep the same names in memory
            self._opened = NameStore()
            return self._bring(self._opened, mark)

    def _bring(self, store: NameStore, mark: tuple[int, int]) -> NameStore:
        generation, edited = (str(each) for each in mark)
        if store.meta("generation") == generation and store.meta("file") == edited:
            return store
        corrected = self._corrected(store) if store.meta("file") != edited else set[str]()
        new = self._reader.ordinals(after=store.last_ordinal())
        changed = self._changed(store)
        if changed is None:
            new = self._reader.ordinals()
        again = {each: store.ordinal_of(each) for each in corrected.union(changed or ())}
        new |= {ordinal: each for each, ordinal in again.items() if ordinal is not None}
        gone: list[str] = []
        if store.count() + sum(store.ordinal_of(each) is None for each in new.values()) != self._reader.count():
            visible = self._reader.ordinals()
            kept = set(visible.values())
            gone = [each for each in store.ids_of(store.ordinals() - visible.keys()) if each not in kept]
        listed = list(new.items())
        for first in range(0, len(listed), _TOGETHER):
            store.change(self._entered(store, listed[first : first + _TOGETHER]))
        store.change((), gone)
        count_usage(store, self._reader.text)
        store.change((), (), {"generation": generation, "file": edited, "changed": self._reader.changed})
        return store

    def _corrected(self, store: NameStore) -> set[str]:
        """Store the corrections in the file and return the ids of the documents whose corrections have changed."""
        before, now = store.corrections(), RegistryFile.load(self._path).corrections()
        other = {place for place in before.keys() | now.keys() if before.get(place) != now.get(place)}
        if other:
            store.correct(now)
        return {each for collection, name in other for each in store.of_file_name(collection, name)}

    def _changed(self, store: NameStore) -> list[str] | None:
        """Return the ids of documents renamed or corrected since the store was written; None if that is unknown."""
        before, now = (int(mark.partition(":")[0] or 0) for mark in (store.meta("changed"), self._reader.changed))
        ids = [each for each in self._reader.changed.partition(":")[2].split(",") if each]
        behind = now - before
        if behind < 0 or behind > len(ids):
            return None
        return ids[len(ids) - behind :]

    def _entered(self, store: NameStore, listed: Iterable[tuple[int, str]]) -> Iterator[Entered]:
        for ordinal, identifier in listed:
            document = self._reader.held(identifier)
            if document is not None:
                written = store.correction(document.collection, document.file)
                row = RegistryRow.model_validate_json(written) if written and written != "{}" else None
                outline = self._reader.outline(identifier)
                yield entered(document, ordinal, row, known_works(), self._reader.text(identifier), outline)
