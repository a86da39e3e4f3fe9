"""The run store's file, opened by several processes at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

from rabbithole.workflow.run.stores.sqlite import open_database


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
