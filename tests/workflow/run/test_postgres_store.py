"""What only the run store in PostgreSQL has: an address, a server that goes away, a clock for its leases."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from postgres import PostgresServer

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.run.run_store import RunError, RunStoreAway, RunTakenOver
from rabbithole.workflow.run.state import ResearchState

psycopg: Any = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install rabbithole[cluster]")
adapter: Any = pytest.importorskip("rabbithole.workflow.run.stores.postgres")
STATE = ResearchState(run_id="one", query="Was gilt?")


@pytest.fixture
def runs(postgres_address: str) -> Iterator[Any]:
    store = adapter.PostgresRunStore(postgres_address)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("address", "kind", "said"),
    [
        ("mysql://anna:geheim@127.0.0.1/x", UsageError, "postgresql://user@host:5432/database"),
        ("postgresql://anna:geheim@127.0.0.1:1/x", RunError, r"postgresql://127\.0\.0\.1:1/x .*RABBITHOLE_CATALOG"),
    ],
)
def test_a_wrong_address_is_one_sentence_without_the_password(address: str, kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        adapter.PostgresRunStore(address)
    assert "geheim" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_database_of_another_version_is_refused(postgres_address: str, runs: Any) -> None:
    with psycopg.connect(postgres_address) as db:
        db.execute("UPDATE rabbithole_tables SET version = 99 WHERE part = 'runs'")
    with pytest.raises(RunError, match=r"another version.*format 99"):
        adapter.PostgresRunStore(postgres_address)


def test_several_open_an_empty_database_at_once(postgres_address: str) -> None:
    together = threading.Barrier(4)

    def opened(_: int) -> int:
        together.wait()
        store = adapter.PostgresRunStore(postgres_address)
        found = len(store.list())
        store.close()
        return found

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(opened, range(4))) == [0] * 4


def test_a_lease_is_renewed_by_itself_and_runs_out_without(postgres_address: str, runs: Any) -> None:
    kept = adapter.PostgresRunStore(postgres_address, lease_seconds=3.0, renew_seconds=0.1)
    left = adapter.PostgresRunStore(postgres_address, lease_seconds=0.5, renew_seconds=600.0)
    for store, run_id in ((kept, "kept"), (left, "left")):
        store.acquire(run_id)
        store.save(STATE.model_copy(update={"run_id": run_id}))
    with psycopg.connect(postgres_address, autocommit=True) as db:
        (first,) = db.execute("SELECT expires FROM leases WHERE run = 'kept'").fetchone()
        while "left" not in runs.orphans():
            pass
        while db.execute("SELECT expires FROM leases WHERE run = 'kept'").fetchone() == (first,):
            pass
    assert runs.orphans() == ("left",)
    with pytest.raises(RunTakenOver):
        left.put_draft("left", 0, "late")
    kept.put_draft("kept", 0, "in time")
    kept.close()
    left.close()


@pytest.mark.slow
def test_a_server_that_goes_away_and_comes_back(postgres_server: PostgresServer, runs: Any) -> None:
    runs.acquire("one")
    runs.save(STATE)
    postgres_server.stop()
    try:
        with pytest.raises(RunStoreAway, match=r"cannot be used now.*what was committed is kept"):
            runs.put_draft("one", 0, "lost")
        runs.release("one")
        began = time.monotonic()
        for _ in range(10):
            with pytest.raises(RunStoreAway, match="does not answer"):
                runs.list()
        assert time.monotonic() - began < 10, "each of these calls stops the event loop that makes it"
    finally:
        postgres_server.start()
    assert runs.load("one").query == STATE.query
    assert runs.draft("one", 0) == ""
    runs.acquire("one")  # the release that could not be written is made up for
    runs.put_draft("one", 0, "kept")
