"""The three indexes of one epoch. A rebuild makes those of the next epoch beside them; the catalog then switches."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rabbithole.kb.errors import KnowledgeBaseError

from .aside import move_aside
from .keywords import Keywords, damaged_file
from .matrix import Matrix
from .vectors import COLLECTION, Vectors

FORMAT: Final = "1"
"""Of the files of vectors and keywords; kept in the catalog. One more when their layout changes."""


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
        self._keywords: Keywords | None = None
        self._create = create
        self._guard = threading.Lock()
        self.vectors = Vectors(folder / "chroma", chroma_url, name=f"{COLLECTION}-{epoch}")

    @property
    def keywords(self) -> Keywords:
        with self._guard:  # only one may have a writer
            if self._keywords is None:
                self._keywords = Keywords(self._keywords_folder, create=self._create)
            return self._keywords

    @property
    def matrix(self) -> Matrix:
        if self._matrix is None:
            self._matrix = Matrix(self._matrix_folder, self._dimension())
        return self._matrix

    def damaged_words(self) -> str:
        """What is wrong with the keyword index, in a sentence; '' when its files are as they were written."""
        damaged = damaged_file(self._keywords_folder)
        if damaged:
            return f"The keyword index is damaged ({damaged})."
        try:
            self.keywords.count()
        except KnowledgeBaseError as error:
            return str(error)
        return ""

    def set_words_aside(self) -> None:
        """Put a damaged keyword index out of the way and begin with an empty one."""
        with self._guard:
            if self._keywords is not None:
                self._keywords.release()
            self._keywords = None
            move_aside(self._keywords_folder)

    def release(self) -> None:
        """Let another process write, and see what it writes."""
        if self._keywords is not None:
            self._keywords.release()
        self.vectors.close()

    def reload(self) -> None:
        """See what another process has committed."""
        if self._keywords is not None:
            self._keywords.reload()

    def remove(self) -> None:
        """Delete all files and vectors of this epoch."""
        self.vectors.clear()
        self.release()
        for folder in (self._keywords_folder, self._matrix_folder):
            shutil.rmtree(folder, ignore_errors=True)
