"""Priorities of calls when there are more of them than slots.

Calls that other work waits for go first. This changes how soon a run is done but never its answers.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

URGENCY: ContextVar[tuple[int, ...]] = ContextVar("URGENCY", default=())
"""Priority of the work in this context: smaller goes first, and the empty default before all others."""


PRESSING = 0
"""First element of the priority of work that other work waits for."""


def pressing() -> bool:
    """Return whether other work waits for the work in this context."""
    return URGENCY.get()[:1] == (PRESSING,)


class Slots:
    """A semaphore for one event loop that admits waiting tasks by priority, then in order of arrival."""

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
