"""What only the run store in a file has: several open it at once, its age, and leases that end with their process."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rabbithole.workflow.run.state import ResearchState
from rabbithole.workflow.run.stores.holder import this_process
from rabbithole.workflow.run.stores.sqlite import UNSEEN_SECONDS, SqliteRunStore, open_database


def test_several_open_the_same_new_store_at_once(tmp_path):
    """SQLite answers "database is locked" at once to one of two that make a file's write-ahead log."""
    together = threading.Barrier(4)

    def opened(path):
        together.wait()
        connection = open_database(path)
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        connection.close()
        return mode

    with ThreadPoolExecutor(4) as threads:
        for number in range(30):
            assert list(threads.map(opened, [tmp_path / f"{number}.sqlite"] * 4)) == ["wal"] * 4


def test_a_file_of_before_leases_opens(tmp_path):
    path = tmp_path / "runs.sqlite"
    store = SqliteRunStore(path)
    store.acquire("one")
    store.save(ResearchState(run_id="one", query="Was gilt?"))
    store._db.execute("DROP TABLE leases")
    store._db.execute("PRAGMA user_version = 1")
    again = SqliteRunStore(path)
    assert again.orphans() == ("one",)
    again.acquire("one")
    again.put_draft("one", 0, "later")
    assert again.draft("one", 0) == "later"
    again.close()


@pytest.mark.parametrize(("ago", "free"), [(0.0, False), (UNSEEN_SECONDS + 1, True)])
def test_a_process_that_cannot_be_looked_for_counts_by_its_last_renewal(tmp_path, ago, free):
    path = tmp_path / "runs.sqlite"
    elsewhere, store = SqliteRunStore(path), SqliteRunStore(path)
    elsewhere.acquire("one")
    elsewhere.save(ResearchState(run_id="one", query="Was gilt?"))
    there = this_process().model_copy(update={"machine": "another"}).model_dump_json()
    store._db.execute("UPDATE leases SET holder = ?, renewed = ?", (there, time.time() - ago))
    assert store.orphans() == (("one",) if free else ())
    elsewhere.close()
    store.close()


@pytest.mark.parametrize(
    ("changes", "gone"),
    [({}, False), ({"started": 1.0}, True), ({"pid": 2**22 + 1}, True)],
    ids=["this", "its number was given to another", "ended"],
)
def test_whether_a_process_has_ended(changes, gone):
    assert this_process().model_copy(update=changes).is_gone() is gone
