"""The interface of vector indexes, of which the embedded index uses one: ``exact`` or ``chroma``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import Chunk, Document

from .matrix import Float32, Rows

Passage = tuple[Document, Chunk]
"""The document and chunk of a vector, for programs that read the index without the catalog."""


class RowScope(Protocol):
    """The set of rows that a search may find."""

    @property
    def size(self) -> int:
        """The number of rows."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """An array with True at the index of each row; it may end after the last."""

    def rows(self) -> Rows:
        """Return all rows in ascending order."""

    def holds(self, row: int) -> bool:
        """Return whether a row is in the set."""


class VectorIndex(Protocol):
    """A map of row numbers to unit vectors. The catalog assigns each number once and says which rows are visible.

    Reading is safe for several threads and sees what another process has written. One process writes at a time.
    Every call may raise KnowledgeBaseError with one sentence that says what cannot be used.
    """

    def open(self) -> None:
        """Load now what would delay the first search by a second."""

    def put(self, first_row: int, vectors: Float32, passages: Iterable[Passage]) -> None:
        """Store vectors (n, dimension) as rows first_row .. first_row + n - 1, replacing what is there."""

    def remove(self, rows: Sequence[int]) -> None:
        """Remove rows; their numbers are not used again."""

    def get(self, rows: Rows) -> Float32:
        """Return the vectors of the rows. Raises KnowledgeBaseError if one is missing."""

    def nearest(self, query: Float32, scope: RowScope, limit: int) -> tuple[Rows, Float32]:
        """Return at most ``limit`` rows of the scope closest to a unit vector, best first, and their cosines."""

    def sound(self, rows: Rows) -> NDArray[np.bool_]:
        """Return for each row whether its vector is there and, as far as the index can tell, intact."""

    def close(self) -> None:
        """Close files and connections; the next call opens them again."""

    def set_aside(self) -> None:
        """Move damaged files aside and begin with an empty index."""

    def clear(self) -> None:
        """Delete everything."""
