"""Open the catalog's SQLite file: one connection per thread, with a write-ahead log, read-only on a read-only disk."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.write_ahead import use_write_ahead_log

from .schema import FORMAT, TABLES

FILE_NAME = "catalog.sqlite"
_BUSY_SECONDS = 30.0
_MAPPED = 2**30


def damaged(folder: Path, reason: str) -> str:
    """Return the message for a catalog that SQLite cannot read. All else is made from it, so it cannot be repaired."""
    return (
        f"The catalog in {folder} is damaged ({reason[:200]}): put a backup of the folder in its place, or move it "
        "away and ingest the PDFs again with `rabbithole ingest FOLDER --collection NAME`."
    )


class Database:
    """Opens the file, or creates it, and gives each thread its own connection.

    Raises KnowledgeBaseError if there is none and ``create`` is False, if it is damaged, or if it has another format.
    """

    def __init__(self, folder: Path, *, create: bool) -> None:
        self.folder = folder
        self._path = folder / FILE_NAME
        self._local = threading.local()
        self._open: dict[threading.Thread, sqlite3.Connection] = {}
        self._guard = threading.Lock()
        if not self._path.exists() or (create and self._is_blank()):
            if not create:
                raise KnowledgeBaseError(
                    f"There is no knowledge base at {folder}: build one with "
                    "`rabbithole ingest FOLDER --collection NAME`, or name another folder with --kb."
                )
            self._create()
        self.read_only = not (os.access(self._path, os.W_OK) and os.access(folder, os.W_OK))
        self._check_version()

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, in autocommit mode."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            with self._guard:
                self._close_abandoned()
                self._open[threading.current_thread()] = connection
        return connection

    def _close_abandoned(self) -> None:
        """Close the connections of threads that have ended; each would keep two files open."""
        for thread in [thread for thread in self._open if not thread.is_alive()]:
            self._open.pop(thread).close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one write transaction. Raises KnowledgeBaseError if the file cannot be written."""
        connection = self.connection
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise KnowledgeBaseError(f"The knowledge base at {self.folder} cannot be written: {error}.") from error
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def close(self) -> None:
        with self._guard:
            connections, self._open = self._open, {}
        for connection in connections.values():
            connection.close()
        self._local = threading.local()

    def _is_blank(self) -> bool:
        """Return whether the file has no tables, as after a creation that was killed or ran out of space."""
        try:
            with closing(sqlite3.connect(self._path)) as connection:
                (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            return False  # damaged: reported when its version is read
        return bool(tables == 0)

    def _create(self) -> None:
        try:
            private_folder(self.folder)
            private_file(self._path)
            connection = sqlite3.connect(self._path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise KnowledgeBaseError(f"No knowledge base can be made at {self.folder}: {error}.") from error
        try:
            use_write_ahead_log(connection)
            connection.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {FORMAT}; COMMIT;")
        except sqlite3.Error as error:
            raise KnowledgeBaseError(f"No knowledge base can be made at {self.folder}: {error}.") from error
        finally:
            connection.close()

    def _connect(self) -> sqlite3.Connection:
        # A read-only disk cannot hold the WAL's shared memory file; immutable tells SQLite that nobody writes.
        mode = "mode=ro&immutable=1" if self.read_only else "mode=rw"
        try:
            connection = sqlite3.connect(
                f"{self._path.absolute().as_uri()}?{mode}",
                uri=True,
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
        except sqlite3.OperationalError as error:
            raise KnowledgeBaseError(f"The knowledge base at {self.folder} cannot be opened: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise KnowledgeBaseError(damaged(self.folder, str(error))) from error
        return connection

    def _check_version(self) -> None:
        try:
            (version,) = self.connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise KnowledgeBaseError(damaged(self.folder, str(error))) from error
        if version > FORMAT:
            raise KnowledgeBaseError(
                f"The knowledge base at {self.folder} was written by a newer version of Rabbithole "
                f"(format {version}, this one reads up to {FORMAT}): update Rabbithole."
            )
        if version < FORMAT:
            raise KnowledgeBaseError(
                f"The knowledge base at {self.folder} is unfinished or too old (format {version}): "
                "ingest the documents again into a new folder."
            )
