"""One connection for each thread, closed when the thread has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class PerThread(Generic[C]):
    """Connections made by ``connect``, one for each thread that asks."""

    def __init__(self, connect: Callable[[], C]) -> None:
        self._connect = connect
        self._local = threading.local()
        self._open: dict[threading.Thread, C] = {}
        self._guard = threading.Lock()

    def get(self) -> C:
        """Return this thread's connection."""
        connection: C | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            with self._guard:
                self._close_abandoned()
                self._open[threading.current_thread()] = connection
        return connection

    def drop(self) -> None:
        """Close this thread's connection; its next call of ``get`` makes another one."""
        self._local.connection = None
        with self._guard:
            connection = self._open.pop(threading.current_thread(), None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        with self._guard:
            connections, self._open = self._open, {}
        for connection in connections.values():
            connection.close()
        self._local = threading.local()

    def _close_abandoned(self) -> None:
        """Close the connections of threads that have ended; each would keep files or a place at the server."""
        for thread in [thread for thread in self._open if not thread.is_alive()]:
            self._open.pop(thread).close()
