"""The files documents were read from, given out only while they are unchanged.

A path names a place, not a file: someone who may write there could put another file in its place, or a link to a file
that only the server may read. This is noticed because a document's id is made from the bytes that were read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack
from io import BufferedReader
from pathlib import Path
from threading import Lock
from typing import Final

from .errors import IngestError, KnowledgeBaseError
from .files import open_regular
from .models import Document
from .store.blobs.blobs_place import BlobsPlace
from .store.ports import Blobs

ID_LENGTH: Final = 16


def content_ids(sha256: str, collection: str) -> tuple[str, str]:
    """Return the ids a document with these bytes may have: the plain one, and the one for a further collection."""
    other = hashlib.sha256(f"{sha256}\n{collection}".encode()).hexdigest()
    return sha256[:ID_LENGTH], other[:ID_LENGTH]


class Originals:
    """Caches which files were checked, so that each is hashed only once while it is unchanged.

    ``copies``: where a copy of each file is, in case it is not where it was ingested, as on another machine.
    """

    def __init__(self, copies: BlobsPlace | None = None) -> None:
        self._copies = copies
        self._blobs: Blobs | None = None
        self._known: dict[str, tuple[int, ...]] = {}
        self._lock = Lock()

    def open(self, document: Document) -> BufferedReader:
        """Return the file, open; what is read from it is what was checked, even if another file takes its place.

        Raises KnowledgeBaseError if the file is gone or is not the one that was ingested, and no copy was kept.
        """
        try:
            return self._checked(document, lambda: open_regular(Path(document.path)))
        except KnowledgeBaseError:
            blobs = self._opened()
            copy = blobs.open(document.id) if blobs is not None else None
            if copy is None:
                raise
        return self._checked(document, lambda: copy)

    def _opened(self) -> Blobs | None:
        with self._lock:
            if self._blobs is None and self._copies is not None:
                self._blobs = self._copies.open()
            return self._blobs

    def _checked(self, document: Document, opening: Callable[[], BufferedReader]) -> BufferedReader:
        with ExitStack() as unless_checked:
            try:
                file = unless_checked.enter_context(opening())
                self._check(document, file)
            except (IngestError, OSError) as error:
                raise KnowledgeBaseError(
                    f"{document.file} is no longer where it was ingested: put it back or ingest it again."
                ) from error
            unless_checked.pop_all()
            return file

    def _check(self, document: Document, file: BufferedReader) -> None:
        state = _identity(os.fstat(file.fileno()))
        if self._known.get(document.id) == state:
            return
        if document.id not in content_ids(hashlib.file_digest(file, "sha256").hexdigest(), document.collection):
            raise KnowledgeBaseError(f"{document.file} has changed since it was ingested: ingest it again.")
        file.seek(0)
        with self._lock:
            self._known[document.id] = state


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
