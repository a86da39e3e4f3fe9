"""Time limits of a reader: in processor time, with a longer limit in clock time."""

from __future__ import annotations

import os
import time

import pytest

from rabbithole.kb.ingest.run.reading_time import CORES, Overdue, ReadingTime, Spent, overdue, processor_time


class Machine:
    """A process whose processor time and clock the test sets."""

    def __init__(self) -> None:
        self.now = Spent(processor=5.0, clock=100.0)
        self.there = True

    def allowed(self, seconds: float) -> ReadingTime:
        allowed = ReadingTime(seconds, processor=self.processor, clock=lambda: self.now.clock)
        allowed.follow(1)
        return allowed

    def processor(self, pid: int) -> float | None:
        return self.now.processor if self.there else None

    def go(self, processor: float, clock: float) -> None:
        self.now += Spent(processor, clock)


@pytest.mark.parametrize(
    ("processor", "clock", "expected"),
    [(0.0, 0.0, ""), (9.0, 99.0, ""), (11.0, 11.0, "slow"), (11.0, 110.0, "slow"), (0.0, 101.0, "silent")],
)
def test_the_clock_alone_gives_nobody_up_before_ten_times_the_limit(
    processor: float, clock: float, expected: Overdue
) -> None:
    assert overdue(Spent(processor, clock), 10.0) == expected


def test_a_starved_reader_may_go_on() -> None:
    machine = Machine()
    allowed = machine.allowed(60.0)
    for _ in range(20):  # a step that takes 2 s of the processor and 28 s by the clock, again and again
        allowed.step("links", 0)
        machine.go(2.0, 28.0)
        assert allowed.look() == ""


def test_a_step_has_a_quarter_of_the_time() -> None:
    machine = Machine()
    allowed = machine.allowed(60.0)
    machine.go(14.0, 14.0)
    assert allowed.look() == ""
    allowed.step("text", 0)
    machine.go(14.0, 14.0)
    assert allowed.look() == ""
    machine.go(2.0, 2.0)
    assert allowed.look() == "slow"
    assert not allowed.over


def test_pages_and_layout_add_time() -> None:
    machine = Machine()
    allowed = machine.allowed(4.0)
    for page in range(1, 101):
        allowed.step("text", page)
        machine.go(0.2, 0.2)
        assert allowed.look() == ""
    allowed.step("layout", 100)
    machine.go(0.9 * CORES, 0.9)
    assert allowed.look() == ""


def test_attempts_share_the_time_of_a_file() -> None:
    machine = Machine()
    allowed = machine.allowed(40.0)
    for spent in (11.0, 22.0, 33.0):
        machine.go(11.0, 11.0)
        assert allowed.look() == "slow"
        assert bool(allowed.over) == (spent > 40.0)
        machine.now = Spent(0.3, machine.now.clock)  # a new process begins
        allowed.follow(2)
    machine.go(8.0, 8.0)
    assert allowed.look() == "slow"
    assert allowed.over == "slow"


def test_a_process_that_has_gone_uses_nothing_more() -> None:
    machine = Machine()
    allowed = machine.allowed(4.0)
    machine.there = False
    machine.go(0.0, 5.0)
    assert allowed.look() == ""
    assert allowed.waited == 5.0


def test_processor_time_is_that_of_the_process() -> None:
    mine = processor_time(os.getpid())
    assert mine is not None
    assert mine == pytest.approx(time.process_time(), abs=0.5)
    assert processor_time(2**22 + 1) is None
