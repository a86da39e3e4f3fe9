"""Passages that arrive at about the same time for the same task are read in one call.

References of a wave are opened concurrently, each with a passage or two of its own; asking for each alone would repeat
question, task and rules every time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence

from ....kb.errors import RabbitholeError
from ...models import Anchor, Todo
from ..protocol import Extraction, Passage

WINDOW = 0.05  # seconds to wait for more passages of the same task
Read = Callable[[Anchor, Todo, Sequence[Passage], bool], Awaitable[Sequence[Extraction]]]


class Batch:
    """Collects passages of one task and reads them together."""

    def __init__(self, read: Read, size: int) -> None:
        self._read, self._size = read, size
        self._waiting: dict[Hashable, list[tuple[Passage, asyncio.Future[Extraction]]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]:
        """One extraction for each passage, in their order."""
        loop = asyncio.get_running_loop()
        key = (id(loop), anchor.query, todo.id, todo.text, references)
        futures: list[asyncio.Future[Extraction]] = []
        for passage in passages:
            waiting = self._waiting.setdefault(key, [])
            if not waiting:
                loop.call_later(WINDOW, self._flush, key, anchor, todo, references)
            future: asyncio.Future[Extraction] = loop.create_future()
            futures.append(future)
            waiting.append((passage, future))
            if len(waiting) >= self._size:
                self._flush(key, anchor, todo, references)
        try:
            return tuple(await asyncio.gather(*futures))
        except asyncio.CancelledError:
            for future in futures:
                future.cancel()
            raise

    def _flush(self, key: Hashable, anchor: Anchor, todo: Todo, references: bool) -> None:
        waiting = self._waiting.pop(key, [])
        # In the order of their keys: who came first is chance, and the same passages shall make the same prompt.
        batch = sorted((item for item in waiting if not item[1].cancelled()), key=lambda item: item[0].key)
        if not batch:
            return
        task = asyncio.get_running_loop().create_task(self._run(anchor, todo, batch, references))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        futures = [future for _, future in batch]

        def abandon(_: asyncio.Future[Extraction]) -> None:
            if all(future.cancelled() for future in futures):
                task.cancel()

        for future in futures:
            future.add_done_callback(abandon)

    async def _run(
        self,
        anchor: Anchor,
        todo: Todo,
        batch: Sequence[tuple[Passage, asyncio.Future[Extraction]]],
        references: bool,
    ) -> None:
        try:
            found = await self._read(anchor, todo, [passage for passage, _ in batch], references)
            for (_, future), extraction in zip(batch, found, strict=True):
                if not future.done():
                    future.set_result(extraction)
        except RabbitholeError as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
        finally:
            # Cancelled, or failed in a way nobody foresaw: whoever waits must not wait for ever.
            for _, future in batch:
                future.cancel()
