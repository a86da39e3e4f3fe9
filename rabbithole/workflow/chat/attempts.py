"""Limit login attempts: each failure makes the next attempt, by the same name or address, wait longer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple

FREE = 3  # failures before the first wait
LONGEST = 60.0  # seconds
LONGEST_FOR_NAME = 5.0  # seconds; short, so that nobody can lock out another user for long
FORGOTTEN = 900.0  # seconds after the last failure
MOST_KEPT = 10_000


@dataclass
class Caller:
    """The origin of a request, and how many seconds it is told to wait."""

    address: str = ""
    wait: float = 0.0


CALLER: ContextVar[Caller] = ContextVar("caller")
"""Set before Chainlit handles a request, because it passes its callback only name and password and hides errors."""


class TooSoon(Exception):
    """An attempt came too soon and was not checked. ``seconds`` is how long to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Too many attempts. Wait {seconds:.0f} seconds.")
        self.seconds = seconds


class _Failures(NamedTuple):
    times: int
    last: float


class Attempts:
    """Counts failed attempts, for the whole process. ``clock`` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[tuple[str, str], _Failures] = {}
        self._lock = threading.Lock()

    def begin(self, name: str, address: str) -> None:
        """Count an attempt as failed until ``succeeded`` is called. Raises TooSoon if it has to wait."""
        now = self._clock()
        keys = (("name", name), ("address", address))
        with self._lock:
            seconds = max(self._wait(key, now) for key in keys)
            if seconds > 0:
                raise TooSoon(seconds)
            for key in keys:
                known = self._known(key, now)
                self._failures.pop(key, None)  # keeps the dict in the order of the last failure
                self._failures[key] = _Failures(known.times + 1, now)
            while len(self._failures) > MOST_KEPT:
                self._failures.pop(next(iter(self._failures)))

    def succeeded(self, name: str, address: str) -> None:
        with self._lock:
            for key in (("name", name), ("address", address)):
                self._failures.pop(key, None)

    def _known(self, key: tuple[str, str], now: float) -> _Failures:
        known = self._failures.get(key)
        return known if known is not None and now - known.last < FORGOTTEN else _Failures(0, now)

    def _wait(self, key: tuple[str, str], now: float) -> float:
        known = self._known(key, now)
        if known.times < FREE:
            return 0.0
        longest = LONGEST_FOR_NAME if key[0] == "name" else LONGEST
        return known.last + min(2.0 ** min(known.times - FREE, 10), longest) - now
