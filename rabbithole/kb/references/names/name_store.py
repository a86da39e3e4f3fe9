"""Names of documents by key in a SQLite file beside the catalog: looked up, never loaded whole.

The file is made from the catalog and the registry file and can be deleted at any time. A reader that may not write
keeps the same tables in memory.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .name_keys import NameKey, numbers, stem, words

_FORMAT = 3
_WORD = re.compile(r"[^\W_]+")
_BLOCK = 4
"""Letters by which names that may differ by a typing error are found: those at the beginning and at the end."""
_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (id TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, collection TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX documents_ordinal ON documents (ordinal);
CREATE TABLE names (
    document TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, edition TEXT, counts INTEGER NOT NULL,
    anchor TEXT NOT NULL, PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX names_anchor ON names (anchor);
CREATE INDEX names_unproven ON names (name) WHERE counts = 0;
CREATE TABLE keys (
    key TEXT NOT NULL, document TEXT NOT NULL, position INTEGER NOT NULL, numbers TEXT NOT NULL,
    head TEXT NOT NULL, tail TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX keys_document ON keys (document);
CREATE INDEX keys_head ON keys (numbers, head);
CREATE INDEX keys_tail ON keys (numbers, tail);
CREATE TABLE designations (
    key TEXT NOT NULL, part TEXT NOT NULL, edition TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX designations_document ON designations (document);
CREATE TABLE generic (
    key TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX generic_document ON generic (document);
CREATE TABLE replaces (
    key TEXT NOT NULL, document TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX replaces_document ON replaces (document);
CREATE TABLE usage (
    name TEXT NOT NULL, document TEXT NOT NULL, cited INTEGER NOT NULL, seen INTEGER NOT NULL, example TEXT NOT NULL,
    PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX usage_document ON usage (document);
CREATE VIRTUAL TABLE parts USING fts5 (key, tokenize = "unicode61 remove_diacritics 0");
PRAGMA user_version = {_FORMAT};
"""
_OF_A_DOCUMENT = ("documents", "names", "keys", "designations", "generic", "replaces", "usage")


class Named(NamedTuple):
    """One document under one of its names. ``counts`` is False for a name that so far is only what it writes about."""

    document: str
    name: str
    edition: str | None
    counts: bool = True


class Designated(NamedTuple):
    document: str
    name: str
    part: str
    edition: str


class Entered(NamedTuple):
    """All names of one document as they are written to the store."""

    document: str
    ordinal: int
    collection: str
    names: Sequence[Named]
    keys: Sequence[tuple[NameKey, int]]
    """Key and the position of its name."""
    designations: Sequence[tuple[str, Designated]] = ()
    generic: Sequence[tuple[str, str]] = ()
    replaces: Sequence[tuple[str, str]] = ()


