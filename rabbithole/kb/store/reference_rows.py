"""Resolved references as rows of the catalog: which passage refers to which place of which document.

The tables are made when the first graph is written, so that a catalog from before them opens as it is. A row is shown
only while both of its documents are visible: what was removed or replaced since leads nowhere.
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
"""Of these rows; one more when what they hold changes, so that they are made anew."""
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
"""What may be missing: a work of a kind, or a place in a document that is held."""


class ReferenceRow(NamedTuple):
    """One reference. ``source`` and ``target`` are ordinals of documents; ``passage`` (-1: between passages) and
    ``section`` positions in the source, ``target_section`` in the target; the place is the target's passages ``first``
    .. ``first + passages - 1``. ``lacks``: the kind of what is missing."""

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
    """A place one passage is tied to by references: passages ``first`` .. ``first + passages - 1`` of a document."""

    ordinal: int
    first: int
    passages: int


class ReferenceRows:
    """Reading is safe from several threads; writing takes the catalog's own transactions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._made = False

    @property
    def writable(self) -> bool:
        return not self._database.read_only

    @property
    def exist(self) -> bool:
        """Whether a graph was ever written."""
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
        """What the graph was made of; '' before the first."""
        query = "SELECT value FROM meta WHERE key = ?"
        row = self._database.connection.execute(query, (MARK,)).fetchone()
        return "" if row is None else str(row[0])

    def marks(self) -> dict[int, str]:
        """Ordinal of a document -> what its rows were made of."""
        return dict(self._database.connection.execute("SELECT document, mark FROM graph_documents").fetchall())

    def names(self) -> dict[str, frozenset[str]]:
        """Document id -> the names it went by when the graph was made."""
        found = self._database.connection.execute("SELECT document, names FROM graph_names").fetchall()
        return {document: frozenset(json.loads(names)) for document, names in found}

    def stale_sources(self) -> set[int]:
        """Documents that refer to one that was removed or replaced since."""
        query = (
            "SELECT DISTINCT r.source FROM resolved_references r LEFT JOIN documents d "
            f"ON d.ordinal = r.target AND d.state = {READY} WHERE r.target IS NOT NULL AND d.ordinal IS NULL"
        )
        return {source for (source,) in self._database.connection.execute(query)}

    def unsettled(self) -> list[tuple[int, str]]:
        """(source, name) of what led to no document."""
        query = "SELECT DISTINCT source, name FROM resolved_references WHERE target IS NULL AND name != ''"
        return self._database.connection.execute(query).fetchall()

    def write(self, mark: str, resolved: Iterable[tuple[Stored, Sequence[ReferenceRow]]]) -> None:
        """Replace the rows of these documents; those that were deleted meanwhile have none."""
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
        """All documents have their rows: say what they were made of."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM graph_names")
            connection.executemany(
                "INSERT INTO graph_names VALUES (?, ?)",
                [(document, json.dumps(sorted(own), ensure_ascii=False)) for document, own in names.items()],
            )
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MARK, mark))

    def of_collection(self, collection: str) -> list[ReferenceRow]:
        """All references in the documents of a collection, in reading order, documents by file."""
        if not self.exist:
            return []
        columns = ", ".join(f"r.{column}" for column in _COLUMNS.split(", "))
        query = (
            f"SELECT {columns} FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND d.collection = ? ORDER BY d.file, d.id, r.position"
        )
        return [ReferenceRow(*row) for row in self._database.connection.execute(query, (collection,))]

    def leading_to(self, target: int) -> list[ReferenceRow]:
        """References that lead to a document or a place in it, those of one document together in reading order."""
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
        """Section position (None: the whole document) -> how often it is referred to from other sections."""
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
        """Places a passage refers to, each once."""
        if not self.exist:
            return []
        query = (
            "SELECT DISTINCT r.target, r.first, r.passages FROM resolved_references r "
            f"JOIN documents d ON d.ordinal = r.target AND d.state = {READY} "
            "WHERE r.source = ? AND r.passage = ? AND r.passages > 0 LIMIT ?"
        )
        return [Tie(*row) for row in self._database.connection.execute(query, (ordinal, passage, most))]

    def naming(self, ordinal: int, passage: int, widest: int, most: int) -> list[Tie]:
        """Passages that refer to a place of at most ``widest`` passages which holds this one, each once."""
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
