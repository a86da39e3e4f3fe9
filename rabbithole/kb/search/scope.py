"""The scope of a search: the chunks selected by collections, documents, sections and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Filter
from rabbithole.kb.store.catalog import Catalog
from rabbithole.kb.store.index.index_terms import LANGUAGES, LETTERED, fields_of
from rabbithole.kb.store.ports import ChunkKey, ChunkScope, Span, Within
from rabbithole.kb.store.rows import Stored

from .field_values import FieldValues, Kept
from .filters import split_sections, value_matches

_SCOPES = 64
_FEW = 16
"""For up to this many documents, the languages are collected, so that the query is stemmed only in these."""


class View:
    """The visible documents of one generation of the catalog, to find a chunk's document and a scope's chunks.

    Opening it reads four columns of each document; the documents themselves are loaded on demand.
    """

    def __init__(self, catalog: Catalog, generation: int) -> None:
        self.generation = generation
        self._catalog = catalog
        places = sorted(catalog.places())
        self._ordinals = np.array([place[0] for place in places], dtype=np.int64)
        self._counts = np.array([place[2] for place in places], dtype=np.int64)
        self._index = {place[3]: index for index, place in enumerate(places)}
        self._at = {place[0]: index for index, place in enumerate(places)}
        self._values = FieldValues(catalog, self._at)
        self.collections = tuple(sorted({place[4] for place in places}))
        self._entries: dict[int, Stored | None] = {}
        self._scopes: dict[tuple[object, ...], ChunkScope] = {}
        self._fields: dict[tuple[str, ...], Mapping[str, str]] = {}
        self._titled: float | None = None

    @cached_property
    def stored(self) -> tuple[Stored, ...]:
        """Return all documents, in the order in which they were stored."""
        return tuple(sorted(self._catalog.all_stored(), key=lambda entry: entry.ordinal))

    def fields(self, collections: Sequence[str]) -> Mapping[str, str]:
        """Return the metadata fields that documents of the collections have, each with the kind of its values."""
        key = tuple(collections)
        if key not in self._fields:
            self._fields[key] = self._catalog.field_types(key)
        return self._fields[key]

    def titled_share(self) -> float:
        """Return the share of documents that have a title, 0-1."""
        if self._titled is None:
            titled = ~self._values.equal("title", "")
            self._titled = float(titled.mean()) if len(titled) else 0.0
        return self._titled

    @cached_property
    def chunks(self) -> int:
        """Return the number of chunks of all documents."""
        return int(self._counts.sum())

    @cached_property
    def german(self) -> bool:
        """Return whether any document is in German."""
        return bool(self._values.equal("language", "de").any())

    def lettered(self, key: ChunkKey) -> bool:
        """Return whether the chunk's document is indexed by letters: in German or in a language that is not known."""
        index = self._at.get(key.document)
        return index is not None and bool(self._lettered[index])

    @cached_property
    def _lettered(self) -> Kept:
        kept = np.ones(len(self._ordinals), dtype=np.bool_)
        for language in LANGUAGES:
            if LETTERED not in fields_of((language,)):
                kept &= ~self._values.equal("language", language)
        return kept

    def place(self, key: ChunkKey) -> tuple[Stored, int] | None:
        """Return the document of a chunk and its position; None if no visible document has that chunk."""
        index = self._at.get(key.document)
        if index is None or not 0 <= key.position < self._counts[index]:
            return None
        entry = self._entry(index)
        return None if entry is None else (entry, key.position)

    def shows(self, ordinal: int) -> bool:
        """Return whether a document is visible."""
        return ordinal in self._at

    def language(self, document_id: str) -> str:
        entry = self._entry(self._index[document_id])
        return entry.document.language if entry is not None else ""

    def scope(
        self, collections: Sequence[str], filters: Sequence[Filter], documents: Sequence[str], section: str | None
    ) -> ChunkScope:
        """Return the scope these select, cached. Raises UsageError for an unknown document or section."""
        # By their text: Python takes 2004, 2004.0 and True, 1 for equal, a condition does not.
        key = (tuple(collections), repr(tuple(filters)), tuple(documents), section)
        if (found := self._scopes.get(key)) is None:
            if len(self._scopes) >= _SCOPES:
                self._scopes.clear()
            found = self._scopes[key] = self._scope(collections, filters, documents, section)
        return found

    def _scope(
        self, collections: Sequence[str], filters: Sequence[Filter], documents: Sequence[str], section: str | None
    ) -> ChunkScope:
        on_documents, on_sections = split_sections(filters)
        kept = self._named(documents) if documents else np.ones(len(self._ordinals), dtype=np.bool_)
        if collections:
            kept &= self._values.meeting(Filter(field="collection", operator="in", value=tuple(collections)), own=True)
        for condition in on_documents:
            kept &= self._values.meeting(condition)
        if section is None and not on_sections:
            with_chunks = kept & (self._counts > 0)
            return ChunkScope(self._ordinals[with_chunks], self._counts[with_chunks], None, self._within(kept))
        parts: dict[int, list[Span]] = {}
        held = np.zeros(len(kept), dtype=np.bool_)
        entries = [(int(index), entry) for index in np.flatnonzero(kept) if (entry := self._entry(int(index)))]
        for index, entry in entries:
            if found := self._section_spans(entry, section, on_sections):
                parts[entry.ordinal] = found
                held[index] = True
        if section is not None and not parts and not self._knows_section(entries, section):
            raise UsageError(f"There is no section {section!r} in the documents searched.")
        counts = np.array([sum(end - start for start, end in spans) for spans in parts.values()], dtype=np.int64)
        return ChunkScope(self._ordinals[held], counts, parts, self._within(held))

    def _within(self, kept: Kept) -> Within | None:
        """Return the selection by document: the documents kept or those left out, whichever are fewer."""
        if kept.all():
            return None
        share = float(self._counts[kept].sum() / max(self._counts.sum(), 1))
        all_but = share > 1 / 2
        named = self._ordinals[~kept if all_but else kept]
        few = np.flatnonzero(kept) if len(named) <= _FEW and not all_but else ()
        entries = [entry for index in few if (entry := self._entry(int(index))) is not None]
        return Within(tuple(named.tolist()), all_but, share, frozenset(entry.document.language for entry in entries))

    def _named(self, documents: Sequence[str]) -> Kept:
        """Select documents by id, else by file name or title. Raises UsageError for an unknown one."""
        kept = np.zeros(len(self._ordinals), dtype=np.bool_)
        for name in documents:
            if name in self._index:
                kept[self._index[name]] = True
                continue
            found = self._values.equal("file", name) | self._values.equal("title", name)
            if not found.any():
                raise UsageError(f"There is no document {name!r} in the knowledge base.")
            kept |= found
        return kept

    def _entry(self, index: int) -> Stored | None:
        """Return a document, cached; None if it was deleted meanwhile."""
        if index not in self._entries:
            self._entries[index] = self._catalog.stored_at(int(self._ordinals[index]))
        return self._entries[index]

    def _knows_section(self, entries: Sequence[tuple[int, Stored]], section: str) -> bool:
        return any(self._catalog.section_spans(entry, section) for _, entry in entries)

    def _section_spans(self, entry: Stored, section: str | None, filters: Sequence[Filter]) -> list[Span]:
        spans: list[Span] = []
        starts = self._catalog.chunk_starts(entry)
        outline = self._catalog.outline(entry.document.id) if filters else ()
        kept = np.ones(len(starts), dtype=np.bool_)
        for wanted in [] if section is None else [section]:
            kept &= _inside(starts, self._catalog.section_spans(entry, wanted))
        for condition in filters:
            positive = condition.model_copy(update={"operator": "="}) if condition.operator == "!=" else condition
            found = [(s.start, s.end) for s in outline if s.number and value_matches((s.number, s.id), positive)]
            kept &= _inside(starts, found) != (condition.operator == "!=")
        edges = np.flatnonzero(np.diff(np.concatenate(([0], kept.astype(np.int8), [0]))))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            spans.append((int(start), int(end)))
        return spans


def _inside(starts: NDArray[np.int64], spans: Sequence[Span]) -> NDArray[np.bool_]:
    inside = np.zeros(len(starts), dtype=np.bool_)
    for start, end in spans:
        inside |= (starts >= start) & (starts < end)
    return inside
