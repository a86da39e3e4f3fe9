"""Something that is asked anew each time, and answered with what was known last when the answer takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
PATIENCE_SECONDS = 0.2


class Fresh(Generic[T]):
    """Several who ask at once wait for the same answer."""

    def __init__(self, ask: Callable[[], Awaitable[T]], patience: float = PATIENCE_SECONDS) -> None:
        self._ask = ask
        self._patience = patience
        self._asking: asyncio.Task[T] | None = None
        self._known: tuple[T] | None = None

    async def get(self) -> T:
        """The answer; only the first one is waited for however long it takes. Raises what asking raises."""
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
