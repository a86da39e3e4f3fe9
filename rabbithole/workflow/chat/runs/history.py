"""The chat's history, besides the run store: conversations, the owner of each run, and the events of every run.

It is an SQLite database with one connection guarded by a lock. Each write is one short transaction (WAL), so what a
user has seen survives a killed process.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import Field

from rabbithole.kb.errors import RabbitholeError
from rabbithole.kb.models import Model, Scalar

from .history_tables import REPORT_TEXT, opened

ItemKind = Literal["user", "run", "note", "reply"]


class Thread(Model):
    id: str
    user: str
    name: str
    created: float
    updated: float
    base: str = Field(default="", description="the knowledge base it is about; '' for one kept before that was noted")
    pinned: bool = False


class Item(Model):
    """One entry of a conversation: a message from the user, a run, a note of the chat, or a reply."""

    id: str
    kind: ItemKind
    body: str = Field(description="the person's words, a run's id, or a note's JSON")
    created: float


class KeptReply(Model):
    """A stored reply. ``run`` is the run whose report its markers belong to, or ''.

    ``asks``: the reply asks the user what was meant.
    """

    run: str = ""
    language: str = "en"
    markdown: str
    asks: bool = False


class Visit(Model):
    """When a user was last here, and the documents held then: 'collection/file' -> id."""

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
    server: str = Field(default="", description="the server that works on it, or did last")
    pinned: bool = False
    follows: str = Field(default="", description="name of the conversation, unless it begins with this run")


RUNS = """select r.id, r.thread, r.user, r.query, r.request, r.status, r.created, r.updated, r.server,
    coalesce(t.pinned, 0) as pinned, case
        when exists (select 1 from runs f where f.thread = r.thread and f.created < r.created) then t.name else ''
    end as follows
    from runs r left join threads t on t.id = r.thread"""
TEXT = """t.name || char(10)
    || coalesce((select group_concat(body, char(10)) from items where thread = t.id and kind = 'user'), '') || char(10)
    || coalesce((select group_concat(report, char(10)) from runs where thread = t.id), '')"""
"""The searched text of a conversation: its name, the questions and the reports."""


class History:
    """The conversations about one knowledge base. Raises ``RabbitholeError`` with one sentence if the disk fails.

    ``base`` names the knowledge base, ``server`` this server process; either may be '' if it does not matter.
    """

    def __init__(self, path: Path, base: str = "", server: str = "") -> None:
        self._path, self._base, self._server = path, base, server
        self._lock = threading.Lock()
        with self._guarded():
            self._db = opened(path)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise RabbitholeError(
                f"The chat's record {self._path} cannot be written ({error}): free disk space or fix its permissions."
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._guarded():
            yield self._db

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
        """Create a conversation, unless it already exists."""
        now = time.time()
        self._run(
            "insert or ignore into threads (id, user, name, created, updated, base) values (?,?,?,?,?,?)",
            thread, user, name[:200], now, now, self._base,
        )  # fmt: skip

    def pin(self, thread: str, pinned: bool) -> None:
        self._run("update threads set pinned = ? where id = ?", pinned, thread)

    def rename(self, thread: str, name: str) -> None:
        self._run("update threads set name = ? where id = ?", name[:200], thread)

    def thread(self, thread: str) -> Thread | None:
        """Return the conversation if it is about this knowledge base."""
        rows = self._rows("select * from threads where id = ? and base in ('', ?)", thread, self._base)
        return Thread(**rows[0]) if rows else None

    def threads(self, user: str, *, search: str = "", limit: int = 20, before: float | None = None) -> list[Thread]:
        """Return the user's conversations that contain every word of ``search``, newest first.

        ``before`` continues a listing at that time.
        """
        words = search.casefold().split()
        rows = self._rows(
            f"select * from threads t where user = ? and base in ('', ?) and updated < ? "
            f"{' '.join(f'and holds({TEXT}, ?)' for _ in words)} order by updated desc limit ?",
            user, self._base, before if before is not None else time.time() + 1.0, *words, limit,
        )  # fmt: skip
        return [Thread(**row) for row in rows]

    def delete_thread(self, thread: str) -> None:
        """Delete a conversation and everything stored with it here."""
        with self._writing() as db:
            db.execute("begin")
            for table in ("events", "shares"):
                db.execute(f"delete from {table} where run in (select id from runs where thread = ?)", (thread,))
            for table, column in (("runs", "thread"), ("items", "thread"), ("threads", "id")):
                db.execute(f"delete from {table} where {column} = ?", (thread,))
            db.execute("commit")

    def add_item(self, thread: str, item: str, kind: ItemKind, body: str) -> None:
        """Append an item to a conversation, unless it already exists."""
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
            "insert or ignore into runs (id, thread, user, query, request, status, created, updated, server) "
            "values (?,?,?,?,?,'running',?,?,?)",
            run, thread, user, query, request, now, now, self._server,
        )  # fmt: skip

    def run(self, run: str) -> RunRow | None:
        rows = self._rows(f"{RUNS} where r.id = ?", run)
        return RunRow(**rows[0]) if rows else None

    def runs(self, user: str, limit: int = 50, *, search: str = "") -> list[RunRow]:
        """Return the user's runs on this knowledge base, first the pinned ones, then the newest.

        ``search`` limits them to conversations that contain all these words.
        """
        words = search.casefold().split()
        rows = self._rows(
            f"{RUNS} where r.user = ? and coalesce(t.base, '') in ('', ?) "
            f"{' '.join(f'and holds({TEXT}, ?)' for _ in words)} "
            "order by coalesce(t.pinned, 0) desc, r.updated desc limit ?",
            user, self._base, *words, limit,
        )  # fmt: skip
        return [RunRow(**row) for row in rows]

    def run_ids(self) -> set[str]:
        """Return the ids of all runs, of every user and knowledge base."""
        return {row["id"] for row in self._rows("select id from runs")}

    def runs_of_thread(self, thread: str) -> list[RunRow]:
        return [RunRow(**row) for row in self._rows(f"{RUNS} where r.thread = ? order by r.created", thread)]

    def set_status(self, run: str, status: str) -> None:
        """Set a run's status and make this server its owner."""
        self._run(
            "update runs set status = ?, updated = ?, server = ? where id = ?", status, time.time(), self._server, run
        )

    # --- shared reports --------------------------------------------------------------------------------------------
    def share(self, run: str, user: str) -> str:
        """Return the token of the link to a run's report, creating an unguessable one if there is none."""
        self._run("insert or ignore into shares values (?,?,?,?)", secrets.token_urlsafe(24), run, user, time.time())
        return self.share_of(run)

    def share_of(self, run: str) -> str:
        """Return the token, or '' if the report is not shared."""
        rows = self._rows("select token from shares where run = ?", run)
        return str(rows[0]["token"]) if rows else ""

    def unshare(self, run: str) -> None:
        self._run("delete from shares where run = ?", run)

    def shared(self, token: str) -> str:
        """Return the run of a token, or '' if there is none."""
        rows = self._rows("select run from shares where token = ?", token)
        return str(rows[0]["run"]) if rows else ""

    # --- events ----------------------------------------------------------------------------------------------------
    def append(self, run: str, first: int, events: Sequence[tuple[str, str]]) -> None:
        """Write events as numbers ``first``, ``first + 1``... in one transaction."""
        rows = [(run, first + index, name, data) for index, (name, data) in enumerate(events)]
        with self._writing() as db:
            db.execute("begin")
            db.executemany("insert or replace into events values (?,?,?,?)", rows)
            for _, _, name, data in rows:
                if name == "ReportReady":
                    text = "update runs set report = coalesce((select " + REPORT_TEXT + " from (select ? as data)), '')"
                    db.execute(f"{text} where id = ?", (data, run))
            db.execute("commit")

    def events(self, run: str) -> list[tuple[str, str]]:
        return [(row["name"], row["data"]) for row in self._rows(
            "select name, data from events where run = ? order by seq", run
        )]  # fmt: skip

    def event_count(self, run: str) -> int:
        return int(self._rows("select coalesce(max(seq), -1) + 1 as n from events where run = ?", run)[0]["n"])

    # --- a person's settings ---------------------------------------------------------------------------------------
    def preferences(self, user: str) -> dict[str, object]:
        """Return the user's settings for this knowledge base, or those stored before they were kept per base."""
        of = self._of(user)
        rows = self._rows("select data from preferences where user in (?, ?) order by user = ?", user, of, user)
        loaded: dict[str, object] = json.loads(rows[0]["data"]) if rows else {}
        return loaded

    def set_preferences(self, user: str, data: Mapping[str, object]) -> None:
        self._run("insert or replace into preferences values (?,?)", self._of(user), json.dumps(dict(data)))

    # --- visits ----------------------------------------------------------------------------------------------------
    def visit(self, user: str) -> Visit | None:
        rows = self._rows("select at, held from visits where user = ?", self._of(user))
        return Visit(at=rows[0]["at"], held=json.loads(rows[0]["held"])) if rows else None

    def set_visit(self, user: str, held: Mapping[str, str]) -> None:
        self._run("insert or replace into visits values (?,?,?)", self._of(user), time.time(), json.dumps(dict(held)))

    def _of(self, user: str) -> str:
        """Return the key of a user together with this knowledge base."""
        return f"{user}\n{self._base}" if self._base else user
