"""Run the workflows in an event loop in its own thread, so that the interface never waits for their steps."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from workflows.errors import WorkflowCancelledByUser
from workflows.events import Event
from workflows.handler import WorkflowHandler

from rabbithole.workflow.chat.thread_pools import limit_workers

T = TypeVar("T")
CLOSE_SECONDS = 10.0


class LoopThread:
    """The event loop thread, started by the first call. Objects made in it, such as model clients, must stay in it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._held: set[asyncio.Task[None]] = set()

    def hold(self, task: asyncio.Task[None]) -> None:
        """Keep a task alive until it is done, because a loop has only weak references to its tasks."""
        self._held.add(task)
        task.add_done_callback(self._held.discard)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._serve, args=(self._loop,), name="runs", daemon=True)
                self._thread.start()
            return self._loop

    @staticmethod
    def _serve(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        limit_workers(loop)
        loop.run_forever()
        # Close unfinished generators here, in the context that began them, instead of during garbage collection.
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    async def run(self, make: Callable[[], Awaitable[T]]) -> T:
        """Call ``make`` and await its result in the loop thread, from any other event loop."""

        async def awaited() -> T:
            return await make()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(awaited(), self.loop))

    def tell(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a short function in the loop thread without waiting for it."""
        self.loop.call_soon_threadsafe(function, *arguments)

    async def close(self) -> None:
        """Cancel everything that is still running, then stop the loop."""
        if self._loop is None or self._thread is None:
            return

        async def end() -> None:
            loop, this = asyncio.get_running_loop(), asyncio.current_task()
            until = loop.time() + CLOSE_SECONDS
            # Cancelling a run may start new tasks, and a run may react to the first cancellation by cleaning up.
            while (others := asyncio.all_tasks() - {this}) and loop.time() < until:
                for task in others:
                    task.cancel()
                await asyncio.wait(others, timeout=1.0)

        await self.run(end)
        loop, thread = self._loop, self._thread
        self._loop = self._thread = None
        loop.call_soon_threadsafe(loop.stop)
        await asyncio.to_thread(thread.join, CLOSE_SECONDS)


class RunHandle:
    """One workflow running in the loop thread, used from the interface's event loop.

    ``asked`` are the ids of the questions it has asked: before it asks one it cannot take the answer, because it may
    still be loading the state of the run.
    """

    def __init__(self, loop_thread: LoopThread, launched: Callable[[], Coroutine[Any, Any, WorkflowHandler]]) -> None:
        self._loop_thread = loop_thread
        self._launched = launched
        self._handler: WorkflowHandler | None = None
        self._stopped = False
        self._arrived: asyncio.Queue[list[Event] | None] = asyncio.Queue()
        self._waiting: list[Event] = []
        self._lock = threading.Lock()
        self.over = False
        self.asked: set[str] = set()

    async def begin(self) -> None:
        """Launch the workflow. Raises what launching raises."""
        here = asyncio.get_running_loop()

        async def launched() -> None:
            self._handler = await self._launched()
            pump = asyncio.create_task(self._pump(self._handler, here))
            self._loop_thread.hold(pump)
            pump.add_done_callback(lambda _: here.call_soon_threadsafe(self._arrived.put_nowait, None))

        await self._loop_thread.run(launched)
        if self._stopped:  # ``stop`` was called during the launch
            await self.stop()

    async def _pump(self, handler: WorkflowHandler, there: asyncio.AbstractEventLoop) -> None:
        """Pass events to the other loop, in batches while it is busy."""
        try:
            async for event in handler.stream_events():
                with self._lock:
                    self._waiting.append(event)
                    first = len(self._waiting) == 1
                if first:
                    there.call_soon_threadsafe(self._take)
        except WorkflowCancelledByUser:
            pass

    def _take(self) -> None:
        with self._lock:
            taken, self._waiting = self._waiting, []
        self._arrived.put_nowait(taken)

    async def batch(self) -> list[Event] | None:
        """Return the next events, at least one, or None after the last."""
        return await self._arrived.get()

    async def outcome(self) -> BaseException | None:
        """Wait for the end; return None, the error, or ``WorkflowCancelledByUser``."""
        handler = self._handler
        if handler is None:
            return WorkflowCancelledByUser()

        async def ended() -> BaseException | None:
            result = asyncio.ensure_future(handler.stop_event_result())
            await asyncio.wait({result})
            return WorkflowCancelledByUser() if result.cancelled() else result.exception()

        found = await self._loop_thread.run(ended)
        self.over = True
        return found

    def send(self, event: Event) -> None:
        handler = self._handler
        if handler is not None:
            self._loop_thread.tell(handler.ctx.send_event, event)

    async def stop(self) -> None:
        """Stop at once; everything committed so far is kept."""
        self._stopped = True
        handler = self._handler
        if handler is not None and not handler.is_done():
            await self._loop_thread.run(handler.cancel_run)
