"""Where a search looks: which rows of the indexes the collections, documents, sections and filters leave."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import maxsize

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..models import Chunk, Filter
from ..store.catalog import Catalog
from ..store.matrix import Rows
from ..store.rows import Stored
from .filters import field_values, split_sections, value_matches

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Scope:
    """Spans (first row, end row) in ascending order. ``ordinals`` of the documents; None when all are meant.

    ``whole`` says that every chunk of those documents is meant. A view keeps scopes, and they what was computed once.
    """

    spans: tuple[Span, ...]
    ordinals: tuple[int, ...] | None
    whole: bool

    @cached_property
    def size(self) -> int:
        """Chunks in the scope."""
        return sum(end - start for start, end in self.spans)

    def holds(self, row: int) -> bool:
        """Whether a row is in the scope."""
        index = bisect_right(self.spans, (row, maxsize)) - 1
        return index >= 0 and row < self.spans[index][1]

    def rows(self) -> Rows:
        parts = [np.arange(start, end, dtype=np.int64) for start, end in self.spans]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """True for each row of the scope, up to its last row."""
        length = self.spans[-1][1] if self.spans else 0
        steps = np.zeros(length + 1, dtype=np.int8)
        for start, end in self.spans:
            steps[start] += 1
            steps[end] -= 1
        return np.cumsum(steps[:length], dtype=np.int8).astype(np.bool_)


class View:
    """The visible documents of one generation of the catalog, for finding a row's document and a scope's rows."""

    def __init__(self, catalog: Catalog, generation: int) -> None:
        self.generation = generation
        self._catalog = catalog
        self.stored = tuple(sorted(catalog.all_stored(), key=lambda entry: entry.first_row))
        self._firsts = np.array([entry.first_row for entry in self.stored], dtype=np.int64)
        self._by_id = {entry.document.id: entry for entry in self.stored}
        self.collections = tuple(sorted({entry.document.collection for entry in self.stored}))
        self._scopes: dict[tuple[object, ...], Scope] = {}

    def place(self, row: int) -> tuple[Stored, int] | None:
        """The document of a row and the position of its chunk; None when no visible document has that row."""
        index = int(np.searchsorted(self._firsts, row, side="right")) - 1
        if index < 0:
            return None
        entry = self.stored[index]
        position = row - entry.first_row
        return (entry, position) if position < entry.chunk_count else None

    def language(self, document_id: str) -> str:
        return self._by_id[document_id].document.language

    def row(self, chunk: Chunk) -> int:
        """The row of a chunk of a visible document."""
        return self._by_id[chunk.document].first_row + int(chunk.id.rpartition(":c")[2])

    def scope(
        self, collections: Sequence[str], filters: Sequence[Filter], documents: Sequence[str], section: str | None
    ) -> Scope:
        """Raises UsageError when a document or section is not known."""
        key = (tuple(collections), tuple(filters), tuple(documents), section)
        if (found := self._scopes.get(key)) is None:
            if len(self._scopes) >= 64:
                self._scopes.clear()
            found = self._scopes[key] = self._scope(collections, filters, documents, section)
        return found

    def _scope(
        self, collections: Sequence[str], filters: Sequence[Filter], documents: Sequence[str], section: str | None
    ) -> Scope:
        on_documents, on_sections = split_sections(filters)
        entries: Sequence[Stored] = self.stored
        if documents:
            entries = self._named(documents)
        if collections:
            entries = [entry for entry in entries if entry.document.collection in collections]
        for condition in on_documents:
            entries = _meeting(entries, condition)
        ordinals = None if len(entries) == len(self.stored) else tuple(entry.ordinal for entry in entries)
        if section is None and not on_sections:
            spans = tuple((e.first_row, e.first_row + e.chunk_count) for e in entries if e.chunk_count)
            return Scope(spans=spans, ordinals=ordinals, whole=True)
        ranges: list[Span] = []
        held: list[int] = []
        for entry in entries:
            if found := self._section_spans(entry, section, on_sections):
                ranges += found
                held.append(entry.ordinal)
        if section is not None and not ranges and not self._knows_section(entries, section):
            raise UsageError(f"There is no section {section!r} in the documents searched.")
        return Scope(spans=tuple(sorted(ranges)), ordinals=tuple(held), whole=False)

    def _named(self, documents: Sequence[str]) -> list[Stored]:
        """Documents by id, else by file name or title."""
        found: dict[int, Stored] = {}
        for name in documents:
            if name in self._by_id:
                entries = [self._by_id[name]]
            else:
                entries = [e for e in self.stored if name in (e.document.file, e.document.title)]
            if not entries:
                raise UsageError(f"There is no document {name!r} in the knowledge base.")
            found |= {entry.ordinal: entry for entry in entries}
        return sorted(found.values(), key=lambda entry: entry.first_row)

    def _knows_section(self, entries: Sequence[Stored], section: str) -> bool:
        return any(section in (s.id, s.number) for e in entries for s in self._catalog.outline(e.document.id))

    def _section_spans(self, entry: Stored, section: str | None, filters: Sequence[Filter]) -> list[Span]:
        spans: list[Span] = []
        starts = self._catalog.chunk_starts(entry.document.id)
        outline = self._catalog.outline(entry.document.id)
        kept = np.ones(len(starts), dtype=np.bool_)
        for wanted in [] if section is None else [section]:
            kept &= _inside(starts, [(s.start, s.end) for s in outline if wanted in (s.id, s.number)])
        for condition in filters:
            positive = condition.model_copy(update={"operator": "="}) if condition.operator == "!=" else condition
            found = [(s.start, s.end) for s in outline if s.number and value_matches((s.number, s.id), positive)]
            kept &= _inside(starts, found) != (condition.operator == "!=")
        edges = np.flatnonzero(np.diff(np.concatenate(([0], kept.astype(np.int8), [0]))))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            spans.append((entry.first_row + int(start), entry.first_row + int(end)))
        return spans


def _meeting(entries: Sequence[Stored], condition: Filter) -> list[Stored]:
    """The documents that meet a condition; each value a field has is judged once."""
    judged: dict[tuple[object, ...], bool] = {}
    kept: list[Stored] = []
    for entry in entries:
        values = field_values(entry.document, condition.field)
        key = (*map(type, values), *values)  # 1, 1.0 and True are equal to Python
        if (met := judged.get(key)) is None:
            met = judged[key] = value_matches(values, condition)
        if met:
            kept.append(entry)
    return kept


def _inside(starts: NDArray[np.int64], spans: Sequence[Span]) -> NDArray[np.bool_]:
    inside = np.zeros(len(starts), dtype=np.bool_)
    for start, end in spans:
        inside |= (starts >= start) & (starts < end)
    return inside
