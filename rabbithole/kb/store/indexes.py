"""The indexes of words and vectors of one epoch. A rebuild makes those of the next; the catalog then switches."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rabbithole.kb.errors import KnowledgeBaseError

from .aside import move_aside
from .keywords import Keywords, damaged_file
from .ports import VectorIndex
from .vectors.vector_choice import VectorKind, open_vectors

FORMAT: Final = "1"
"""The format of the vector and keyword files, recorded in the catalog. Increase it when their layout changes."""


class Indexes:
    """The keyword index and the vector index of one epoch, each opened at its first use.

    ``dimension`` is called only when the vectors are opened, so that keyword search loads no model.
    """

    def __init__(
        self,
        folder: Path,
        epoch: int,
        kind: VectorKind,
        chroma_url: str | None,
        dimension: Callable[[], int],
        *,
        create: bool,
    ) -> None:
        self.epoch = epoch
        self.kind = kind
        self._folder = folder
        self._chroma_url = chroma_url
        self._keywords_folder = folder / f"keywords-{epoch}"
        self._dimension = dimension
        self._vectors: VectorIndex | None = None
        self._keywords: Keywords | None = None
        self._create = create
        self._guard = threading.Lock()

    @property
    def keywords(self) -> Keywords:
        with self._guard:  # only one instance may have a writer
            if self._keywords is None:
                self._keywords = Keywords(self._keywords_folder, create=self._create)
            return self._keywords

    @property
    def vectors(self) -> VectorIndex:
        with self._guard:
            if self._vectors is None:
                self._vectors = open_vectors(self.kind, self._folder, self.epoch, self._chroma_url, self._dimension)
            return self._vectors

    def damaged_words(self) -> str:
        """Return what is wrong with the keyword index, in a sentence; '' if its files are intact."""
        damaged = damaged_file(self._keywords_folder)
        if damaged:
            return f"The keyword index is damaged ({damaged})."
        try:
            self.keywords.count()
        except KnowledgeBaseError as error:
            return str(error)
        return ""

    def set_words_aside(self) -> None:
        """Rename the folder of a damaged keyword index; the next use begins an empty one."""
        with self._guard:
            if self._keywords is not None:
                self._keywords.release()
            self._keywords = None
            move_aside(self._keywords_folder)

    def release(self) -> None:
        """Close the writer of keywords and the vectors, so that another process can write."""
        if self._keywords is not None:
            self._keywords.release()
        if self._vectors is not None:
            self._vectors.close()

    def reload(self) -> None:
        """Reload the keywords that another process has committed."""
        if self._keywords is not None:
            self._keywords.reload()

    def remove(self) -> None:
        """Delete all files and vectors of this epoch."""
        self.vectors.clear()
        self.release()
        shutil.rmtree(self._keywords_folder, ignore_errors=True)
