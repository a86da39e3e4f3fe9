"""The tables of ``runs.sqlite``: open them, and report a failed write in one clear sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.write_ahead import use_write_ahead_log

SCHEMA_VERSION = 1
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
"""


class RunError(RabbitholeError):
    """A run cannot be stored, found or continued."""


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


class WriteGuard:
    """Context manager that rolls back a failed write (disk full, read-only) and raises RunError instead."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db, self._path = db, path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise RunError(
                f"The run could not be saved in {self._path}: {error}. Free the disk and resume the run; "
                "everything up to the last saved step is kept."
            ) from error
