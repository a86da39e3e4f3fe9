"""Statements on an SQLite connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from .engine import Values

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
