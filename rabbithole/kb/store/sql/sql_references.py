"""Resolved references by SQL.

The tables are created when the first graph is written, so an older catalog needs no change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rabbithole.kb.store.engine import Engine
from rabbithole.kb.store.reference_rows import ReferenceRow, Tie
from rabbithole.kb.store.rows import Stored

from .schema import READY

TABLES: Final = """
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


class SqlReferences:
    """The tables of resolved references; see ``store.reference_rows.ReferenceRows``."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._made = False

    @property
    def writable(self) -> bool:
        return not self._engine.read_only

    @property
    def exist(self) -> bool:
        if not self._made:
            self._made = self._engine.has_table("resolved_references_passage")
        return self._made

    def create(self) -> None:
        if not self.exist:
            with self._engine.transaction() as transaction:
                for statement in TABLES.split(";"):
                    transaction.run(statement)

    def mark(self) -> str:
        query = "SELECT value FROM meta WHERE key = ?"
        found = self._engine.rows(query, (MARK,))
        return str(found[0][0]) if found else ""

    def marks(self) -> dict[int, str]:
        return dict(self._engine.rows("SELECT document, mark FROM graph_documents"))

    def names(self) -> dict[str, frozenset[str]]:
        found = self._engine.rows("SELECT document, names FROM graph_names")
        return {document: frozenset(json.loads(names)) for document, names in found}

    def stale_sources(self) -> set[int]:
        query = (
            "SELECT DISTINCT r.source FROM resolved_references r LEFT JOIN documents d "
            f"ON d.ordinal = r.target AND d.state = {READY} WHERE r.target IS NOT NULL AND d.ordinal IS NULL"
        )
        return {source for (source,) in self._engine.rows(query)}

    def unsettled(self) -> list[tuple[int, str]]:
        query = "SELECT DISTINCT source, name FROM resolved_references WHERE target IS NULL AND name != ''"
        return self._engine.rows(query)

    def write(self, mark: str, resolved: Iterable[tuple[Stored, Sequence[ReferenceRow]]]) -> None:
        marks = ",".join("?" * len(ReferenceRow._fields))
        with self._engine.transaction() as transaction:
            for entry, found in resolved:
                if not transaction.rows("SELECT 1 FROM documents WHERE ordinal = ?", (entry.ordinal,)):
                    continue
                transaction.run("DELETE FROM resolved_references WHERE source = ?", (entry.ordinal,))
                transaction.run(
                    "INSERT INTO graph_documents VALUES (?, ?) "
                    "ON CONFLICT (document) DO UPDATE SET mark = excluded.mark",
                    (entry.ordinal, mark),
                )
                transaction.run_many(
                    f"INSERT INTO resolved_references ({_COLUMNS}) VALUES ({marks})",
                    [row._replace(text=" ".join(row.text.split())[:_TEXT]) for row in found],
                )

    def finish(self, mark: str, names: Mapping[str, Iterable[str]]) -> None:
        with self._engine.transaction() as transaction:
            transaction.run("DELETE FROM graph_names")
            transaction.run_many(
                "INSERT INTO graph_names VALUES (?, ?)",
                [(document, json.dumps(sorted(own), ensure_ascii=False)) for document, own in names.items()],
            )
            transaction.run(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (MARK, mark)
            )

    def of_collection(self, collection: str) -> list[ReferenceRow]:
        return self._visible("d.collection = ?", collection, "d.file, d.id, r.position")

    def leading_to(self, target: int) -> list[ReferenceRow]:
        return self._visible("r.target = ? AND r.status = 'resolved'", target, "d.collection, d.file, r.position")

    def _visible(self, condition: str, value: object, order: str) -> list[ReferenceRow]:
        """Return the references of visible documents that meet a condition with one value."""
        if not self.exist:
            return []
        columns = ", ".join(f"r.{column}" for column in _COLUMNS.split(", "))
        query = (
            f"SELECT {columns} FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND {condition} ORDER BY {order}"
        )
        return [ReferenceRow(*row) for row in self._engine.rows(query, (value,))]

    def times_cited(self, target: int) -> dict[int | None, int]:
        if not self.exist:
            return {}
        query = (
            "SELECT r.target_section, count(*) FROM resolved_references r JOIN documents d ON d.ordinal = r.source "
            f"WHERE d.state = {READY} AND r.target = ? AND r.status = 'resolved' "
            "AND (r.source != r.target OR coalesce(r.section, -1) != coalesce(r.target_section, -1)) "
            "GROUP BY r.target_section"
        )
        return dict(self._engine.rows(query, (target,)))

    def named_by(self, ordinal: int, passage: int, most: int) -> list[Tie]:
        if not self.exist:
            return []
        query = (
            "SELECT DISTINCT r.target, r.first, r.passages FROM resolved_references r "
            f"JOIN documents d ON d.ordinal = r.target AND d.state = {READY} "
            "WHERE r.source = ? AND r.passage = ? AND r.passages > 0 LIMIT ?"
        )
        return [Tie(*row) for row in self._engine.rows(query, (ordinal, passage, most))]

    def naming(self, ordinal: int, passage: int, widest: int, most: int) -> list[Tie]:
        if not self.exist:
            return []
        query = (
            "SELECT DISTINCT r.source, r.passage, 1 FROM resolved_references r "
            f"JOIN documents d ON d.ordinal = r.source AND d.state = {READY} "
            "WHERE r.target = ? AND r.first BETWEEN ? AND ? AND r.first + r.passages > ? AND r.passages <= ? "
            "AND r.passage >= 0 LIMIT ?"
        )
        arguments = (ordinal, passage - widest + 1, passage, passage, widest, most)
        return [Tie(*row) for row in self._engine.rows(query, arguments)]
