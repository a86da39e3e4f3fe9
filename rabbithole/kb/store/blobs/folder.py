"""Files in a folder that all machines see."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from rabbithole.kb.errors import IngestError, KnowledgeBaseError
from rabbithole.kb.files import open_regular, private_folder


class FolderBlobs:
    """A file for each name, in folders by its first two letters; see ``ports.Blobs``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> frozenset[str]:
        with self._answering("read"):
            return frozenset(path.name for path in self._folder.glob("??/*") if not path.name.startswith("."))

    def put(self, name: str, file: BufferedReader) -> None:
        with self._answering("written"):
            target = self._path(name)
            private_folder(target.parent)
            handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{name}.")
            try:
                with os.fdopen(handle, "wb") as stream:
                    shutil.copyfileobj(file, stream)
                os.replace(draft, target)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise

    def open(self, name: str) -> BufferedReader | None:
        if not self._path(name).exists():
            return None
        try:
            return open_regular(self._path(name))
        except IngestError as error:
            raise KnowledgeBaseError(
                f"A file in {self._folder} (RABBITHOLE_ORIGINALS) is unreadable: {error}"
            ) from error

    def remove(self, names: Iterable[str]) -> None:
        with self._answering("written"):
            for name in names:
                self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name

    @contextmanager
    def _answering(self, verb: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise KnowledgeBaseError(
                f"The folder {self._folder} (RABBITHOLE_ORIGINALS) cannot be {verb}: {error.strerror or error}."
            ) from error
