"""The catalog in a PostgreSQL database: one connection per thread, made again after the server was away."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from rabbithole.kb.errors import CatalogAway, KnowledgeBaseError
from rabbithole.kb.postgres_connections import CONNECT_SECONDS, Connection, Postgres, PostgresError, marked, said, shown
from rabbithole.kb.store.engine import Lock, NameTables, NotWritableError, Tables, Transaction, Values

from .per_thread import PerThread
from .postgres_lock import SessionLock
from .schema import FORMAT, TABLES
from .sql_references import TABLES as GRAPH_TABLES
from .sqlite import require_format

PART: Final = "catalog"
SCHEMA: Final = "rabbithole_catalog"
_NAMES: Final = "rabbithole_names"
_ASKED: Final = "json_array_elements_text(CAST(? AS json)) asked(value)"
_WRITING: Final = 7_206_113_845
_NAMING: Final = 7_206_113_846
"""Numbers of the locks that let one transaction write at a time; no other program is likely to use them."""
_WAIT: Final = "30s"
_DURABLE: Final = (
    b"SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
"""What is committed must survive the server: the indexes are changed after it, and their rows are used once."""
_ALIVE: Final[dict[str, Any]] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Options that report a connection as lost after half a minute without an answer from the other machine."""


class PostgresTables:
    """Tables in one schema of a database; see ``engine.Queries``.

    A query is asked once more on a new connection if the old one was lost; a transaction is not. Raises
    KnowledgeBaseError, without the password, if the database cannot be reached.
    """

    asked = _ASKED

    def __init__(self, address: str, schema: str, number: int) -> None:
        self.name = shown(address)
        self._address = address
        self._schema = schema
        self._begin = f"BEGIN; SET LOCAL lock_timeout = '{_WAIT}'; SELECT pg_advisory_xact_lock({number})".encode()
        self._connections: PerThread[Connection] = PerThread(self.connect)

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        connection = self._connections.get()
        try:
            return _rows(connection, query, values)
        except psycopg.Error as error:
            if not connection.closed:
                raise self.refused("read", error) from error
        self._connections.drop()
        try:
            return _rows(self._connections.get(), query, values)
        except psycopg.Error as error:
            self._connections.drop()
            raise self.refused("read", error) from error

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        connection = self._connections.get()
        if _lost(connection):
            self._connections.drop()
            connection = self._connections.get()
        with self._on(connection) as transaction:
            yield transaction

    def close(self) -> None:
        self._connections.close()

    def connect(self) -> Connection:
        """Return a new connection, each of whose statements is a transaction of its own."""
        try:
            connection = psycopg.connect(
                self._address, autocommit=True, connect_timeout=CONNECT_SECONDS, application_name="rabbithole", **_ALIVE
            )
            path = f"SELECT set_config('search_path', '{self._schema}, ' || current_setting('search_path'), false)"
            connection.execute(path.encode())
            connection.execute(_DURABLE)
        except psycopg.Error as error:
            raise CatalogAway(
                f"The database {self.name} (RABBITHOLE_CATALOG) cannot be reached: {said(error)}; what was stored in "
                "it is kept."
            ) from error
        return connection

    def refused(self, verb: str, error: psycopg.Error) -> KnowledgeBaseError:
        """Return an error of the database as one sentence."""
        away = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        return (CatalogAway if away else KnowledgeBaseError)(
            f"The database {self.name} (RABBITHOLE_CATALOG) cannot be {verb} now: {said(error)}; what was stored "
            "before is complete, run the same command again when this is mended."
        )

    @contextmanager
    def _on(self, connection: Connection) -> Iterator[Transaction]:
        """Run the block as one transaction of a connection; others that write wait for it."""
        try:
            connection.execute(self._begin)
            yield PostgresTransaction(connection)
            connection.execute(b"COMMIT")
        except BaseException as error:
            with suppress(psycopg.Error):  # the server rolls back what a lost connection has begun
                connection.execute(b"ROLLBACK")
            if isinstance(error, psycopg.Error):
                raise self.refused("written", error) from error
            raise


