"""The time that a run has been worked on, without the pauses in which it waited for a person."""

from __future__ import annotations

import time
from collections.abc import Callable


class WorkClock:
    """Counts seconds, beginning with those of earlier sessions of the run (``before``); it runs until it is paused.

    ``clock`` returns seconds and never goes back.
    """

    def __init__(self, before: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._counted = before
        self._clock = clock
        self._since: float | None = clock()

    @property
    def running(self) -> bool:
        return self._since is not None

    @property
    def seconds(self) -> float:
        return self._counted + (self._clock() - self._since if self._since is not None else 0.0)

    def set(self, *, running: bool) -> None:
        """Pause the clock or let it go on; nothing changes if it does so already."""
        if running != self.running:
            self._counted = self.seconds
            self._since = self._clock() if running else None
