"""Names of documents for one generation of the knowledge base: registry, name index, resolver."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property, lru_cache
from pathlib import Path

from rabbithole.kb.models import Document
from rabbithole.kb.references.resolution.reader import Reader
from rabbithole.kb.references.resolution.resolve import Resolver

from .entering import entered
from .known_works import known_works
from .name_index import NameIndex
from .name_store import Entered, NameStore, anchors_in
from .registry import FUZZY_THRESHOLD, Held, Registry
from .registry_file import RegistryFile, complete_registry
from .replaced import OPENING
from .usage import usage_in

FILE_NAME = "document_registry.json"
STORE_NAME = "names.sqlite"
_INDEXED_WHOLE = 20_000
"""Documents up to which all names are looked for at once; of more, those whose rarest word a text has."""
_TOGETHER = 500


def registry_path(folder: Path, configured: Path | None) -> Path:
    """The setting; else beside a folder called ``database`` (``data/document_registry.json``), else in the folder."""
    if configured is not None:
        return configured
    return (folder.parent if folder.name == "database" else folder) / FILE_NAME


def complete_file(path: Path, documents: Sequence[Document]) -> None:
    """Add a row for every document the file does not have yet; what people wrote stays."""
    before = RegistryFile.load(path)
    after = complete_registry(documents, before)
    if after != before:
        after.save(path)


class Names:
    """What is known of names while the knowledge base and the file stay as they are."""

    def __init__(self, mark: tuple[int, int], registry: Registry, reader: Reader) -> None:
        self.mark = mark
        self.registry = registry
        self._reader = reader
        self._of_words = lru_cache(maxsize=8)(self._index_of_words)

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self._reader, self.registry)

    @cached_property
    def index(self) -> NameIndex:
        """All names, for texts of any words."""
        return NameIndex(self.registry.names())

    def index_for(self, text: str) -> NameIndex:
        """The names that a text may have."""
        if self.registry.store.count() <= _INDEXED_WHOLE:
            return self.index
        return self._of_words(frozenset(anchors_in(text)))

    def _index_of_words(self, words: frozenset[str]) -> NameIndex:
        store = self.registry.store
        generic = ((name, name) for name in store.generic_names())
        return NameIndex([*self.registry.surfaces(store.anchored(words)), *generic])


class Naming:
    """Keeps ``Names`` up to date with the knowledge base's generation and with the edits people make in the file."""

    def __init__(
        self, reader: Reader, path: Path, threshold: float = FUZZY_THRESHOLD, folder: Path | None = None
    ) -> None:
        """``folder``: where the names are kept between runs; in memory without it, or where nothing may be written."""
        self._reader = reader
        self._path = path
        self._threshold = threshold
        self._folder = folder
        self._guard = threading.RLock()
        self._current: Names | None = None
        self._opened: NameStore | None = None

    @property
    def mark(self) -> tuple[int, int]:
        """Changes when the knowledge base or the file may have changed."""
        return self._reader.generation, self._path.stat().st_mtime_ns if self._path.exists() else 0

    def current(self) -> Names:
        mark = self.mark
        with self._guard:
            if self._current is None or self._current.mark != mark:
                store = self._synced(mark)
                held = Held(self._reader.held, self._reader.documents)
                registry = Registry(store=store, held=held, threshold=self._threshold)
                self._current = Names(mark, registry, self._reader)
            return self._current

    def close(self) -> None:
        with self._guard:
            if self._opened is not None:
                self._opened.close()
            self._opened = self._current = None

    def _store(self) -> NameStore:
        if self._opened is None:
            try:
                self._opened = NameStore(self._folder / STORE_NAME if self._folder else None)
            except (sqlite3.Error, OSError):
                self._opened = NameStore()
        return self._opened

    def _synced(self, mark: tuple[int, int]) -> NameStore:
        """The store brought to a generation and a state of the file; most of the time there is nothing to do."""
        store = self._store()
        try:
            return self._bring(store, mark)
        except sqlite3.OperationalError:  # may not be written here: the same names in memory
            self._opened = NameStore()
            return self._bring(self._opened, mark)

    def _bring(self, store: NameStore, mark: tuple[int, int]) -> NameStore:
        generation, edited = (str(each) for each in mark)
        if store.meta("generation") == generation and store.meta("file") == edited:
            return store
        file = RegistryFile.load(self._path) if store.meta("file") != edited else None
        new = self._reader.ordinals(after=store.last_ordinal())
        gone: list[str] = []
        if store.count() + len(new) != self._reader.count():
            visible = self._reader.ordinals()
            gone = [each for each in store.ids_of(store.ordinals() - set(visible)) if each not in visible.values()]
        everything = False
        if (changed := self._changed(store)) is not None:
            again = {identifier: ordinal for ordinal, identifier in self._reader.ordinals().items()} if changed else {}
            new |= {again[identifier]: identifier for identifier in changed if identifier in again}
        else:
            everything = True
        corrections = store.meta("corrections")
        if file is not None:
            corrections = file.corrected_mark()
            everything = everything or corrections != store.meta("corrections")
        if everything:
            new = self._reader.ordinals()
        file = file or RegistryFile.load(self._path) if new else RegistryFile()
        listed = list(new.items())
        for first in range(0, len(listed), _TOGETHER):
            store.change(self._entered(listed[first : first + _TOGETHER], file))
        marks = {"generation": generation, "file": edited, "corrections": corrections, "changed": self._reader.changed}
        store.change((), gone, marks)
        self._count_usage(store, set(new.values()))
        return store

    def _changed(self, store: NameStore) -> list[str] | None:
        """Ids of documents renamed or corrected in place since the store was written; None when that is not known."""
        before, now = (int(mark.partition(":")[0] or 0) for mark in (store.meta("changed"), self._reader.changed))
        ids = [each for each in self._reader.changed.partition(":")[2].split(",") if each]
        behind = now - before
        if behind < 0 or behind > len(ids):
            return None
        return ids[len(ids) - behind :]

    def _entered(self, listed: Iterable[tuple[int, str]], file: RegistryFile) -> Iterator[Entered]:
        for ordinal, identifier in listed:
            document = self._reader.held(identifier)
            if document is not None:
                opening = self._reader.text(identifier, 0, OPENING)
                row = file.row(document.collection, document.file)
                yield entered(document, ordinal, row, known_works(), opening)

    def _count_usage(self, store: NameStore, new: Set[str]) -> None:
        """How each acronym of a title is used: in new documents all of them, in the others those not counted yet."""
        names = store.unproven()
        everywhere = list(self._reader.ordinals().values()) if names else []
        for name in names:
            counted = store.counted(name)
            rows = []
            for document in everywhere:
                if document in counted and document not in new:
                    continue
                cited, seen, example = usage_in(self._reader.text(document), name)
                rows.append((name, document, cited, seen, example))
            store.add_usage(rows)
