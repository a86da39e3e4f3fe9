"""PostgreSQL as a shared database of several replicas: connections, transactions and the versions of its tables.

Import this module only when RABBITHOLE_CATALOG names a database: its library belongs to the extra ``cluster``.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, LiteralString

from .errors import RabbitholeError, UsageError

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as missing:
    raise UsageError(
        "RABBITHOLE_CATALOG names a PostgreSQL database, but its library is missing: install rabbithole[cluster], or "
        "unset RABBITHOLE_CATALOG."
    ) from missing

Connection = psycopg.Connection[tuple[Any, ...]]
OLDEST_SERVER = 13
CONNECT_SECONDS = 5
MOMENT = 0.25
"""Seconds that a call waits for a connection while the server is known to be away: event loops make such calls."""
_SILENT = 5_000
"""Milliseconds after which a connection is lost if the other machine does not acknowledge what was sent."""
_VERSIONS: LiteralString = (
    "CREATE TABLE IF NOT EXISTS rabbithole_tables (part TEXT PRIMARY KEY, version INTEGER NOT NULL)"
)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it warns of every attempt while the server is away
_CREATING = 7_206_113_844  # any number that no other program is likely to lock


class PostgresError(RabbitholeError):
    """The database cannot be reached, read or written, or is of another version."""


class Postgres:
    """A pool of connections to one database, made again when the server was away.

    ``address`` is a libpq address, ``postgresql://user:password@host:port/database``. Raises UsageError if it is none,
    PostgresError if the database cannot be reached. Thread-safe. No message shows the password.
    """

    def __init__(self, address: str, *, connections: int = 4) -> None:
        self.name = shown(address)
        try:
            with psycopg.connect(address, connect_timeout=CONNECT_SECONDS) as connection:
                version = connection.info.server_version // 10_000
        except psycopg.Error as error:
            raise PostgresError(
                f"The database {self.name} (RABBITHOLE_CATALOG) cannot be opened: {said(error)}."
            ) from error
        if version < OLDEST_SERVER:
            raise PostgresError(f"{self.name} is PostgreSQL {version}; {OLDEST_SERVER} or newer is needed.")
        self._away = threading.Event()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            address,
            kwargs={"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": _SILENT},
            min_size=1,
            max_size=connections,
            timeout=CONNECT_SECONDS,
            reconnect_timeout=0,  # the next call begins anew; the pool's own pauses between attempts are seconds
            reconnect_failed=lambda _: self._away.set(),
            configure=lambda _: self._away.clear(),
            check=ConnectionPool.check_connection,
            open=True,
        )

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run the block as one transaction: committed at its end, rolled back by any exception.

        Raises PostgresError, with nothing written, if the database is away or refuses a statement.
        """
        try:
            connection = self._free_connection()
            try:
                with connection:  # commits or rolls back; a connection of the pool is not closed
                    yield connection
            finally:
                self._pool.putconn(connection)
        except psycopg.Error as error:
            raise PostgresError(
                f"The database {self.name} cannot be used now: {said(error)}; what was committed is kept."
            ) from error

    def _free_connection(self) -> Connection:
        """Wait until a connection is free, or until it turns out that the server is away."""
        until = time.monotonic() + CONNECT_SECONDS
        while True:
            try:
                return self._pool.getconn(MOMENT)
            except PoolTimeout:
                if self._away.is_set():
                    raise psycopg.OperationalError("the server does not answer") from None
                if time.monotonic() >= until:
                    raise psycopg.OperationalError("all connections are in use") from None

    def require_tables(self, part: str, version: int, statements: LiteralString) -> None:
        """Create the tables of one part (``runs``, ``catalog``) if they are missing, in one transaction.

        Replicas that start at the same time wait for each other. Raises PostgresError if another version made them.
        """
        with self.transaction() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_CREATING,))
            connection.execute(_VERSIONS)
            found = connection.execute("SELECT version FROM rabbithole_tables WHERE part = %s", (part,)).fetchone()
            if found is None:
                connection.execute(statements)
                connection.execute("INSERT INTO rabbithole_tables VALUES (%s, %s)", (part, version))
        if found is not None and found[0] != version:
            raise PostgresError(
                f"The {part} in {self.name} were written by another version of Rabbithole (format {found[0]}, this one "
                f"reads {version}): use the same version everywhere, or name another database in RABBITHOLE_CATALOG."
            )

    def close(self) -> None:
        self._pool.close()


def shown(address: str) -> str:
    """Return the address without its password, for messages. Raises UsageError if it is no PostgreSQL address."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error as error:
        raise UsageError(
            "RABBITHOLE_CATALOG is no address of a PostgreSQL database: write postgresql://user@host:5432/database."
        ) from error
    port = f":{parts['port']}" if parts.get("port") else ""
    return f"postgresql://{parts.get('host') or 'localhost'}{port}/{parts.get('dbname') or parts.get('user') or ''}"


@lru_cache(maxsize=512)
def marked(statement: str) -> bytes:
    """Return a statement with psycopg's marks for values, ``%s``, in place of the question marks."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


def said(error: Exception) -> str:
    """Return the first line of a database error, without its final stop."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return " ".join(lines[0].split()).rstrip(".")
