"""The chat's own record beside the run store: conversations, whose run is whose, and every run's events.

SQLite, one connection guarded by a lock; a write is one short transaction (WAL), so what a person has seen survives
a killed process.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import Field

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.models import Model, Scalar

ItemKind = Literal["user", "run", "note", "reply"]

SCHEMA = """
create table if not exists threads (
    id text primary key, user text not null, name text not null, created real not null, updated real not null);
create index if not exists threads_of on threads (user, updated desc);
create table if not exists items (
    thread text not null, seq integer not null, id text not null, kind text not null, body text not null,
    created real not null, primary key (thread, seq));
create table if not exists runs (
    id text primary key, thread text not null, user text not null, query text not null, request text not null,
    status text not null, created real not null, updated real not null);
create index if not exists runs_of on runs (user, updated desc);
create table if not exists events (
    run text not null, seq integer not null, name text not null, data text not null, primary key (run, seq)
) without rowid;
create table if not exists preferences (user text primary key, data text not null);
create table if not exists visits (user text primary key, at real not null, held text not null);
"""


class Thread(Model):
    id: str
    user: str
    name: str
    created: float
    updated: float


class Item(Model):
    """One entry of a conversation: words of the person, a run, a note of the chat, or a reply."""

    id: str
    kind: ItemKind
    body: str = Field(description="the person's words, a run's id, or a note's JSON")
    created: float


class KeptReply(Model):
    """A reply as it is kept. ``run``: whose report its markers belong to, '' for none."""

    run: str = ""
    language: str = "en"
    markdown: str


class Visit(Model):
    """When a person was last here, and the documents held then: 'collection/file' -> id."""

    at: float
    held: Mapping[str, str]


class RunRow(Model):
    id: str
    thread: str
    user: str
    query: str
    request: str = Field(description="the start event as JSON")
    status: str
    created: float
    updated: float


class History:
    """Raises ``RabbitholeError`` with one sentence when the disk refuses."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        private_folder(path.parent)
        private_file(path)
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        with self._writing() as db:
            db.execute("pragma journal_mode=wal")
            db.execute("pragma synchronous=normal")
            db.executescript(SCHEMA)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._db
        except sqlite3.Error as error:
            message = f"The chat's record {self._path} cannot be written ({error}): free disk space or mend its rights."
            raise RabbitholeError(message) from error

    def _rows(self, query: str, *values: Scalar) -> list[sqlite3.Row]:
        with self._writing() as db:
            return list(db.execute(query, values))

    def _run(self, query: str, *values: Scalar) -> None:
        with self._writing() as db:
            db.execute(query, values)

    def close(self) -> None:
        with self._writing() as db:
            db.close()

    # --- conversations ---------------------------------------------------------------------------------------------
    def open_thread(self, thread: str, user: str, name: str) -> None:
        """Create a conversation, or leave the one there is as it is."""
        now = time.time()
        self._run("insert or ignore into threads values (?,?,?,?,?)", thread, user, name[:200], now, now)

    def rename(self, thread: str, name: str) -> None:
        self._run("update threads set name = ? where id = ?", name[:200], thread)

    def thread(self, thread: str) -> Thread | None:
        rows = self._rows("select * from threads where id = ?", thread)
        return Thread(**rows[0]) if rows else None

    def threads(self, user: str, *, search: str = "", limit: int = 20, before: float | None = None) -> list[Thread]:
        """Newest first; ``before`` continues a listing at that time."""
        words = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        rows = self._rows(
            "select * from threads where user = ? and name like ? escape '\\' and updated < ? "
            "order by updated desc limit ?",
            user, f"%{words}%", before if before is not None else time.time() + 1.0, limit,
        )  # fmt: skip
        return [Thread(**row) for row in rows]

    def delete_thread(self, thread: str) -> None:
        """Delete a conversation with everything that is kept of it here."""
        with self._writing() as db:
            db.execute("begin")
            db.execute("delete from events where run in (select id from runs where thread = ?)", (thread,))
            for table, column in (("runs", "thread"), ("items", "thread"), ("threads", "id")):
                db.execute(f"delete from {table} where {column} = ?", (thread,))
            db.execute("commit")

    def add_item(self, thread: str, item: str, kind: ItemKind, body: str) -> None:
        """Append to a conversation; an item that is there already is left alone."""
        now = time.time()
        with self._writing() as db:
            if db.execute("select 1 from items where thread = ? and id = ?", (thread, item)).fetchone():
                return
            db.execute(
                "insert into items select ?, coalesce(max(seq), -1) + 1, ?, ?, ?, ? from items where thread = ?",
                (thread, item, kind, body, now, thread),
            )
            db.execute("update threads set updated = ? where id = ?", (now, thread))

    def item(self, thread: str, item: str) -> Item | None:
        rows = self._rows("select id, kind, body, created from items where thread = ? and id = ?", thread, item)
        return Item(**rows[0]) if rows else None

    def items(self, thread: str) -> list[Item]:
        rows = self._rows("select id, kind, body, created from items where thread = ? order by seq", thread)
        return [Item(**row) for row in rows]

    # --- runs ------------------------------------------------------------------------------------------------------
    def add_run(self, run: str, thread: str, user: str, query: str, request: str) -> None:
        now = time.time()
        self._run(
            "insert or ignore into runs values (?,?,?,?,?,?,?,?)",
            run,
            thread,
            user,
            query,
            request,
            "running",
            now,
            now,
        )

    def run(self, run: str) -> RunRow | None:
        rows = self._rows("select * from runs where id = ?", run)
        return RunRow(**rows[0]) if rows else None

    def runs(self, user: str, limit: int = 50) -> list[RunRow]:
        rows = self._rows("select * from runs where user = ? order by updated desc limit ?", user, limit)
        return [RunRow(**row) for row in rows]

    def run_ids(self) -> set[str]:
        """Every run of every person."""
        return {row["id"] for row in self._rows("select id from runs")}

    def runs_of_thread(self, thread: str) -> list[RunRow]:
        return [RunRow(**row) for row in self._rows("select * from runs where thread = ? order by created", thread)]

    def set_status(self, run: str, status: str) -> None:
        self._run("update runs set status = ?, updated = ? where id = ?", status, time.time(), run)

    # --- events ----------------------------------------------------------------------------------------------------
    def append(self, run: str, first: int, events: Sequence[tuple[str, str]]) -> None:
        """Write events as numbers ``first``, ``first + 1``... in one transaction."""
        rows = [(run, first + index, name, data) for index, (name, data) in enumerate(events)]
        with self._writing() as db:
            db.execute("begin")
            db.executemany("insert or replace into events values (?,?,?,?)", rows)
            db.execute("commit")

    def events(self, run: str) -> list[tuple[str, str]]:
        return [(row["name"], row["data"]) for row in self._rows(
            "select name, data from events where run = ? order by seq", run
        )]  # fmt: skip

    # --- a person's settings ---------------------------------------------------------------------------------------
    def preferences(self, user: str) -> dict[str, object]:
        rows = self._rows("select data from preferences where user = ?", user)
        loaded: dict[str, object] = json.loads(rows[0]["data"]) if rows else {}
        return loaded

    def set_preferences(self, user: str, data: Mapping[str, object]) -> None:
        self._run("insert or replace into preferences values (?,?)", user, json.dumps(dict(data)))

    # --- visits ----------------------------------------------------------------------------------------------------
    def visit(self, user: str) -> Visit | None:
        rows = self._rows("select at, held from visits where user = ?", user)
        return Visit(at=rows[0]["at"], held=json.loads(rows[0]["held"])) if rows else None

    def set_visit(self, user: str, held: Mapping[str, str]) -> None:
        self._run("insert or replace into visits values (?,?,?)", user, time.time(), json.dumps(dict(held)))
