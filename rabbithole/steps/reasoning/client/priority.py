"""Whose call goes first when the model has fewer slots than there is to ask.

What later work waits for is asked first; the answers do not depend on it, only how soon the whole is done.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

URGENCY: ContextVar[tuple[int, ...]] = ContextVar("URGENCY", default=())
"""Of what is done in this context; smaller goes first, nothing said before anything."""


PRESSING = 0
"""First of an urgency for which other work waits."""


def pressing() -> bool:
    """Whether other work waits for what is asked here."""
    return URGENCY.get()[:1] == (PRESSING,)


class Slots:
    """So many at once, of one event loop; those who wait are let in by urgency, then in the order they came."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: list[tuple[tuple[int, ...], int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        await self._enter()
        try:
            yield
        finally:
            self._leave()

    async def _enter(self) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (URGENCY.get(), next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
