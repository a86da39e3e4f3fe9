"""The run store in PostgreSQL, shared by replicas on several machines.

A lease there runs out ``LEASE_SECONDS`` after it was last renewed, by the clock of the database. Import this module
only when RABBITHOLE_CATALOG names a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rabbithole.kb.postgres_connections import Connection, Postgres, PostgresError, marked
from rabbithole.workflow.run.run_store import RunError, RunStoreAway

from .run_transaction import Rows, RunTransaction
from .sql import SqlRunStore

LEASE_SECONDS = 8.0
RENEW_SECONDS = 1.5
SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE runs (
    id TEXT COLLATE "C" PRIMARY KEY, query TEXT NOT NULL, mode TEXT NOT NULL, status TEXT NOT NULL, phase TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL, updated DOUBLE PRECISION NOT NULL, seconds DOUBLE PRECISION NOT NULL DEFAULT 0,
    calls BIGINT NOT NULL DEFAULT 0, tokens BIGINT NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL, report TEXT);
CREATE TABLE ledger (
    run TEXT NOT NULL, key TEXT COLLATE "C" NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (run, key));
CREATE TABLE evidence (
    run TEXT NOT NULL, key TEXT NOT NULL, "row" TEXT NOT NULL, PRIMARY KEY (run, key));
CREATE TABLE drafts (
    run TEXT NOT NULL, attempt INTEGER NOT NULL, markdown TEXT NOT NULL, PRIMARY KEY (run, attempt));
CREATE TABLE executions (
    run TEXT NOT NULL, session INTEGER NOT NULL, steps TEXT NOT NULL, PRIMARY KEY (run, session));
CREATE TABLE reasoner_cache (
    key TEXT PRIMARY KEY, answer TEXT NOT NULL, created DOUBLE PRECISION NOT NULL);
CREATE TABLE leases (
    run TEXT PRIMARY KEY, epoch BIGINT NOT NULL, expires TIMESTAMPTZ NOT NULL);
"""
LATER = "clock_timestamp() + make_interval(secs => ?)"


class PostgresRunStore(SqlRunStore):
    """The runs in one database; see ``RunStore``.

    ``address`` is a libpq address. A lease runs out ``lease_seconds`` after its last renewal and is renewed every
    ``renew_seconds``. Raises UsageError for no address, RunError if the database cannot be reached or is of another
    version.
    """

    shared = True
    # The text of the row may hold escapes that PostgreSQL's JSON functions refuse (\\u0000).
    document_of = """substring("row" from '"document":"([^"]*)"')"""
    held_elsewhere = "stop it there or wait; if its process has died, its lease runs out within seconds"

    def __init__(
        self, address: str, *, lease_seconds: float = LEASE_SECONDS, renew_seconds: float = RENEW_SECONDS
    ) -> None:
        try:
            self._postgres = Postgres(address)
            self._postgres.require_tables("runs", SCHEMA_VERSION, SCHEMA)
        except PostgresError as error:
            raise RunError(str(error)) from error
        super().__init__(self._postgres.name, renew_seconds)
        self._lease_seconds = lease_seconds

    def _close(self) -> None:
        self._postgres.close()

    @contextmanager
    def _writing(self) -> Iterator[RunTransaction]:
        try:
            with self._postgres.transaction() as connection:
                yield _Statements(connection)
        except PostgresError as error:
            raise RunStoreAway(str(error)) from error

    _reading = _writing

    # --- leases -------------------------------------------------------------------------------------------------------
    def _take(self, db: RunTransaction, run_id: str) -> int | None:
        taken = db.rows(
            f"INSERT INTO leases VALUES (?, 1, {LATER}) ON CONFLICT (run) DO UPDATE SET epoch=leases.epoch + 1, "
            "expires=excluded.expires WHERE leases.expires <= clock_timestamp() RETURNING epoch",
            (run_id, self._lease_seconds),
        )
        return int(taken[0][0]) if taken else None

    def _valid(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        valid = "SELECT 1 FROM leases WHERE run=? AND epoch=? AND expires > clock_timestamp() FOR UPDATE"
        return bool(db.rows(valid, (run_id, epoch)))

    def _renewed(self, db: RunTransaction, run_id: str, epoch: int) -> bool:
        renewed = db.rows(
            f"UPDATE leases SET expires={LATER} WHERE run=? AND epoch=? AND expires > clock_timestamp() RETURNING run",
            (self._lease_seconds, run_id, epoch),
        )
        return bool(renewed)

    def _let_go(self, db: RunTransaction, run_id: str, epoch: int) -> None:
        db.rows("UPDATE leases SET expires=clock_timestamp() WHERE run=? AND epoch=?", (run_id, epoch))

    def _unheld(self, db: RunTransaction, run_ids: Sequence[str]) -> Sequence[str]:
        held = db.rows("SELECT run FROM leases WHERE run = ANY(?) AND expires > clock_timestamp()", (list(run_ids),))
        return sorted(set(run_ids) - {run for (run,) in held})


class _Statements:
    """A transaction on one connection of the pool."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        cursor = self._connection.execute(marked(statement), [_storable(value) for value in values])
        return cursor.fetchall() if cursor.description else []

    def many(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(marked(statement), ([_storable(value) for value in row] for row in values))


def _storable(value: Any) -> Any:
    """Return the value without NUL characters, which PostgreSQL's texts cannot hold. JSON has them escaped."""
    return value.replace("\x00", "") if isinstance(value, str) else value
