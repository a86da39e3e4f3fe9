"""Let one process write to a database at a time: a lock of its connection, which the server releases with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.postgres_connections import Connection, said

_WRITER: Final = 7_206_113_847
_ALIVE: Final = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""The server notices within half a minute that the machine of a writer has gone."""


class SessionLock:
    """An advisory lock of PostgreSQL, held by a connection of its own; see ``engine.Lock``."""

    def __init__(self, name: str, connect: Callable[[], Connection], *, timeout: float = 10.0) -> None:
        self._name = name
        self._connect = connect
        self._timeout = timeout
        self._guard = threading.RLock()
        self._connection: Connection | None = None

    @property
    def held(self) -> bool:
        with self._guard:
            if self._connection is None:
                return False
            try:
                self._connection.execute(b"SELECT 1")
            except psycopg.Error:  # the server went away, and the lock with the connection
                self.release()
                return False
            return True

    def acquire(self) -> None:
        with self._guard:
            if self.held:
                return
            connection = self._connect()
            try:
                connection.execute(f"{_ALIVE}; SET lock_timeout = {int(self._timeout * 1000)}".encode())
                connection.execute(f"SELECT pg_advisory_lock({_WRITER})".encode())
            except psycopg.Error as error:
                connection.close()
                busy = isinstance(error, psycopg.errors.LockNotAvailable)
                reason = "another process is writing to it; wait until it has finished" if busy else said(error)
                raise KnowledgeBaseError(f"The knowledge base in {self._name} cannot be written: {reason}.") from error
            self._connection = connection

    def release(self) -> None:
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def connection(self) -> Iterator[Connection | None]:
        """Give the connection that holds the lock, to one thread at a time; None if this process does not hold it.

        Raises KnowledgeBaseError if the connection has been lost, and with it the lock.
        """
        with self._guard:
            if self._connection is not None and self._connection.closed:
                self._connection = None
                raise KnowledgeBaseError(
                    f"The connection to {self._name} was lost while this process was writing; what was stored before "
                    "is complete, run the same command again."
                )
            if self._connection is not None:
                yield self._connection
                return
        yield None
