"""The row numbers of the embedded indexes: the catalog assigns each document a run of rows, and no row twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import ReplacedError
from rabbithole.kb.store.ports import ChunkKey, ChunkScope, Ordinals, Scored
from rabbithole.kb.store.vectors.matrix import Float32, Rows

Assigned = tuple[int, int, int]
"""A document's ordinal, its first row and its number of chunks."""


@dataclass(frozen=True, eq=False)
class RowRanges:
    """The rows ``starts[i]`` .. ``ends[i] - 1``, ascending."""

    starts: Rows
    ends: Rows

    @cached_property
    def size(self) -> int:
        return int((self.ends - self.starts).sum())

    def holds(self, row: int) -> bool:
        index = int(np.searchsorted(self.starts, row, side="right")) - 1
        return index >= 0 and row < self.ends[index]

    def rows(self) -> Rows:
        parts = [np.arange(start, end, dtype=np.int64) for start, end in zip(self.starts, self.ends, strict=True)]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        length = int(self.ends[-1]) if len(self.ends) else 0
        steps = np.zeros(length + 1, dtype=np.int8)
        np.add.at(steps, self.starts, 1)
        np.subtract.at(steps, self.ends, 1)
        return np.cumsum(steps[:length], dtype=np.int8).astype(np.bool_)


class _Table(NamedTuple):
    """Documents with chunks, ascending by ordinal and so by row; ``last`` is the last ordinal that was asked for."""

    ordinals: Ordinals
    firsts: Rows
    counts: Rows
    last: int


class RowNumbers:
    """Translates between chunks and rows. Safe for several threads.

    ``assigned``: returns what the catalog assigned to documents with a higher ordinal than the given one, whether they
    are visible or not, by ordinal. As neither ordinals nor rows are used again, what was read once stays true.
    """

    def __init__(self, assigned: Callable[[int], Sequence[Assigned]]) -> None:
        self._assigned = assigned
        self._guard = threading.Lock()
        none = np.empty(0, dtype=np.int64)
        self._table = _Table(none, none, none, 0)
        self._ranges: WeakKeyDictionary[ChunkScope, RowRanges] = WeakKeyDictionary()

    def ranges(self, scope: ChunkScope) -> RowRanges:
        """Return the rows of a scope, computed once. Raises ReplacedError if a document was removed meanwhile."""
        if (found := self._ranges.get(scope)) is None:
            found = self._ranges[scope] = self._ranges_of(scope)
        return found

    def of_documents(self, documents: Sequence[int]) -> list[tuple[int, int]]:
        """Return (first row, number of chunks) of each of these documents; those without chunks are left out."""
        table, at, held = self._find(np.array(documents, dtype=np.int64))
        return list(zip(table.firsts[at[held]].tolist(), table.counts[at[held]].tolist(), strict=True))

    def rows(self, keys: Sequence[ChunkKey]) -> Rows:
        """Return the rows of chunks. Raises ReplacedError for a document that has none."""
        wanted = np.array(keys, dtype=np.int64).reshape(-1, 2)
        table, at = self._find_all(wanted[:, 0])
        return table.firsts[at] + wanted[:, 1]

    def scored(self, rows: Rows, scores: Float32 | Sequence[float]) -> Scored:
        """Return the chunks of these rows with their scores; rows that no document has are left out."""
        table = self._table
        at = np.searchsorted(table.firsts, rows, side="right") - 1
        if len(rows) and not self._known(table, rows, at).all():
            table = self._more()
            at = np.searchsorted(table.firsts, rows, side="right") - 1
        held = self._known(table, rows, at)
        documents, positions = table.ordinals[at[held]].tolist(), (rows[held] - table.firsts[at[held]]).tolist()
        of_held = np.asarray(scores, dtype=np.float64)[held].tolist()
        return [
            (ChunkKey(document, position), score)
            for document, position, score in zip(documents, positions, of_held, strict=True)
        ]

    def _known(self, table: _Table, rows: Rows, at: NDArray[np.int64]) -> NDArray[np.bool_]:
        known = at >= 0
        known[known] = rows[known] < (table.firsts + table.counts)[at[known]]
        return known

    def _ranges_of(self, scope: ChunkScope) -> RowRanges:
        documents = scope.documents
        table, at = self._find_all(documents)
        if scope.parts is None:
            return RowRanges(table.firsts[at], table.firsts[at] + table.counts[at])
        firsts: Mapping[int, int] = dict(zip(documents.tolist(), table.firsts[at].tolist(), strict=True))
        runs = [(firsts[of] + start, firsts[of] + end) for of, spans in scope.parts.items() for start, end in spans]
        edges = np.array(sorted(runs), dtype=np.int64).reshape(-1, 2)
        return RowRanges(edges[:, 0], edges[:, 1])

    def _find(self, documents: Ordinals) -> tuple[_Table, NDArray[np.int64], NDArray[np.bool_]]:
        """Return the table, where in it each document stands, and whether it stands there."""
        table = self._table if documents.max(initial=0) <= self._table.last else self._more()
        at = np.searchsorted(table.ordinals, documents)
        held = at < len(table.ordinals)
        held[held] = table.ordinals[at[held]] == documents[held]
        return table, at, held

    def _find_all(self, documents: Ordinals) -> tuple[_Table, NDArray[np.int64]]:
        table, at, held = self._find(documents)
        if not held.all():
            raise ReplacedError("A document was removed while it was searched.")
        return table, at

    def _more(self) -> _Table:
        """Read what the catalog has assigned since."""
        with self._guard:
            table = self._table
            found = self._assigned(table.last)
            if found:
                new = np.array([each for each in found if each[2]], dtype=np.int64).reshape(-1, 3)
                self._table = _Table(
                    np.concatenate([table.ordinals, new[:, 0]]),
                    np.concatenate([table.firsts, new[:, 1]]),
                    np.concatenate([table.counts, new[:, 2]]),
                    found[-1][0],
                )
            return self._table


def consecutive(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of runs of documents, given as (first row, chunks), that follow each other without a gap."""
    start = 0
    for at in range(1, len(places) + 1):
        if at == len(places) or places[at][0] != sum(places[at - 1]):
            yield start, at
            start = at
