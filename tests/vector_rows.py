"""Rows for tests of an index of vectors, and scopes of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from kb_records import record
from numpy.typing import NDArray

from rabbithole.kb.store.vectors.matrix import Float32, Rows
from rabbithole.kb.store.vectors.vector_index import Passage

DIMENSION = 64


class Some:
    """A scope of any rows."""

    def __init__(self, chosen: Iterable[int]) -> None:
        self._chosen = tuple(chosen)
        self._set = frozenset(self._chosen)

    @property
    def size(self) -> int:
        return len(self._chosen)

    @property
    def mask(self) -> NDArray[np.bool_]:
        mask = np.zeros(max(self._chosen, default=-1) + 1, dtype=bool)
        mask[list(self._chosen)] = True
        return mask

    def rows(self) -> Rows:
        return np.array(self._chosen, dtype=np.int64)

    def holds(self, row: int) -> bool:
        return row in self._set


class Range(Some):
    """The first rows."""

    def __init__(self, end: int) -> None:
        super().__init__(range(end))


def rows_of(count: int, seed: int = 0) -> Float32:
    made = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def passages(count: int) -> list[Passage]:
    indexed = record("act", [("§ 1", "Der Grenzwert.")])
    return [(indexed.document, indexed.chunks[0])] * count
