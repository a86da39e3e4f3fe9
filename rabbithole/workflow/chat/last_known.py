"""A value that is fetched anew on each request; if that takes long, the last known one is returned."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
PATIENCE_SECONDS = 0.2


class LastKnown(Generic[T]):
    """A value that concurrent callers fetch only once."""

    def __init__(self, ask: Callable[[], Awaitable[T]], patience: float = PATIENCE_SECONDS) -> None:
        self._ask = ask
        self._patience = patience
        self._asking: asyncio.Task[T] | None = None
        self._known: tuple[T] | None = None

    async def get(self) -> T:
        """Return a new value, or after ``patience`` seconds the last one; the first fetch is always awaited.

        Raises what the first fetch raises.
        """
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._asked())
        if self._known is None:
            return await asyncio.shield(self._asking)
        await asyncio.wait({self._asking}, timeout=self._patience)
        return self._known[0]

    async def _asked(self) -> T:
        found = await self._ask()
        self._known = (found,)
        return found
