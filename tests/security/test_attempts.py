"""Waiting times after wrong guesses, with a clock set by the test."""

from __future__ import annotations

import pytest

from rabbithole.workflow.chat.attempts import FORGOTTEN, LONGEST, LONGEST_FOR_NAME, Attempts, TooSoon


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def wait(attempts: Attempts, name: str, address: str) -> float:
    try:
        attempts.begin(name, address)
    except TooSoon as error:
        return error.seconds
    return 0.0


def test_each_failure_makes_the_next_wait_longer() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    assert [wait(attempts, "ann", "a") for _ in range(3)] == [0, 0, 0]
    waits = []
    for _ in range(10):
        waits.append(wait(attempts, "ann", "a"))
        clock.now += waits[-1]
        assert wait(attempts, "ann", "a") == 0.0
    assert waits[:3] == [1.0, 2.0, 4.0]
    assert waits == sorted(waits)
    assert max(waits) == LONGEST


def test_many_addresses_slow_a_name_but_do_not_lock_it_out() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for number in range(50):
        wait(attempts, "ann", f"address {number}")
        clock.now += LONGEST_FOR_NAME
    wait(attempts, "ann", "attacker")
    assert 0 < wait(attempts, "ann", "her own") <= LONGEST_FOR_NAME


def test_many_names_slow_an_address() -> None:
    attempts = Attempts(Clock())
    assert [wait(attempts, f"name {number}", "a") > 0 for number in range(5)] == [False, False, False, True, True]
    assert wait(attempts, "name 9", "b") == 0.0


def test_success_and_time_forget() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for _ in range(4):
        wait(attempts, "ann", "a")
    clock.now += FORGOTTEN
    assert wait(attempts, "ann", "a") == 0.0
    attempts.succeeded("ann", "a")
    for _ in range(3):
        attempts.begin("ann", "a")
    with pytest.raises(TooSoon, match="Wait 1 seconds"):
        attempts.begin("ann", "a")
