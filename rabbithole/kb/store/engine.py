"""The interface of the database engines, SQLite and PostgreSQL, on which the SQL of the catalog runs.

The SQL keeps to what both take: values are ``?``, an insertion that may meet an older row says ``ON CONFLICT``, and a
new key is asked for with ``RETURNING``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

from rabbithole.kb.errors import KnowledgeBaseError

Values = Sequence[object]


class Transaction(Protocol):
    """A transaction that writes. All its statements take effect together, or none."""

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        """Run a statement and return its rows."""

    def run(self, query: str, values: Values = ()) -> None:
        """Run a statement that returns nothing."""

    def run_many(self, query: str, values: Iterable[Values]) -> None:
        """Run a statement once for each of ``values``."""


class Queries(Protocol):
    """Tables that several threads may read and write; each call sees the last committed change.

    Every call may raise KnowledgeBaseError with one sentence that says what cannot be used.
    """

    asked: str
    """SQL for a FROM clause: the strings of one parameter, a JSON list, as column ``value`` of the table ``asked``."""

    def rows(self, query: str, values: Values = ()) -> list[Any]:
        """Return all rows of a query."""

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Run the block as one transaction; others that write wait until it has ended."""

    def close(self) -> None:
        """Close all connections; the next call opens them again."""


class Tables(NamedTuple):
    """The definition of tables, and the version of their format."""

    sql: str
    version: int


class NameTables(Queries, Protocol):
    """The tables of names, which can be made anew from the catalog at any time."""

    def phrase(self, words: Sequence[str], limit: int) -> list[str]:
        """Return at most ``limit`` keys of the table ``parts`` that have these words one after the other."""


class NotWritableError(KnowledgeBaseError):
    """The tables of names cannot be written here; they can be kept in memory instead."""


class Lock(Protocol):
    """A lock that one process holds while it writes. The system releases it when the process ends."""

    @property
    def held(self) -> bool:
        """Whether this process holds it."""

    def acquire(self) -> None:
        """Take the lock. Raises KnowledgeBaseError if another process keeps it for longer than some seconds."""

    def release(self) -> None:
        """Release the lock, if it is held."""


class Engine(Queries, Protocol):
    """The database of a catalog."""

    @property
    def read_only(self) -> bool:
        """Whether this process may only read."""

    @property
    def lock(self) -> Lock:
        """The lock of the one process that writes."""

    def names(self, tables: Tables) -> NameTables:
        """Open the tables of names beside the catalog; empty ones if they have another format."""

    def has_table(self, name: str) -> bool:
        """Return whether there is a table with this name."""

    def continue_ordinals(self, transaction: Transaction) -> None:
        """Give the next document a higher ordinal than all that were inserted with one."""

    def damage(self) -> str:
        """Return what is damaged and what to do about it, in one sentence; '' if nothing is. May read everything."""

    def checkpoint(self) -> None:
        """Write everything committed to where a copy of the files would have it."""
