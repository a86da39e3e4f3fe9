"""Close connections whose request headers do not arrive in time; uvicorn itself would wait for ever."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0


class ImpatientHttp(H11Protocol):
    """Closes a connection if the headers of a request do not arrive within ``HEADER_SECONDS``."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_watching()

    def _watch(self) -> None:
        upgraded = self.transport.get_protocol() not in (self, None)  # to a WebSocket
        if upgraded or self.conn.their_state is not h11.IDLE:
            self._stop_watching()
        elif self.deadline is None:
            self.deadline = asyncio.get_running_loop().call_later(HEADER_SECONDS, self.transport.close)

    def _stop_watching(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
