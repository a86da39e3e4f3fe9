"""Statements on an SQLite connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rabbithole.kb.store.engine import Transaction, Values

ASKED = "json_each(?) asked"


class SqliteTransaction:
    """The statements of one transaction on a connection; see ``engine.Transaction``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        return self._connection.execute(query, values).fetchall()

    def run(self, query: str, values: Values = ()) -> None:
        self._connection.execute(query, values)

    def run_many(self, query: str, values: Iterable[Values]) -> None:
        self._connection.executemany(query, values)


@contextmanager
def transaction_on(
    connection: sqlite3.Connection, refused: Callable[[sqlite3.DatabaseError], Exception]
) -> Iterator[Transaction]:
    """Run the block as one transaction of a connection; ``refused`` turns an SQLite error into the one to raise."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield SqliteTransaction(connection)
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.DatabaseError):
            raise refused(error) from error
        raise