class NameStore:
    """Safe from several threads: one connection, one call at a time; each call is one or two look-ups by index."""

    def __init__(self, path: Path | None = None) -> None:
        self._guard = threading.RLock()
        self._connection = self._open(path)

    def _open(self, path: Path | None) -> sqlite3.Connection:
        place = str(path) if path is not None else ":memory:"
        connection = sqlite3.connect(place, check_same_thread=False, timeout=30.0, isolation_level=None)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, _FORMAT) and path is not None:
            connection.close()
            path.unlink()
            return self._open(path)
        connection.execute("PRAGMA synchronous = OFF")  # made anew from the catalog if it is lost
        if version == 0:
            connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
        return connection

    def close(self) -> None:
        with self._guard:
            self._connection.close()

    def meta(self, key: str) -> str:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def last_ordinal(self) -> int:
        return int(self._rows("SELECT coalesce(max(ordinal), 0) FROM documents", ())[0][0])

    def ordinals(self) -> set[int]:
        return {ordinal for (ordinal,) in self._rows("SELECT ordinal FROM documents", ())}

    def count(self) -> int:
        return int(self._rows("SELECT count(*) FROM documents", ())[0][0])

    def ids_of(self, ordinals: Iterable[int]) -> list[str]:
        return [
            str(identifier)
            for ordinal in ordinals
            for (identifier,) in self._rows("SELECT id FROM documents WHERE ordinal = ?", (ordinal,))
        ]

    def change(
        self, entered: Iterable[Entered], removed: Iterable[str] = (), meta: dict[str, str] | None = None
    ) -> None:
        """Write documents and remove others, all in one step."""
        with self._guard:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                for identifier in removed:
                    self._remove(identifier)
                for each in entered:
                    self._remove(each.document)
                    self._enter(each)
                self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list((meta or {}).items()))
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _remove(self, document: str) -> None:
        for table in _OF_A_DOCUMENT:
            column = "id" if table == "documents" else "document"
            self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (document,))

    def _enter(self, each: Entered) -> None:
        run = self._connection.executemany
        run("INSERT INTO documents VALUES (?, ?, ?)", [(each.document, each.ordinal, each.collection)])
        run(
            "INSERT INTO names VALUES (?, ?, ?, ?, ?, ?)",
            [
                (each.document, position, name.name, name.edition, int(name.counts), anchor_of(name.name))
                for position, name in enumerate(each.names)
            ],
        )
        known: list[str] = []
        for key, position in each.keys:
            joined = "".join(words(key))
            text = _text(key)
            self._connection.execute(
                "INSERT OR IGNORE INTO keys VALUES (?, ?, ?, ?, ?, ?)",
                (text, each.document, position, _text(numbers(key)), joined[:_BLOCK], joined[-_BLOCK:]),
            )
            known.append(text)
        run("INSERT INTO parts (key) VALUES (?)", [(text,) for text in known])
        run(
            "INSERT OR IGNORE INTO designations VALUES (?, ?, ?, ?, ?)",
            [(key, one.part, one.edition, one.document, one.name) for key, one in each.designations],
        )
        run(
            "INSERT OR IGNORE INTO generic VALUES (?, ?, ?)", [(key, each.document, name) for key, name in each.generic]
        )
        run(
            "INSERT OR IGNORE INTO replaces VALUES (?, ?, ?)",
            [(key, each.document, name) for key, name in each.replaces],
        )

    def named(self, key: NameKey) -> list[Named]:
        """Documents with a name of this key."""
        rows = self._rows(
            "SELECT k.document, n.name, n.edition, n.counts FROM keys k "
            "JOIN names n ON n.document = k.document AND n.position = k.position WHERE k.key = ? ORDER BY k.document",
            (_text(key),),
        )
        return [Named(document, name, edition, bool(counts)) for document, name, edition, counts in rows]

    def holds(self, key: NameKey) -> bool:
        return bool(self._rows("SELECT 1 FROM keys WHERE key = ? LIMIT 1", (_text(key),)))

    def alike(self, key: NameKey) -> list[NameKey]:
        """Keys with the same numbers that begin or end with the same letters: what a typing error may have changed."""
        joined = "".join(words(key))
        rows = self._rows(
            "SELECT key FROM keys WHERE numbers = ?1 AND head = ?2 UNION "
            "SELECT key FROM keys WHERE numbers = ?1 AND tail = ?3",
            (_text(numbers(key)), joined[:_BLOCK], joined[-_BLOCK:]),
        )
        return [_key(text) for (text,) in rows]

    def containing(self, key: NameKey) -> list[NameKey]:
        """Keys that hold all words of this one in their order, word by word."""
        phrase = " ".join(token for token in key if token.isalnum())
        if not phrase or len(phrase.split()) != len(key):
            return []
        rows = self._rows("SELECT DISTINCT key FROM parts WHERE parts MATCH ? LIMIT 200", (f'"{phrase}"',))
        return [found for (text,) in rows if (found := _key(text)) and self.holds(found)]

    def beginning(self, key: NameKey) -> list[NameKey]:
        """Keys of one token more than this one: other parts of a series."""
        text = _text(key)
        rows = self._rows("SELECT DISTINCT key FROM keys WHERE key > ? AND key < ? LIMIT 200", (f"{text} ", f"{text}!"))
        return [found for (each,) in rows if len(found := _key(each)) == len(key) + 1]

    def designated(self, key: str) -> list[Designated]:
        rows = self._rows(
            "SELECT document, name, part, edition FROM designations WHERE key = ? ORDER BY document", (key,)
        )
        return [Designated(*row) for row in rows]

    def designations_of(self, document: str) -> list[tuple[str, Designated]]:
        rows = self._rows("SELECT key, document, name, part, edition FROM designations WHERE document = ?", (document,))
        return [(key, Designated(*row)) for key, *row in rows]

    def generic(self, key: str) -> list[str]:
        """Documents whose kind, said alone, is called so ('Geschäftsordnung')."""
        return [document for (document,) in self._rows("SELECT document FROM generic WHERE key = ?", (key,))]

    def generic_names(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT DISTINCT name FROM generic", ())]

    def replacing(self, keys: Sequence[str]) -> list[tuple[str, str]]:
        """(document, name it says it replaces) for any of these keys."""
        found = [self._rows("SELECT document, name FROM replaces WHERE key = ?", (key,)) for key in keys]
        return [(document, name) for rows in found for document, name in rows]

    def names_of(self, document: str) -> list[Named]:
        rows = self._rows(
            "SELECT document, name, edition, counts FROM names WHERE document = ? ORDER BY position", (document,)
        )
        return [Named(held, name, edition, bool(counts)) for held, name, edition, counts in rows]

    def all_names(self) -> Iterator[Named]:
        for document, name, edition, counts in self._rows("SELECT document, name, edition, counts FROM names", ()):
            yield Named(document, name, edition, bool(counts))

    def anchored(self, anchors: Iterable[str]) -> list[Named]:
        """Names that have one of these words as their anchor: those that can stand in a text of these words."""
        found: list[Named] = []
        listed = sorted(anchors)
        for first in range(0, len(listed), 500):
            part = listed[first : first + 500]
            marks = ", ".join("?" * len(part))
            rows = self._rows(f"SELECT document, name, edition, counts FROM names WHERE anchor IN ({marks})", part)
            found += [Named(document, name, edition, bool(counts)) for document, name, edition, counts in rows]
        return found

    def unproven(self) -> list[str]:
        """Names that count only once the collection cites them as documents."""
        return [name for (name,) in self._rows("SELECT DISTINCT name FROM names WHERE counts = 0", ())]

    def add_usage(self, rows: Iterable[tuple[str, str, int, int, str]]) -> None:
        """(name, document it was counted in, cited as a document, seen at all, one place)."""
        with self._guard:
            self._connection.executemany("INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?)", list(rows))

    def usage(self, name: str) -> tuple[int, int, str]:
        """How often a name is cited as a document, how often it is seen, and one place where it is cited."""
        rows = self._rows("SELECT sum(cited), sum(seen), max(example) FROM usage WHERE name = ?", (name,))
        cited, seen, example = rows[0]
        return int(cited or 0), int(seen or 0), str(example or "")

    def counted(self, name: str) -> set[str]:
        return {document for (document,) in self._rows("SELECT document FROM usage WHERE name = ?", (name,))}

    def _rows(self, query: str, values: Sequence[object]) -> list[Any]:
        with self._guard:
            return self._connection.execute(query, tuple(values)).fetchall()


def anchor_of(name: str) -> str:
    """The longest word of a name, without its ending: a text that has the name, inflected or not, has the word."""
    pieces = _WORD.findall(name.casefold())
    return stem(max(pieces, key=len)) if pieces else name.casefold()


def anchors_in(text: str) -> set[str]:
    """The words of a text as anchors of names."""
    return {stem(word) for word in set(_WORD.findall(text.casefold()))}


def _text(key: NameKey) -> str:
    return " ".join(key)


def _key(text: str) -> NameKey:
    return tuple(text.split(" ")) if text else ()
