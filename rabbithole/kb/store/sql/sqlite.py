"""The catalog in an SQLite file: one connection per thread, with a write-ahead log, read-only on a read-only disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.store.engine import NameTables, Tables, Transaction, Values
from rabbithole.kb.write_ahead import use_write_ahead_log

from .per_thread import PerThread
from .schema import FORMAT, TABLES
from .sqlite_lock import FileLock
from .sqlite_names import FILE_NAME as NAMES
from .sqlite_names import SqliteNames
from .sqlite_statements import ASKED, transaction_on

FILE_NAME = "catalog.sqlite"
_BUSY_SECONDS = 30.0
_MAPPED = 2**30


class SqliteEngine:
    """Opens the file, or creates it, and gives each thread its own connection; see ``engine.Engine``.

    Raises KnowledgeBaseError if there is none and ``create`` is False, if it is damaged, or if it has another format.
    """

    asked = ASKED

    def __init__(self, folder: Path, *, create: bool) -> None:
        self._folder = folder
        self._path = folder / FILE_NAME
        self.lock = FileLock(folder)
        self._connections = PerThread(self._connect)
        if not self._path.exists() or (create and self._is_blank()):
            if not create:
                raise KnowledgeBaseError(
                    f"There is no knowledge base at {folder}: build one with "
                    "`rabbithole ingest FOLDER --collection NAME`, or name another folder with --kb."
                )
            self._create()
        self.read_only = not (os.access(self._path, os.W_OK) and os.access(folder, os.W_OK))
        self._check_version()

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        connection = self._connections.get()
        try:
            return connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._refused("read", error) from error

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with transaction_on(self._connections.get(), partial(self._refused, "written")) as transaction:
            yield transaction

    def names(self, tables: Tables) -> NameTables:
        return SqliteNames(tables, self._folder / NAMES)

    def has_table(self, name: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    def continue_ordinals(self, transaction: Transaction) -> None:
        """Do nothing: AUTOINCREMENT counts from the highest number there is."""

    def damage(self) -> str:
        try:
            found = self._connections.get().execute("PRAGMA integrity_check(3)").fetchall()
            answers = [str(row[0]) for row in found]
        except sqlite3.DatabaseError as error:
            answers = [str(error)]
        return "" if answers == ["ok"] else self._damaged("; ".join(" ".join(one.split()) for one in answers))

    def checkpoint(self) -> None:
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self._connections.close()

    def _refused(self, verb: str, error: sqlite3.DatabaseError) -> Exception:
        """Return an SQLite error as one sentence; an error of the program itself stays what it is."""
        if isinstance(error, sqlite3.OperationalError):
            remedy = (
                "what was stored before is complete, run the same command again when the cause is removed"
                if verb == "written"
                else "check the disk, then run `rabbithole kb check`"
            )
            return KnowledgeBaseError(f"The knowledge base at {self._folder} cannot be {verb}: {error}; {remedy}.")
        if type(error) is sqlite3.DatabaseError:
            return KnowledgeBaseError(self._damaged(str(error)))
        return error

    def _damaged(self, reason: str) -> str:
        """Return the message for a file that SQLite cannot read. All else is made from it: it cannot be repaired."""
        return (
            f"The catalog in {self._folder} is damaged ({reason[:200]}): put a backup of the folder in its place, or "
            "move it away and ingest the PDFs again with `rabbithole ingest FOLDER --collection NAME`."
        )

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
            private_folder(self._folder)
            private_file(self._path)
            connection = sqlite3.connect(self._path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise KnowledgeBaseError(f"No knowledge base can be made at {self._folder}: {error}.") from error
        try:
            use_write_ahead_log(connection)
            connection.executescript(f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {FORMAT}; COMMIT;")
        except sqlite3.Error as error:
            raise KnowledgeBaseError(f"No knowledge base can be made at {self._folder}: {error}.") from error
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
            raise KnowledgeBaseError(f"The knowledge base at {self._folder} cannot be opened: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise KnowledgeBaseError(self._damaged(str(error))) from error
        return connection

    def _check_version(self) -> None:
        try:
            (version,) = self._connections.get().execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise KnowledgeBaseError(self._damaged(str(error))) from error
        require_format(f"at {self._folder}", version)


def require_format(where: str, version: int) -> None:
    """Raise KnowledgeBaseError if the catalog's tables have another format than this version's."""
    if version > FORMAT:
        raise KnowledgeBaseError(
            f"The knowledge base {where} was written by a newer version of Rabbithole "
            f"(format {version}, this one reads up to {FORMAT}): update Rabbithole."
        )
    if version < FORMAT:
        raise KnowledgeBaseError(
            f"The knowledge base {where} is unfinished or too old (format {version}): "
            "ingest the documents again into a new folder."
        )
