"""The run stores that pass the contract, each as replicas that work on the same runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from work import opened_runs

from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.holder import this_process

ENDED = 2**22 + 1
"""A process number above the largest that Linux gives out."""


class Replicas:
    """Replicas that work on the runs in the database at ``address`` or, if it is empty, in the file at ``path``."""

    def __init__(self, path: Path, address: str) -> None:
        self.path, self.address = path, address
        self._opened = ExitStack()

    def open(self) -> RunStore:
        """Open the store as one more replica; it is closed at the end of the test."""
        return self._opened.enter_context(closing(opened_runs(self.path, self.address)))

    def close(self) -> None:
        self._opened.close()

    def lapse(self, run_id: str) -> None:
        """Let the lease of a run run out now, as if its process had ended or its renewals did not arrive."""
        if self.address:
            psycopg: Any = pytest.importorskip("psycopg")
            with psycopg.connect(self.address) as db:
                db.execute("UPDATE leases SET expires = clock_timestamp() WHERE run = %s", (run_id,))
            return
        gone = this_process().model_copy(update={"pid": ENDED})
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute("UPDATE leases SET holder = ? WHERE run = ?", (gone.model_dump_json(), run_id))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def replicas(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Replicas]:
    address = request.getfixturevalue("postgres_address") if request.param == "postgres" else ""
    both = Replicas(tmp_path / "runs.sqlite", address)
    yield both
    both.close()
