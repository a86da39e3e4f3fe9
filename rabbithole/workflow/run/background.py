"""Work begun before its step comes to it, so that the model does not wait while something else goes on.

What it brings is used only by the step that would have done the same, so nothing depends on whether it was begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any


class Ahead:
    """Tasks of one sitting by what they are for."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    def begin(self, key: Hashable, work: Coroutine[Any, Any, Any]) -> None:
        """Start this work unless it is under way."""
        if key in self._tasks:
            work.close()
            return
        self._tasks[key] = task = asyncio.create_task(work)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # whoever takes it sees the error

    def take(self, key: Hashable) -> asyncio.Task[Any] | None:
        """The work begun for this, once; whoever takes it awaits it, and cancels it by being cancelled."""
        return self._tasks.pop(key, None)

    def drop(self, *keys: Hashable) -> None:
        """Cancel what nobody will take."""
        for key in keys:
            if (task := self._tasks.pop(key, None)) is not None:
                task.cancel()

    def close(self) -> None:
        """Cancel what nobody took."""
        self.drop(*self._tasks)
