"""Resolved references as rows of the catalog: which passage refers to which place of which document.

The tables are created when the first graph is written, so an older catalog needs no change. Documents that were removed
or replaced since then are left out of the answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from rabbithole.kb.models import ReferenceKind, ResolutionStatus

from .database import Database
from .rows import Stored
from .schema import READY

VERSION: Final = "1"
"""The version of these rows. Increase it when their content changes, so that they are made anew."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS graph_documents (
    document INTEGER PRIMARY KEY REFERENCES documents (ordinal) ON DELETE CASCADE,
    mark TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS graph_names (document TEXT PRIMARY KEY, names TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resolved_references (
    source INTEGER NOT NULL REFERENCES documents (ordinal) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    passage INTEGER NOT NULL,
    section INTEGER,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    status TEXT NOT NULL,
    name TEXT NOT NULL,
    lacks TEXT,
    target INTEGER,
    target_section INTEGER,
    first INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    PRIMARY KEY (source, position)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS resolved_references_target ON resolved_references (target, first);
CREATE INDEX IF NOT EXISTS resolved_references_passage ON resolved_references (source, passage);
"""
_COLUMNS: Final = (
    "source, position, passage, section, kind, text, status, name, lacks, target, target_section, first, passages"
)
MARK: Final = "graph_mark"
_TEXT: Final = 200
Lacking = Literal["law", "document", "literature", "section"]
"""What a reference lacks: a work of this kind, or a section of a document that is held."""


class ReferenceRow(NamedTuple):
    """One resolved reference.

    ``source`` and ``target`` are the ordinals of documents. ``passage`` (-1: between passages) and ``section`` are
    positions in the source, ``target_section`` is one in the target. The place is the target's passages ``first`` ..
    ``first + passages - 1``. ``lacks``: the kind of what is missing, or None.
    """

    source: int
    position: int
    passage: int
    section: int | None
    kind: ReferenceKind
    text: str
    status: ResolutionStatus
    name: str
    lacks: Lacking | None
    target: int | None
    target_section: int | None
    first: int
    passages: int


class Tie(NamedTuple):
    """A place that references connect with a passage: passages ``first`` .. ``first + passages - 1`` of a document."""

    ordinal: int
    first: int
    passages: int


class ReferenceRows:
    """The tables of resolved references. Several threads may read; writing uses the catalog's transactions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made = False

    @property
    def writable(self) -> bool:
        return not self._database.read_only

    @property
    def exist(self) -> bool:
        """Whether the tables exist."""
        if not self._made:
            query = "SELECT 1 FROM sqlite_master WHERE name = 'resolved_references_passage'"
            self._made = self._database.connection.execute(query).fetchone() is not None
        return self._made

    def create(self) -> None:
        if not self.exist:
            with self._database.transaction() as connection:
                for statement in _TABLES.split(";"):
                    connection.execute(statement)

    def mark(self) -> str:
        """Return the mark of what the graph was made from; '' before the first graph."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = self._database.connection.execute(query, (MARK,)).fetchone()
        return "" if row is None else str(row[0])

    def marks(self) -> dict[int, str]:
        """Return ordinal of a document -> mark of what its rows were made from."""
        return dict(self._database.connection.execute("SELECT document, mark FROM graph_documents").fetchall())

    def names(self) -> dict[str, frozenset[str]]:
        """Return document id -> the names the document had when the graph was made."""
        found = self._database.connection.execute("SELECT document, names FROM graph_names").fetchall()
        return {document: frozenset(json.loads(names)) for document, names in found}

    def stale_sources(self) -> set[int]:
        """Return the ordinals of documents that refer to a document that was removed or replaced since."""
        query = (
            "SELECT DISTINCT r.source FROM resolved_references r LEFT JOIN documents d "
            f"ON d.ordinal = r.target AND d.state = {READY} WHERE r.target IS NOT NULL AND d.ordinal IS NULL"
        )
        return {source for (source,) in self._database.connection.execute(query)}

    def unsettled(self) -> list[tuple[int, str]]:
        """Return (ordinal of the source, name cited) of the references that led to no document."""
        query = "SELECT DISTINCT source, name FROM resolved_references WHERE target IS NULL AND name != ''"
        return self._database.connection.execute(query).fetchall()

    def write(self, mark: str, resolved: Iterable[tuple[Stored, Sequence[ReferenceRow]]]) -> None:
        """Replace the rows and marks of these documents, except those that were deleted in the meantime."""
        marks = ",".join("?" * len(ReferenceRow._fields))
        with self._database.transaction() as connection:
            for entry, found in resolved:
                held = connection.execute("SELECT 1 FROM documents WHERE ordinal = ?", (entry.ordinal,)).fetchone()
                if held is None:
                    continue
                connection.execute("DELETE FROM resolved_references WHERE source = ?", (entry.ordinal,))
                connection.execute("INSERT OR REPLACE INTO graph_documents VALUES (?, ?)", (entry.ordinal, mark))
                connection.executemany(
                    f"INSERT INTO resolved_references ({_COLUMNS}) VALUES ({marks})",
                    [row._replace(text=" ".join(row.text.split())[:_TEXT]) for row in found],
                )

    def finish(self, mark: str, names: Mapping[str, Iterable[str]]) -> None:
        """Record what the complete graph was made from: its mark, and the names by document id."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM graph_names")
            connection.executemany(
                "INSERT INTO graph_names VALUES (?, ?)",
                [(document, json.dumps(sorted(own), ensure_ascii=False)) for document, own in names.items()],
            )
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARK, mark))

    def of_collection(self, collection: str) -> list[ReferenceRow]:
        """Return all references in the documents of a collection, by file and in reading order."""
        if not self.exist:
            return []
        columns = ", ".join(f"r.{column}" for column in _COLUMNS.split(", "))
        query = (
            f"SELECT {columns} FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND d.collection = ? ORDER BY d.file, d.id, r.position"
        )
        return [ReferenceRow(*row) for row in self._database.connection.execute(query, (collection,))]

    def leading_to(self, target: int) -> list[ReferenceRow]:
        """Return the references resolved to a document or a place in it, by source and in reading order."""
        if not self.exist:
            return []
        columns = ", ".join(f"r.{column}" for column in _COLUMNS.split(", "))
        query = (
            f"SELECT {columns} FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND r.target = ? AND r.status = 'resolved' "
            "ORDER BY d.collection, d.file, r.position"
        )
        return [ReferenceRow(*row) for row in self._database.connection.execute(query, (target,))]

    def times_cited(self, target: int) -> dict[int | None, int]:
        """Return section position (None: the whole document) -> number of references to it from elsewhere."""
        if not self.exist:
            return {}
        query = (
            "SELECT r.target_section, count(*) FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND r.target = ? AND r.status = 'resolved' "
            "AND (r.source != r.target OR r.section IS NOT r.target_section) "
            "GROUP BY r.target_section"
        )
        return dict(self._database.connection.execute(query, (target,)).fetchall())

    def named_by(self, ordinal: int, passage: int, most: int) -> list[Tie]:
        """Return at most ``most`` places that a passage refers to, each once."""
        if not self.exist:
            return []
        query = (
            "SELECT DISTINCT r.target, r.first, r.passages FROM resolved_references r "
            f"JOIN documents d ON d.ordinal = r.target AND d.state = {READY} "
            "WHERE r.source = ? AND r.passage = ? AND r.passages > 0 LIMIT ?"
        )
        return [Tie(*row) for row in self._database.connection.execute(query, (ordinal, passage, most))]

    def naming(self, ordinal: int, passage: int, widest: int, most: int) -> list[Tie]:
        """Return at most ``most`` passages that cite a place with this one of up to ``widest`` passages, each once."""
        if not self.exist:
            return []
        query = (
            "SELECT DISTINCT r.source, r.passage, 1 FROM resolved_references r "
            f"JOIN documents d ON d.ordinal = r.source AND d.state = {READY} "
            "WHERE r.target = ? AND r.first BETWEEN ? AND ? AND r.first + r.passages > ? AND r.passages <= ? "
            "AND r.passage >= 0 LIMIT ?"
        )
        arguments = (ordinal, passage - widest + 1, passage, passage, widest, most)
        return [Tie(*row) for row in self._database.connection.execute(query, arguments)]
