"""The tables of names in an SQLite file of their own beside the catalog, or in memory."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.engine import NotWritableError, Tables, Transaction, Values

from .sqlite_statements import ASKED, transaction_on

FILE_NAME = "names.sqlite"


class SqliteNames:
    """Tables on one connection, which several threads share; see ``engine.NameTables``.

    ``path``: the file; without it the tables are in memory. A file in another format is deleted and made anew. The
    tables include ``parts``, a full-text table of keys.
    """

    asked = ASKED

    def __init__(self, tables: Tables, path: Path | None = None) -> None:
        self._guard = threading.RLock()
        self._path = path
        try:
            self._connection = self._open(tables)
        except (sqlite3.Error, OSError) as error:
            raise NotWritableError(f"{path} cannot be written: {error}.") from error

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        with self._guard:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise self._refused(error) from error

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with self._guard, transaction_on(self._connection, self._refused) as transaction:
            yield transaction

    def phrase(self, words: Sequence[str], limit: int) -> list[str]:
        phrase = f'"{" ".join(words)}"'
        found = self.rows("SELECT DISTINCT key FROM parts WHERE parts MATCH ? LIMIT ?", (phrase, limit))
        return [str(key) for (key,) in found]

    def close(self) -> None:
        with self._guard:
            self._connection.close()

    def _open(self, tables: Tables) -> sqlite3.Connection:
        place = str(self._path) if self._path is not None else ":memory:"
        connection = sqlite3.connect(place, check_same_thread=False, timeout=30.0, isolation_level=None)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, tables.version) and self._path is not None:
            connection.close()
            self._path.unlink()
            return self._open(tables)
        connection.execute("PRAGMA synchronous = OFF")  # a lost file is made anew from the catalog
        if version == 0:
            connection.executescript(f"BEGIN; {tables.sql} PRAGMA user_version = {tables.version}; COMMIT;")
        return connection

    def _refused(self, error: sqlite3.DatabaseError) -> Exception:
        """Return an SQLite error as one sentence; an error of the program itself stays what it is."""
        if isinstance(error, sqlite3.OperationalError):
            return NotWritableError(f"{self._path or 'The table of names'} cannot be written: {error}.")
        if type(error) is sqlite3.DatabaseError:
            return KnowledgeBaseError(
                f"{self._path or 'The table of names'} is damaged ({error}): delete it; it is made anew."
            )
        return error
