"""The time that a run has been worked on."""

from __future__ import annotations

import pytest

from rabbithole.workflow.run.work_clock import WorkClock


@pytest.mark.parametrize(
    ("before", "steps", "seconds"),
    [
        (0.0, [(3, True)], 3),
        (5.0, [(3, True)], 8),
        (0.0, [(3, False), (60, False)], 3),
        (0.0, [(3, False), (60, True), (2, True)], 5),
        (0.0, [(3, False), (60, False), (60, True), (2, False)], 5),
    ],
)
def test_a_pause_does_not_count(before, steps, seconds):
    """Each step: the seconds that pass, and whether the clock runs from then on."""
    now = 100.0
    clock = WorkClock(before, lambda: now)
    for passed, running in steps:
        now += passed
        clock.set(running=running)
    assert clock.seconds == seconds
    assert clock.running == steps[-1][1]
