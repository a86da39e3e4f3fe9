"""Limits the time for reading a file, in processor time, because a reader on a busy machine waits through no fault."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import psutil

STEP_SHARE = 0.25
"""Share of a file's limit that one step may take."""
CLOCK_SHARE = 10.0
"""Wall-clock seconds allowed for each second of processor time, for a reader that waits for processor or disk."""
SECONDS_PER_PAGE = 0.25
SECONDS_PER_LAYOUT = 15.0
LOOK_SECONDS = 0.1
CORES = os.cpu_count() or 1

Overdue = Literal["", "slow", "silent"]


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of a process: processor time and wall-clock time."""

    processor: float = 0.0
    clock: float = 0.0

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.processor - other.processor, self.clock - other.clock)

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.processor + other.processor, self.clock + other.clock)


def overdue(spent: Spent, limit: float) -> Overdue:
    """Return "slow" if more than ``limit`` s of processor time were used, "silent" if it waited too long, else ""."""
    if spent.processor > limit:
        return "slow"
    return "silent" if spent.clock > limit * CLOCK_SHARE else ""


def processor_time(pid: int) -> float | None:
    """Return the processor time in seconds of a process with all its threads; None if it no longer exists."""
    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return None
    return float(used.user + used.system)


class ReadingTime:
    """The time of one file over all attempts: ``seconds`` for the file, and more for each page read."""

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
        """Start an attempt in this process."""
        self._earlier += self._now - self._began
        self._pid, self._pages = pid, 0
        self._began = self._step_began = self._now = Spent(self._processor(pid) or 0.0, self._clock())
        self._step_limit = self._for_steps

    def step(self, stage: str, page: int) -> None:
        """Note the step the process has announced."""
        self._step_limit = self._for_steps
        if stage == "structure":
            self._step_limit *= 1 + self._pages / 500
        if stage == "layout":  # the layout model computes on all cores
            self._limit += SECONDS_PER_LAYOUT * CORES
            self._step_limit *= CORES
        if stage == "text" and page > self._pages:
            self._limit += SECONDS_PER_PAGE * (page - self._pages)
            self._pages = page
        # There are hundreds of steps a second, so the start of a step is only as exact as the last look at the process.
        self._step_began = Spent(self._now.processor, self._clock())

    def look(self) -> Overdue:
        """Return whether the step or the file takes too long; checks the process at most every ``LOOK_SECONDS``."""
        if self._clock() - self._now.clock < LOOK_SECONDS:
            return ""
        used = self._processor(self._pid)
        self._now = Spent(self._now.processor if used is None else used, self._clock())
        return overdue(self._now - self._step_began, self._step_limit) or self.over

    @property
    def over(self) -> Overdue:
        """Whether the time of the whole file is used up."""
        return overdue(self._earlier + (self._now - self._began), self._limit)

    @property
    def waited(self) -> float:
        """Wall-clock seconds since the last step began."""
        return self._now.clock - self._step_began.clock
