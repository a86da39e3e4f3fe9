"""The run store in a file, ``runs.sqlite``, used by the processes of one machine.

A lease there runs out when its process ends, however it ends; so a killed run can be resumed at once, and one on a
machine that sleeps is kept. If the process cannot be seen, for example in another container, the lease runs out
``UNSEEN_SECONDS`` after it was last renewed.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.write_ahead import use_write_ahead_log
from rabbithole.workflow.run.run_store import RunError

from .holder import Holder, this_process
from .run_transaction import Rows, RunTransaction
from .sql import SqlRunStore

UNSEEN_SECONDS = 30.0
SCHEMA_VERSION = 2
SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, query TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, phase TEXT NOT NULL,
    created REAL NOT NULL, updated REAL NOT NULL, seconds REAL NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '', state TEXT NOT NULL, report TEXT);
CREATE TABLE IF NOT EXISTS ledger (
    run TEXT NOT NULL, key TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (run, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS evidence (
    run TEXT NOT NULL, key TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY (run, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS drafts (
    run TEXT NOT NULL, attempt INTEGER NOT NULL, markdown TEXT NOT NULL, PRIMARY KEY (run, attempt)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS executions (
    run TEXT NOT NULL, session INTEGER NOT NULL, steps TEXT NOT NULL, PRIMARY KEY (run, session)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reasoner_cache (
    key TEXT PRIMARY KEY, answer TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leases (
    run TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL, renewed REAL NOT NULL) WITHOUT ROWID;
"""


class SqliteRunStore(SqlRunStore):
    """The runs in one ``runs.sqlite``; see ``RunStore``."""

    shared = False
    document_of = """json_extract("row", '$.document')"""
    held_elsewhere = "stop it there or wait for it"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        super().__init__(str(self.path), renew_seconds=UNSEEN_SECONDS / 3)
        self._holder = this_process()
        self._db = open_database(self.path)
        self._mutex = threading.Lock()

    def _close(self) -> None:
        self._db.close()

    @contextmanager
    def _reading(self) -> Iterator[RunTransaction]:
        with self._mutex:
            yield _Statements(self._db)

    @contextmanager
    def _writing(self) -> Iterator[RunTransaction]:
        with self._mutex:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield _Statements(self._db)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise RunError(
                    f"The run could not be saved in {self.path}: {error}. Free the disk and resume the run; "
                    "everything up to the last saved step is kept."
                ) from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    # --- leases -------------------------------------------------------------------------------------------------------
    def _take(self, db: RunTransaction, run_id: str) -> int | None:
        found = db.rows("SELECT epoch, holder, renewed FROM leases WHERE run=?", (run_id,))
        if found and not self._ran_out(*found[0][1:]):
            return None
        epoch = found[0][0] + 1 if found else 1
        db.rows(
            "INSERT INTO leases VALUES (?,?,?,?) ON CONFLICT (run) DO UPDATE SET epoch=excluded.epoch, "
            "holder=excluded.holder, renewed=excluded.renewed",
            (run_id, epoch, self._holder.model_dump_json(), time.time()),
        )
        return int(epoch)

    def _valid(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        found = db.rows("SELECT holder, renewed FROM leases WHERE run=? AND epoch=?", (run_id, epoch))
        return bool(found) and not self._ran_out(*found[0])

    def _renewed(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        if not self._valid(db, run_id, epoch):
            return False
        db.rows("UPDATE leases SET renewed=? WHERE run=? AND epoch=?", (time.time(), run_id, epoch))
        return True

    def _let_go(self, db: RunTransaction, run_id: str, epoch: int) -> None:
        db.rows("UPDATE leases SET holder='', renewed=0 WHERE run=? AND epoch=?", (run_id, epoch))

    def _unheld(self, db: RunTransaction, run_ids: Sequence[str]) -> Sequence[str]:
        leases = {run: (holder, renewed) for run, holder, renewed in db.rows("SELECT run, holder, renewed FROM leases")}
        return [run_id for run_id in run_ids if run_id not in leases or self._ran_out(*leases[run_id])]

    def _ran_out(self, text: str, renewed: float) -> bool:
        if not text:
            return True
        holder = Holder.model_validate_json(text)
        if holder.machine == self._holder.machine:
            return holder != self._holder and holder.is_gone()
        return time.time() - renewed > UNSEEN_SECONDS


class _Statements:
    """A transaction on the connection."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def rows(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        return self._db.execute(statement, list(values)).fetchall()

    def many(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        self._db.executemany(statement, values)


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database, create missing tables and return the connection.

    Raises RunError if it cannot be opened or was written by a newer version.
    """
    try:
        private_folder(path.parent)
        private_file(path)
        db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        use_write_ahead_log(db)
        db.execute("PRAGMA synchronous=NORMAL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            raise RunError(f"{path} was written by a newer version; update, or set RUNS_PATH to another file.")
        db.executescript(SCHEMA)
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    except (OSError, sqlite3.Error) as error:
        raise RunError(f"The run store {path} cannot be opened: {error}; set RUNS_PATH elsewhere.") from error
    return db
