"""The tables of the chat's history: open the database and bring it up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rabbithole.kb.files import private_file, private_folder
from rabbithole.kb.write_ahead import use_write_ahead_log

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
create table if not exists shares (
    token text primary key, run text not null unique, user text not null, created real not null);
"""
REPORT_TEXT = "json_extract(data, '$.report.markdown')"
ADDED = (
    ("threads", "base", "text not null default ''", ""),
    ("threads", "pinned", "integer not null default 0", ""),
    ("runs", "server", "text not null default ''", ""),
    (
        "runs",
        "report",
        "text not null default ''",
        f"update runs set report = coalesce((select {REPORT_TEXT} from events where run = runs.id and "
        "name = 'ReportReady' order by seq desc limit 1), '')",
    ),
)
"""Columns added by later versions: table, name, type, and how existing rows get their value."""


def opened(path: Path) -> sqlite3.Connection:
    """Open the database, create missing tables and columns, and return the connection. Raises sqlite3.Error."""
    private_folder(path.parent)
    private_file(path)
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
    db.row_factory = sqlite3.Row
    db.create_function("holds", 2, lambda text, word: word in text.casefold(), deterministic=True)
    use_write_ahead_log(db)
    db.execute("pragma synchronous=normal")
    db.executescript(SCHEMA)
    for table, name, kind, fill in ADDED:
        if name not in {row["name"] for row in db.execute(f"pragma table_info({table})")}:
            db.execute("begin immediate")
            if name not in {row["name"] for row in db.execute(f"pragma table_info({table})")}:
                db.execute(f"alter table {table} add column {name} {kind}")
                if fill:
                    db.execute(fill)
            db.execute("commit")
    return db
