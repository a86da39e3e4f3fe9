"""Let one process write at a time; the lock is released when its process ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rabbithole.kb.errors import KnowledgeBaseError

FILE_NAME = "writer.lock"


class FileLock:
    """An exclusive lock on an SQLite file; it works on every platform and is released when its process is killed."""

    def __init__(self, folder: Path, *, timeout: float = 10.0) -> None:
        self._path = folder / FILE_NAME
        self._timeout = timeout
        self._connection: sqlite3.Connection | None = None

    @property
    def held(self) -> bool:
        return self._connection is not None

    def acquire(self) -> None:
        """Take the lock. Raises KnowledgeBaseError if another process keeps it for longer than ``timeout`` seconds."""
        if self._connection is not None:
            return
        try:
            connection = sqlite3.connect(
                self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise KnowledgeBaseError(
                f"The knowledge base at {self._path.parent} cannot be written: {error}."
            ) from error
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            connection.close()
            reason = (
                "another process is writing to it; wait until it has finished" if "locked" in str(error) else str(error)
            )
            raise KnowledgeBaseError(
                f"The knowledge base at {self._path.parent} cannot be written: {reason}."
            ) from error
        self._connection = connection

    def release(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
