"""Reading a stream: when the reader stops, at any moment, the stream is closed."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from rabbithole.steps.reasoning.client.clients import Call, Delta
from rabbithole.steps.reasoning.client.streaming import Clocks, timed

CALL = Call(model="qwen3:14b", prompt="What is due?", max_tokens=10)
CLOCKS = Clocks(first=5.0, idle=5.0, total=5.0)


class Dictated:
    """A client whose deltas the test hands over, and which takes so many turns of the loop to close."""

    kind = "ollama"
    context_window = 4096

    def __init__(self, closing: int = 0) -> None:
        self.given: asyncio.Queue[str] = asyncio.Queue()
        self.closing = closing
        self.closed = False

    async def stream(self, call: Call) -> AsyncIterator[Delta]:
        try:
            while text := await self.given.get():
                yield Delta(text=text)
        finally:
            self.closed = True
            for _ in range(self.closing):
                await asyncio.sleep(0)

    async def close(self) -> None:
        pass


async def listen(client: Dictated) -> str:
    return "".join([delta.text async for delta in timed(client, CALL, CLOCKS)])


@pytest.mark.parametrize("turns", range(12))
@pytest.mark.parametrize("end", ["another delta", "the end"])
@pytest.mark.parametrize("closing", [0, 3])
def test_a_listener_is_cancelled_in_whatever_moment_a_delta_or_the_end_arrives(turns, end, closing):
    async def cancelled() -> tuple[asyncio.Task[str], bool, Dictated]:
        client = Dictated(closing)
        listener = asyncio.create_task(listen(client))
        client.given.put_nowait("Two ")
        await asyncio.sleep(0.001)
        client.given.put_nowait("weeks" if end == "another delta" else "")
        for _ in range(turns):
            await asyncio.sleep(0)
        over = listener.done()
        listener.cancel()
        await asyncio.wait([listener], timeout=1.0)
        return listener, over, client

    listener, over, client = asyncio.run(cancelled())
    assert listener.done(), "it went on listening"
    assert listener.cancelled() != over
    assert client.closed


def test_what_is_not_cancelled_arrives_whole():
    async def whole() -> str:
        client = Dictated(closing=2)
        for text in ("Two ", "weeks", ""):
            client.given.put_nowait(text)
        return await listen(client)

    assert asyncio.run(whole()) == "Two weeks"
