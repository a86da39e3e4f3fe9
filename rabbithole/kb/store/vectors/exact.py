"""Vectors in memory-mapped files: the default. Nothing to install, load or keep open, and filters cost nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.store.aside import move_aside

from .matrix import Float32, Matrix, Rows
from .vector_index import Passage, RowScope


class ExactVectors:
    """The exact index. ``dimension`` is called only when vectors are needed, so keyword search loads no model."""

    def __init__(self, folder: Path, dimension: Callable[[], int]) -> None:
        self._folder = folder
        self._dimension = dimension

    @cached_property
    def matrix(self) -> Matrix:
        """The memory-mapped files."""
        return Matrix(self._folder, self._dimension())

    def open(self) -> None:
        """Do nothing: there is nothing to load."""

    def put(self, first_row: int, vectors: Float32, passages: Iterable[Passage]) -> None:
        """Write the vectors. ``passages`` are not stored, because the catalog has them."""
        self.matrix.write(first_row, vectors)

    def remove(self, rows: Sequence[int]) -> None:
        """Do nothing: rows that the catalog does not show are never read."""

    def get(self, rows: Rows) -> Float32:
        return self.matrix.vectors(rows)

    def nearest(self, query: Float32, scope: RowScope, limit: int) -> tuple[Rows, Float32]:
        if scope.size <= self.matrix.exact_limit:
            return self.matrix.exact(query, scope.rows(), limit)
        return self.matrix.nearest(query, scope.mask, limit)

    def sound(self, rows: Rows) -> NDArray[np.bool_]:
        return self.matrix.sound(rows)

    def close(self) -> None:
        """Do nothing: memory-mapped files need no closing."""

    def set_aside(self) -> None:
        move_aside(self._folder)
        self.__dict__.pop("matrix", None)

    def clear(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self.__dict__.pop("matrix", None)
