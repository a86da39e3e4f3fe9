"""Change the catalog. A document is written invisibly first; a later transaction makes it visible."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from rabbithole.kb.models import Model, Scalar

from . import rows
from .database import Database
from .records import FileState, IndexedDocument
from .schema import GONE, PENDING, READY

_LAST_CHANGED = 1000
"""The number of documents changed in place that are remembered. A reader that missed more checks all."""


class Pending(Model):
    """An invisible document of the catalog, and the rows of its chunks in the indexes."""

    ordinal: int
    first_row: int
    chunk_count: int


def stage(database: Database, documents: Sequence[IndexedDocument]) -> list[Pending]:
    """Write documents invisibly, and assign them consecutive rows that were never used before."""
    with database.transaction() as connection:
        (next_row,) = connection.execute("SELECT value FROM meta WHERE key = 'next_row'").fetchone()
        row = int(next_row)
        pending: list[Pending] = []
        for indexed in documents:
            ordinal = _insert(connection, indexed, row)
            pending.append(Pending(ordinal=ordinal, first_row=row, chunk_count=len(indexed.chunks)))
            row += len(indexed.chunks)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'next_row'", (str(row),))
    return pending


def publish(
    database: Database,
    ready: Iterable[int] = (),
    gone: Iterable[int] = (),
    files: Iterable[FileState] = (),
    forgotten: Iterable[tuple[str, str]] = (),
) -> None:
    """Make documents visible (``ready``) or invisible (``gone``), by ordinal, in one transaction.

    It also records ``files`` and removes the records of ``forgotten`` files (collection, file).
    """
    with database.transaction() as connection:
        connection.executemany(f"UPDATE documents SET state = {GONE} WHERE ordinal = ?", [(o,) for o in gone])
        connection.executemany(f"UPDATE documents SET state = {READY} WHERE ordinal = ?", [(o,) for o in ready])
        connection.executemany("DELETE FROM files WHERE collection = ? AND file = ?", list(forgotten))
        connection.executemany(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?)",
            [(state.collection, state.file, state.model_dump_json()) for state in files],
        )
        _next_generation(connection)


def forget(database: Database, ordinals: Iterable[int]) -> None:
    """Delete documents by ordinal, once no index holds them."""
    with database.transaction() as connection:
        connection.executemany("DELETE FROM documents WHERE ordinal = ?", [(o,) for o in ordinals])


def rename(database: Database, document_id: str, file: str, path: str) -> None:
    """Record that a file was moved or renamed; its content is not indexed again."""
    with database.transaction() as connection:
        connection.execute(
            f"UPDATE documents SET file = ?, path = ? WHERE id = ? AND state = {READY}", (file, path, document_id)
        )
        _in_place(connection, document_id)
        _next_generation(connection)


def correct(database: Database, document_id: str, title: str, metadata: Mapping[str, Scalar]) -> None:
    """Change a document's title and metadata. The indexes keep the old words."""
    with database.transaction() as connection:
        row = connection.execute(
            f"SELECT ordinal FROM documents WHERE id = ? AND state = {READY}", (document_id,)
        ).fetchone()
        if row is None:
            return
        connection.execute(
            "UPDATE documents SET title = ?, metadata = ? WHERE ordinal = ?",
            (title, json.dumps(dict(metadata), ensure_ascii=False), row[0]),
        )
        connection.execute("DELETE FROM fields WHERE document = ?", (row[0],))
        connection.executemany(
            "INSERT INTO fields VALUES (?,?,?)",
            [(name, row[0], json.dumps(value, ensure_ascii=False)) for name, value in metadata.items()],
        )
        _in_place(connection, document_id)
        _next_generation(connection)


def _in_place(connection: sqlite3.Connection, document_id: str) -> None:
    """Record that a document changed in place, for readers that cache something about it."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'changed'").fetchone()
    count, _, listed = str(row[0] if row else "0:").partition(":")
    last = [*(each for each in listed.split(",") if each), document_id][-_LAST_CHANGED:]
    value = f"{int(count) + 1}:{','.join(last)}"
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('changed', ?)", (value,))


def leftovers(database: Database) -> list[Pending]:
    """Return the documents of an interrupted change, pending or deleted, which may still be in an index."""
    found = database.connection.execute(
        f"SELECT ordinal, first_row, chunk_count FROM documents WHERE state IN ({PENDING}, {GONE}) ORDER BY ordinal"
    )
    return [Pending(ordinal=ordinal, first_row=first, chunk_count=count) for ordinal, first, count in found]


def set_meta(database: Database, values: dict[str, str]) -> None:
    with database.transaction() as connection:
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))


def switch(database: Database, values: dict[str, str]) -> None:
    """Set values of the catalog and begin a new generation, so that readers notice."""
    with database.transaction() as connection:
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(values.items()))
        _next_generation(connection)


def _next_generation(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")


def _insert(connection: sqlite3.Connection, indexed: IndexedDocument, first_row: int) -> int:
    document = indexed.document
    ordinal = connection.execute(
        "INSERT INTO documents (id, state, collection, file, path, title, synonyms, language, pages, metadata, "
        "outline_source, first_row, chunk_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            document.id,
            PENDING,
            document.collection,
            document.file,
            document.path,
            document.title,
            json.dumps(document.synonyms, ensure_ascii=False),
            document.language,
            document.pages,
            json.dumps(dict(document.metadata), ensure_ascii=False),
            indexed.outline_source,
            first_row,
            len(indexed.chunks),
        ),
    ).lastrowid
    assert ordinal is not None, "SQLite returns the key of an inserted row"
    starts, labels = json.dumps(indexed.page_starts), json.dumps(indexed.page_labels, ensure_ascii=False)
    connection.execute("INSERT INTO texts VALUES (?, ?, ?, ?)", (ordinal, indexed.text, starts, labels))
    connection.executemany(
        f"INSERT INTO sections (document, {rows.SECTION_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                ordinal,
                section.index,
                None if section.parent is None else _position(section.parent, "s"),
                section.level,
                section.number,
                section.heading,
                section.start,
                section.own_end,
                section.end,
                section.page,
                section.last_page,
                section.page_label,
            )
            for section in indexed.sections
        ],
    )
    connection.executemany(
        f"INSERT INTO chunks (document, {rows.CHUNK_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)",
        [
            (
                ordinal,
                position,
                _position(chunk.section, "s"),
                json.dumps(chunk.section_path, ensure_ascii=False),
                chunk.page,
                chunk.page_label,
                chunk.start,
                chunk.end,
            )
            for position, chunk in enumerate(indexed.chunks)
        ],
    )
    mentions = sorted((*indexed.references, *indexed.links), key=lambda mention: (mention.start, mention.end))
    connection.executemany(
        "INSERT INTO mentions VALUES (?,?,?,?,?,?)",
        [
            (ordinal, n, m.start, m.end, m.method == "link", m.model_dump_json(exclude_defaults=True))
            for n, m in enumerate(mentions)
        ],
    )
    connection.executemany(
        "INSERT INTO bibliography VALUES (?,?,?)",
        [(ordinal, n, entry.model_dump_json(exclude_defaults=True)) for n, entry in enumerate(indexed.bibliography)],
    )
    connection.executemany(
        "INSERT INTO fields VALUES (?,?,?)",
        [(name, ordinal, json.dumps(value, ensure_ascii=False)) for name, value in document.metadata.items()],
    )
    return ordinal


def _position(identifier: str, kind: str) -> int:
    parts = rows.split_id(identifier, kind)
    assert parts is not None, "IndexedDocument checks its ids"
    return parts[1]
