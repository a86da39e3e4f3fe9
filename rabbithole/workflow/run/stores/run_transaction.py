"""A transaction of a run store, as SQLite and PostgreSQL both offer it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

Row = tuple[Any, ...]
Rows = list[Row]


class RunTransaction(Protocol):
    """One open transaction; values stand for the question marks of a statement."""

    def rows(self, statement: str, values: Sequence[object] = ()) -> Rows:
        """Execute a statement and return its rows, if it has any."""

    def many(self, statement: str, values: Iterable[Sequence[object]]) -> None:
        """Execute a statement once for each row of values."""
