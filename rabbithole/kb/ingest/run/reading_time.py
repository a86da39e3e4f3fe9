"""How long reading a file may take, in processor time: on a busy machine a reader waits, and no file is at fault."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import psutil

STEP_SHARE = 0.25
"""Of the limit of a file, for one step."""
CLOCK_SHARE = 10.0
"""Seconds by the clock for each second of processor time: for a reader that waits, for the processor or for a disk."""
SECONDS_PER_PAGE = 0.25
SECONDS_PER_LAYOUT = 15.0
LOOK_SECONDS = 0.1
CORES = os.cpu_count() or 1

Overdue = Literal["", "slow", "silent"]


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of processor time of a process, and seconds by the clock."""

    processor: float = 0.0
    clock: float = 0.0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.processor - other.processor, self.clock - other.clock)

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.processor + other.processor, self.clock + other.clock)


def overdue(spent: Spent, limit: float) -> Overdue:
    """Whether it took more than ``limit`` seconds of processor time ("slow"), or never came to that ("silent")."""
    if spent.processor > limit:
        return "slow"
    return "silent" if spent.clock > limit * CLOCK_SHARE else ""


def processor_time(pid: int) -> float | None:
    """Seconds of processor time a process has used, in all its threads; None when it has gone."""
    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return None
    return float(used.user + used.system)


class ReadingTime:
    """The time one file takes, over all attempts: ``seconds`` for the file, and more for each page that is read."""

    def __init__(
        self,
        seconds: float,
        *,
        step_share: float = STEP_SHARE,
        processor: Callable[[int], float | None] = processor_time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds = self._limit = seconds
        self._step_limit = self._for_steps = seconds * step_share
        self._processor, self._clock = processor, clock
        self._pid = 0
        self._pages = 0
        self._earlier = self._began = self._step_began = self._now = Spent()

    def follow(self, pid: int) -> None:
        """An attempt begins, in this process."""
        self._earlier += self._now - self._began
        self._pid, self._pages = pid, 0
        self._began = self._step_began = self._now = Spent(self._processor(pid) or 0.0, self._clock())
        self._step_limit = self._for_steps

    def step(self, stage: str, page: int) -> None:
        """The process says which step comes next."""
        self._step_limit = self._for_steps
        if stage == "structure":
            self._step_limit *= 1 + self._pages / 500
        if stage == "layout":  # its model computes on all cores
            self._limit += SECONDS_PER_LAYOUT * CORES
            self._step_limit *= CORES
        if stage == "text" and page > self._pages:
            self._limit += SECONDS_PER_PAGE * (page - self._pages)
            self._pages = page
        # Steps come by the hundred a second: their beginning is known as well as the process is looked at.
        self._step_began = Spent(self._now.processor, self._clock())

    def look(self) -> Overdue:
        """Whether the step or the file takes too long, by a look at the process at most every ``LOOK_SECONDS``."""
        if self._clock() - self._now.clock < LOOK_SECONDS:
            return ""
        used = self._processor(self._pid)
        self._now = Spent(self._now.processor if used is None else used, self._clock())
        return overdue(self._now - self._step_began, self._step_limit) or self.over

    @property
    def over(self) -> Overdue:
        """Whether the time of the whole file is spent."""
        return overdue(self._earlier + (self._now - self._began), self._limit)

    @property
    def waited(self) -> float:
        """Seconds by the clock since the last step began."""
        return self._now.clock - self._step_began.clock
