"""The graph of resolved references, stored in the catalog and updated document by document.

The references of a document can change for three reasons: it is new; a document it refers to was removed or read again;
or the names of documents changed. Only affected documents are resolved again. Of the documents affected by a changed
name, these are the ones whose text contains every word of the name, that lack a work which a changed document now
is, or that have the name themselves, as the pages of one book do.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from rabbithole.kb.models import Chunk, Document, Place, Reference, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.books import book_of
from rabbithole.kb.references.names.completion import generic_names
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.resolution.current_resolver import CurrentResolver
from rabbithole.kb.references.resolution.resolver import Resolver
from rabbithole.kb.references.resolution.sections.section_index import SectionIndex
from rabbithole.kb.store.catalog import Catalog
from rabbithole.kb.store.reference_rows import VERSION, ReferenceRow
from rabbithole.kb.store.rows import Stored, split_id

from .missing import missing_kind
from .processes import Command, Resolved, resolve_in_processes

Resolving = Callable[[Stored], list[ReferenceRow]]
"""Gives the rows of one document."""
Progress = Callable[[int, int], None]
"""Called with the number of documents done and the total."""
_ALL: Final = 1 / 3
"""If more than this share of the documents changed, all are resolved again: text searches would cost as much."""
_ALONE: Final = 1_000
"""Number of passages that one process resolves in the time another process needs to start."""
_WRITTEN_TOGETHER: Final = 500
"""Rows written in one transaction."""
WAITED_FOR: Final = 20_000
"""Maximum number of unresolved passages for which a search waits: about half a minute."""
_IDENTIFIERS: Final = ("doi", "arxiv", "isbn", "report")
_log = logging.getLogger(__name__)


class GraphReader(CorpusReader, Protocol):
    """A reader that also gives chunks and references; the knowledge base is one."""

    def chunks(self, document_id: str, section: str | None = None) -> tuple[Chunk, ...]: ...

    def references(self, document_id: str, start: int = 0, end: int | None = None) -> tuple[Reference, ...]: ...


class StoredReferences:
    """The stored references. Thread-safe: one thread updates them while the others wait."""

    def __init__(
        self, reader: GraphReader, catalog: Catalog, resolver: CurrentResolver, worker: Command | None = None
    ) -> None:
        """``worker`` says how to start a process that helps to resolve many documents."""
        self._reader, self._catalog, self._resolver, self._worker = reader, catalog, resolver, worker
        self._guard = threading.Lock()
        self._skipped = ""
        self._state: tuple[str, Mapping[int, Stored], Resolving] | None = None
        self.rows = catalog.resolved

    @property
    def current(self) -> bool:
        """Whether the rows match the current generation and names."""
        return self.rows.mark() == self._mark()

    def waiting(self) -> int:
        """Return the number of passages in documents without rows."""
        known = self.rows.marks() if self.rows.exist else {}
        return sum(count for ordinal, _, count, *_ in self._catalog.places() if ordinal not in known)

    def update(self, progress: Progress | None = None) -> int:
        """Update the rows and return how many documents were resolved.

        If the catalog cannot be written, the rows stay as they are and a warning is logged.
        """
        with self._guard:
            mark = self._mark()
            if self.rows.mark() == mark:
                return 0
            if not self.rows.writable:
                self._skip(
                    mark,
                    "The knowledge base is on a read-only disk: its reference graph is used as it was when it was last "
                    "brought up to date.",
                )
                return 0
            self.rows.create()
            return self._update(mark, progress)

    def update_if_small(self, most: int = WAITED_FOR) -> None:
        """Do the same as ``update``, but only log a warning if more than ``most`` passages are unresolved."""
        mark = self._mark()
        if mark == self._skipped or self.rows.mark() == mark:
            return
        if (waiting := self.waiting()) > most:
            self._skip(
                mark,
                f"The references of {waiting} passages are not resolved yet: search ranks without them until "
                "`rabbithole graph` or the next ingestion has resolved them.",
            )
            return
        self.update()

    def _skip(self, mark: str, sentence: str) -> None:
        if mark != self._skipped:
            self._skipped = mark
            _log.warning(sentence)

    def _mark(self) -> str:
        generation, names = self._resolver.mark
        return f"{VERSION}:{generation}:{names}"

    def _update(self, mark: str, progress: Progress | None) -> int:
        resolver = self._resolver.get()
        registry = resolver.registry
        stored = self._catalog.all_stored()
        names = {entry.document.id: names_of(registry, entry.document) for entry in stored}
        affected = self._affected(stored, registry, names, mark)
        written: list[Resolved] = []
        try:
            for done, resolved in enumerate(self._all_resolved(affected, stored, resolver, mark)):
                if progress is not None:
                    progress(done, len(affected))
                written.append(resolved)
                if sum(len(rows) for _, rows in written) >= _WRITTEN_TOGETHER:
                    self.rows.write(mark, written)
                    written = []
        finally:
            self.rows.write(mark, written)
        if self._mark() == mark:
            self.rows.finish(mark, names)
        return len(affected)

    def _all_resolved(
        self, affected: Sequence[Stored], stored: Sequence[Stored], resolver: Resolver, mark: str
    ) -> Iterator[Resolved]:
        resolve = self._resolving(stored, resolver)
        chunks = {ordinal: count for ordinal, _, count, *_ in self._catalog.places()}
        if self._worker is None or sum(chunks.get(entry.ordinal, 0) for entry in affected) < _ALONE:
            return ((entry, resolve(entry)) for entry in affected)
        return resolve_in_processes(affected, resolve, self._worker, mark)

    def rows_of(self, mark: str, ordinals: Sequence[int]) -> list[list[ReferenceRow]] | None:
        """Return the rows of these documents, for a process that updates the graph; None if ``mark`` is not current."""
        if self._state is None or self._state[0] != mark:
            stored = self._catalog.all_stored()
            resolve = self._resolving(stored, self._resolver.get())
            self._state = self._mark(), {entry.ordinal: entry for entry in stored}, resolve
        known, entries, resolve = self._state
        if known != mark or not entries.keys() >= set(ordinals):
            return None
        return [resolve(entries[ordinal]) for ordinal in ordinals]

    def _resolving(self, stored: Sequence[Stored], resolver: Resolver) -> Resolving:
        """Return what gives the rows of each of these documents."""
        ordinals = {entry.document.id: entry.ordinal for entry in stored}
        places = Places(self._reader)
        return lambda entry: self._resolved(entry, resolver, ordinals, places)

    def _affected(
        self, stored: Sequence[Stored], registry: Registry, names: Mapping[str, frozenset[str]], mark: str
    ) -> list[Stored]:
        """Return the documents to resolve again, except those already resolved for this mark before an interruption."""
        done = self.rows.marks()
        before = self.rows.names()
        changed = {one for one in before.keys() | names.keys() if before.get(one) != names.get(one)}
        if len(changed) > _ALL * max(len(stored), 1) or not self.rows.mark().startswith(f"{VERSION}:"):
            return [entry for entry in stored if done.get(entry.ordinal) != mark]
        stale = self.rows.stale_sources() | self._now_held(registry, changed)
        renamed = {name for one in changed for name in before.get(one, frozenset()) ^ names.get(one, frozenset())}
        wanted = [words for words in map(_words, renamed) if words]
        return [
            entry
            for entry in stored
            if done.get(entry.ordinal) != mark
            and (
                entry.ordinal not in done
                or entry.ordinal in stale
                or not renamed.isdisjoint(names[entry.document.id])
                or self._mentions(entry, wanted)
            )
        ]

    def _now_held(self, registry: Registry, changed: set[str]) -> set[int]:
        """Return the documents that lack a work which one of the changed documents now is."""
        return {
            source
            for source, name in self.rows.unsettled()
            if any(entry.document.id in changed for entry in registry.lookup(name).entries)
        }

    def _mentions(self, entry: Stored, names: Iterable[Sequence[str]]) -> bool:
        text = self._reader.text(entry.document.id).casefold()
        return any(all(word in text for word in words) for words in names)

    def _resolved(
        self, entry: Stored, resolver: Resolver, ordinals: Mapping[str, int], places: Places
    ) -> list[ReferenceRow]:
        """Return the rows of one document, all resolved with the names known to one resolver."""
        document = entry.document.id
        index = SectionIndex(self._reader.outline(document))
        rows = []
        for position, reference in enumerate(self._reader.references(document)):
            section = index.at(reference.start)
            at = Place(document=document, section=section.id if section else None, offset=reference.start)
            found = resolver.resolve(reference, at)
            held = found.document is not None and found.status == "resolved"
            first, count = places.span(found) if held else (0, 0)
            rows.append(
                ReferenceRow(
                    source=entry.ordinal,
                    position=position,
                    passage=places.passage(document, reference.start),
                    section=section.index if section else None,
                    kind=reference.kind,
                    text=reference.text,
                    status=found.status,
                    name=found.name,
                    lacks=missing_kind(reference, found),
                    target=ordinals.get(found.document) if found.document else None,
                    target_section=_position(found.section),
                    first=first,
                    passages=count,
                )
            )
        return rows


class Places:
    """Converts offsets to passages. Keeps the passage boundaries of each document during one update."""

    def __init__(self, reader: GraphReader) -> None:
        self._reader = reader
        self._spans: dict[str, tuple[list[int], list[int]]] = {}

    def passage(self, document: str, offset: int) -> int:
        """Return the position of the passage that contains an offset, or -1."""
        starts, ends = self._of(document)
        position = bisect_right(starts, offset) - 1
        return position if position >= 0 and offset < ends[position] else -1

    def span(self, found: Resolution) -> tuple[int, int]:
        """Return the first passage of the place a reference leads to, and the number of its passages."""
        starts, ends = self._of(found.document or "")
        if found.start is None or found.end is None:
            return 0, len(starts)
        first = max(bisect_right(starts, found.start) - 1, 0)
        if first < len(ends) and ends[first] <= found.start:
            first += 1
        return first, max(bisect_left(starts, max(found.end, found.start + 1)) - first, 0)

    def _of(self, document: str) -> tuple[list[int], list[int]]:
        if document not in self._spans:
            chunks = self._reader.chunks(document)
            self._spans[document] = [chunk.start for chunk in chunks], [chunk.end for chunk in chunks]
        return self._spans[document]


def names_of(registry: Registry, document: Document) -> frozenset[str]:
    """Return every name of a document, and the identifiers by which bibliographies know it."""
    identifiers = (document.metadata.get(kind) for kind in _IDENTIFIERS)
    called = (*registry.names_of(document.id), *generic_names(document.title), document.title, book_of(document))
    return frozenset({*filter(None, called), *(str(one) for one in identifiers if one)})


def _words(name: str) -> tuple[str, ...]:
    """Return the words (or word beginnings) that every mention of a name contains, inflected or not, longest first."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.casefold()).split()
    kept = {word[: max(4, len(word) - 3)] if word.isalpha() else word for word in words if len(word) > 2}
    return tuple(sorted(kept or words, key=lambda word: (-len(word), word)))


def _position(section: str | None) -> int | None:
    parts = split_id(section, "s") if section else None
    return parts[1] if parts else None
