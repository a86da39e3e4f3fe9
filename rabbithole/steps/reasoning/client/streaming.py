"""Read a stream with three time-outs: until the first token, between two tokens, and for the whole call.

A separate task reads the stream. Whatever ends the reading (a time-out, a cancellation, a consumer that stops) cancels
that task, which closes the HTTP connection, so that the server stops generating.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from rabbithole.kb.models import Model

from .clients import Call, Client, Delta


class Clocks(Model):
    """Time-outs in seconds. ``first`` covers queueing in the server and loading the model."""

    first: float
    idle: float
    total: float


class CallTimeout(Exception):
    """The model was too slow; the message says which time-out expired."""


async def timed(client: Client, call: Call, clocks: Clocks) -> AsyncGenerator[Delta, None]:
    """Yield the deltas of a call. Raises CallTimeout, or whatever the client raised."""
    queue: asyncio.Queue[Delta | BaseException | None] = asyncio.Queue()

    async def read() -> None:
        try:
            async for delta in client.stream(call):
                queue.put_nowait(delta)
            queue.put_nowait(None)
        except Exception as error:  # noqa: BLE001 - handed to the consumer, which knows what each kind means
            queue.put_nowait(error)

    reader = asyncio.create_task(read())
    loop = asyncio.get_running_loop()
    end, started = loop.time() + clocks.total, False
    try:
        while True:
            patience = clocks.idle if started else clocks.first
            try:
                # Not `wait_for`: up to Python 3.11 it loses a cancellation that arrives together with a delta.
                async with asyncio.timeout(max(0.0, min(patience, end - loop.time()))):
                    item = await queue.get()
            except TimeoutError:
                raise CallTimeout(_which(clocks, started=started, over=loop.time() >= end)) from None
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            started = started or bool(item.text) or item.thinking
            yield item
    finally:
        reader.cancel()
        await asyncio.wait([reader])  # raises only when this task itself is cancelled


def _which(clocks: Clocks, *, started: bool, over: bool) -> str:
    if over:
        return f"the call took longer than {clocks.total:g} s"
    if started:
        return f"no token for {clocks.idle:g} s"
    return f"no first token within {clocks.first:g} s"
