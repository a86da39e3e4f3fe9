"""What the store asks of an index of vectors. ``exact`` and ``chroma`` are its adapters; one of them holds a base."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import Chunk, Document

from .vectors.matrix import Float32, Rows

Passage = tuple[Document, Chunk]
"""What a vector stands for, for whoever reads the index without the catalog."""


class RowScope(Protocol):
    """The rows a search may find."""

    @property
    def size(self) -> int:
        """How many they are."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """True for each of them, up to the last."""

    def rows(self) -> Rows:
        """All of them, ascending."""

    def holds(self, row: int) -> bool:
        """Whether a row is one of them."""


class VectorIndex(Protocol):
    """Row number -> unit vector. The catalog allots the numbers, each once, and says which rows are to be seen.

    Reading is safe from several threads and sees what another process has written. One process writes at a time.
    Every call may raise KnowledgeBaseError: one sentence saying what cannot be used.
    """

    def open(self) -> None:
        """Load now what takes a second at the first use."""

    def put(self, first_row: int, vectors: Float32, passages: Iterable[Passage]) -> None:
        """Store vectors (n, dimension) as rows first_row .. first_row + n - 1 in place of what is there."""

    def remove(self, rows: Sequence[int]) -> None:
        """Rows that nobody will ask for again."""

    def get(self, rows: Rows) -> Float32:
        """The vectors of the rows. Raises KnowledgeBaseError when one is not there."""

    def nearest(self, query: Float32, scope: RowScope, limit: int) -> tuple[Rows, Float32]:
        """The rows of the scope closest to a unit vector and their cosines, best first."""

    def sound(self, rows: Rows) -> NDArray[np.bool_]:
        """Which of the rows are there, and as they were written as far as the index can tell."""

    def close(self) -> None:
        """Let go of files and connections; the next call takes them up again."""

    def set_aside(self) -> None:
        """Put damaged files out of the way and begin with none."""

    def clear(self) -> None:
        """Delete everything."""
