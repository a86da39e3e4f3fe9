"""The three indexes of one epoch. A rebuild makes those of the next epoch beside them; the catalog then switches."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from .keywords import Keywords
from .matrix import Matrix
from .vectors import COLLECTION, Vectors


class Indexes:
    """``dimension`` is asked for only when vectors are: keyword search must not load a model."""

    def __init__(
        self, folder: Path, epoch: int, chroma_url: str | None, dimension: Callable[[], int], *, create: bool
    ) -> None:
        self.epoch = epoch
        self._keywords_folder = folder / f"keywords-{epoch}"
        self._matrix_folder = folder / f"vectors-{epoch}"
        self._dimension = dimension
        self._matrix: Matrix | None = None
        self.keywords = Keywords(self._keywords_folder, create=create)
        self.vectors = Vectors(folder / "chroma", chroma_url, name=f"{COLLECTION}-{epoch}")

    @property
    def matrix(self) -> Matrix:
        if self._matrix is None:
            self._matrix = Matrix(self._matrix_folder, self._dimension())
        return self._matrix

    def release(self) -> None:
        """Let another process write, and see what it writes."""
        self.keywords.release()
        self.vectors.close()

    def remove(self) -> None:
        """Delete all files and vectors of this epoch."""
        self.vectors.clear()
        self.release()
        for folder in (self._keywords_folder, self._matrix_folder):
            shutil.rmtree(folder, ignore_errors=True)
