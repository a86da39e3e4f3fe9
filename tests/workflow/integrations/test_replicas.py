"""Two servers on one PostgreSQL database: one is killed in the middle of a research, the other finishes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.running.takeover import GOAL, measure


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_killed_server_loses_no_run(sample_database: Path, postgres_address: str, tmp_path: Path) -> None:
    taken = measure(sample_database, postgres_address, tmp_path)
    print(f"taken over after {taken.held:.1f} s, done after {taken.done:.1f} s")
    assert taken.equal
    assert taken.held < GOAL