class PostgresEngine(PostgresTables):
    """The tables of the catalog; see ``engine.Engine``. The indexes are in ``folder``.

    Raises KnowledgeBaseError if there is no catalog and ``create`` is False, or if it has another format.
    """

    def __init__(self, address: str, folder: Path, *, create: bool) -> None:
        super().__init__(address, SCHEMA, _WRITING)
        self._lock = SessionLock(self.name, self.connect)
        writable = self.rows("SELECT current_setting('transaction_read_only')")[0][0] == "off"
        self.read_only = not writable or (folder.exists() and not os.access(folder, os.W_OK))
        if create and not self.read_only:
            self._create()
        found = self.rows(f"SELECT version FROM rabbithole_tables WHERE part = '{PART}'") if self._made() else []
        if not found:
            raise KnowledgeBaseError(
                f"There is no knowledge base in the database {self.name} (RABBITHOLE_CATALOG): build one with "
                "`rabbithole ingest FOLDER --collection NAME`, or name another database."
            )
        require_format(f"in the database {self.name}", int(found[0][0]))

    @property
    def lock(self) -> Lock:
        return self._lock

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        # The process that writes does so on the connection that holds its lock: once that is lost, nothing more
        # is written until the lock is taken again.
        with self._lock.connection() as held:
            if held is not None:
                with self._on(held) as transaction:
                    yield transaction
                return
        with super().transaction() as transaction:
            yield transaction

    def names(self, tables: Tables) -> NameTables:
        if self.read_only:
            raise NotWritableError(f"The database {self.name} can only be read.")
        return PostgresNames(self._address, tables)

    def has_table(self, name: str) -> bool:
        return self.rows("SELECT to_regclass(?) IS NOT NULL", (f"{SCHEMA}.{name}",))[0][0] is True

    def continue_ordinals(self, transaction: Transaction) -> None:
        transaction.rows("SELECT setval(pg_get_serial_sequence('documents', 'ordinal'), max(ordinal)) FROM documents")

    def damage(self) -> str:
        return ""  # the server checks its own files, and reports damage as an error

    def checkpoint(self) -> None:
        """Do nothing: what is committed is in the database."""

    def close(self) -> None:
        self._lock.release()
        super().close()

    def _made(self) -> bool:
        return bool(self.rows("SELECT to_regclass('rabbithole_tables') IS NOT NULL")[0][0])

    def _create(self) -> None:
        """Create the tables in one transaction, if they are missing."""
        statements = (
            f"CREATE SCHEMA {SCHEMA}; SET LOCAL search_path TO {SCHEMA}; {translated(TABLES + GRAPH_TABLES)} "
            "INSERT INTO meta VALUES ('base', gen_random_uuid()::text); SET LOCAL search_path TO DEFAULT"
        )
        try:
            database = Postgres(self._address, connections=1)
            try:
                database.require_tables(PART, FORMAT, statements)
            finally:
                database.close()
        except PostgresError as error:
            raise KnowledgeBaseError(str(error)) from error


class PostgresNames(PostgresTables):
    """The tables of names, in a schema whose name has the version of their format; see ``engine.NameTables``."""

    def __init__(self, address: str, tables: Tables) -> None:
        schema = f"{_NAMES}_{tables.version}"
        super().__init__(address, schema, _NAMING)
        if not self.rows("SELECT to_regclass(?) IS NOT NULL", (f"{schema}.meta",))[0][0]:
            with self.transaction() as transaction:
                if not transaction.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", (schema,)):
                    for statement in f"CREATE SCHEMA {schema}; {translated(tables.sql)}".split(";"):
                        if statement.strip():
                            transaction.run(statement)

    def phrase(self, words: Sequence[str], limit: int) -> list[str]:
        query = "SELECT DISTINCT key FROM parts WHERE string_to_array(key, ' ') @> string_to_array(?, ' ')"
        sought = f" {' '.join(words)} "
        keys = (str(key) for (key,) in self.rows(query, (sought.strip(),)))
        return [key for key in keys if sought in f" {' '.join(each for each in key.split() if each.isalnum())} "][
            :limit
        ]


class PostgresTransaction:
    """The statements of one transaction on a connection; see ``engine.Transaction``."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        return _rows(self._connection, query, values)

    def run(self, query: str, values: Values = ()) -> None:
        self._connection.execute(marked(query), _plain(values))

    def run_many(self, query: str, values: Iterable[Values]) -> None:
        self._connection.cursor().executemany(marked(query), [_plain(each) for each in values])


def translated(tables: str) -> str:
    """Return the definition of SQLite tables as PostgreSQL takes it, with texts in the order of their code points."""
    full_text = r"\1 (key TEXT NOT NULL); CREATE INDEX \1_words ON \1 USING gin (string_to_array(key, ' '))"
    text = re.sub(r"VIRTUAL TABLE (\w+) USING fts5 \(key,[^)]*\)", rf"TABLE {full_text}", tables)
    text = text.replace(" WITHOUT ROWID", "")
    text = text.replace("INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
    return re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', re.sub(r"\bINTEGER\b", "BIGINT", text))


def _rows(connection: Connection, query: str, values: Values) -> list[Any]:
    return connection.execute(marked(query), _plain(values)).fetchall()


def _plain(values: Values) -> tuple[object, ...]:
    """Return values as the columns take them: booleans as 0 or 1, and no NUL, which PostgreSQL keeps in no text."""
    return tuple(
        int(value) if isinstance(value, bool) else value.replace("\0", "\ufffd") if isinstance(value, str) else value
        for value in values
    )


def _lost(connection: Connection) -> bool:
    """Return whether the server has closed the connection."""
    try:
        connection.execute(b"SELECT 1")
    except psycopg.Error:
        return True
    return False
