"""Change the catalog by SQL. A document is written invisibly first; a later transaction makes it visible."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.models import Scalar
from rabbithole.kb.store.catalog import Pending, TableRows
from rabbithole.kb.store.engine import Lock, NameTables, Tables, Transaction
from rabbithole.kb.store.records import FileState, IndexedDocument

from .catalog_reading import CatalogReading
from .copied_rows import insert_rows
from .document_rows import insert
from .schema import GONE, PENDING, READY

_LAST_CHANGED = 1000
"""The number of documents changed in place that are remembered. A reader that missed more checks all."""
_SET_META = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class SqlCatalog(CatalogReading):
    """The catalog on a database engine; see ``store.catalog.Catalog``."""

    @property
    def read_only(self) -> bool:
        return self.engine.read_only

    @property
    def lock(self) -> Lock:
        return self.engine.lock

    def names(self, tables: Tables) -> NameTables:
        return self.engine.names(tables)

    def stage(self, documents: Sequence[IndexedDocument]) -> list[Pending]:
        with self.engine.transaction() as transaction:
            ((next_row,),) = transaction.rows("SELECT value FROM meta WHERE key = 'next_row'")
            row = int(next_row)
            pending: list[Pending] = []
            for indexed in documents:
                ordinal = insert(transaction, indexed, row)
                pending.append(Pending(ordinal=ordinal, first_row=row, chunk_count=len(indexed.chunks)))
                row += len(indexed.chunks)
            transaction.run("UPDATE meta SET value = ? WHERE key = 'next_row'", (str(row),))
        return pending

    def publish(
        self,
        ready: Iterable[int] = (),
        gone: Iterable[int] = (),
        files: Iterable[FileState] = (),
        forgotten: Iterable[tuple[str, str]] = (),
    ) -> None:
        shown = [(ordinal,) for ordinal in ready]
        with self.engine.transaction() as transaction:
            transaction.run_many(f"UPDATE documents SET state = {GONE} WHERE ordinal = ?", [(o,) for o in gone])
            for ordinal in shown:
                _require_waiting(transaction, ordinal)
            transaction.run_many(f"UPDATE documents SET state = {READY} WHERE ordinal = ?", shown)
            transaction.run_many("DELETE FROM files WHERE collection = ? AND file = ?", list(forgotten))
            transaction.run_many(
                "INSERT INTO files VALUES (?, ?, ?) "
                "ON CONFLICT (collection, file) DO UPDATE SET record = excluded.record",
                [(state.collection, state.file, state.model_dump_json()) for state in files],
            )
            _next_generation(transaction)

    def stage_rows(self, documents: Sequence[TableRows]) -> None:
        if any("graph_documents" in rows for rows in documents):
            self.resolved.create()
        with self.engine.transaction() as transaction:
            insert_rows(transaction, documents)
            self.engine.continue_ordinals(transaction)

    def leftovers(self) -> list[Pending]:
        found = self.engine.rows(
            f"SELECT ordinal, first_row, chunk_count FROM documents WHERE state IN ({PENDING}, {GONE}) ORDER BY ordinal"
        )
        return [Pending(ordinal=ordinal, first_row=first, chunk_count=count) for ordinal, first, count in found]

    def forget(self, ordinals: Iterable[int]) -> None:
        with self.engine.transaction() as transaction:
            transaction.run_many("DELETE FROM documents WHERE ordinal = ?", [(o,) for o in ordinals])

    def rename(self, document_id: str, file: str, path: str) -> None:
        with self.engine.transaction() as transaction:
            transaction.run(
                f"UPDATE documents SET file = ?, path = ? WHERE id = ? AND state = {READY}", (file, path, document_id)
            )
            _in_place(transaction, document_id)
            _next_generation(transaction)

    def correct(self, document_id: str, title: str, metadata: Mapping[str, Scalar]) -> None:
        with self.engine.transaction() as transaction:
            found = transaction.rows(f"SELECT ordinal FROM documents WHERE id = ? AND state = {READY}", (document_id,))
            if not found:
                return
            ((ordinal,),) = found
            transaction.run(
                "UPDATE documents SET title = ?, metadata = ? WHERE ordinal = ?",
                (title, json.dumps(dict(metadata), ensure_ascii=False), ordinal),
            )
            transaction.run("DELETE FROM fields WHERE document = ?", (ordinal,))
            transaction.run_many(
                "INSERT INTO fields VALUES (?,?,?)",
                [(name, ordinal, json.dumps(value, ensure_ascii=False)) for name, value in metadata.items()],
            )
            _in_place(transaction, document_id)
            _next_generation(transaction)

    def set_meta(self, values: Mapping[str, str]) -> None:
        with self.engine.transaction() as transaction:
            transaction.run_many(_SET_META, list(values.items()))

    def switch(self, values: Mapping[str, str]) -> None:
        with self.engine.transaction() as transaction:
            transaction.run_many(_SET_META, list(values.items()))
            _next_generation(transaction)

    def damage(self) -> str:
        return self.engine.damage()

    def checkpoint(self) -> None:
        self.engine.checkpoint()


def _require_waiting(transaction: Transaction, ordinal: tuple[int]) -> None:
    """Raise KnowledgeBaseError if a document cannot be made visible, because another process was faster."""
    query = (
        "SELECT new.file, (SELECT count(*) FROM documents d WHERE d.id = new.id AND d.state = "
        f"{READY} AND d.ordinal != new.ordinal) FROM documents new WHERE new.ordinal = ?"
    )
    found = transaction.rows(query, ordinal)
    if not found:
        raise KnowledgeBaseError(
            "A document that was being stored has been removed by another process: run the same command again."
        )
    ((file, others),) = found
    if others:
        raise KnowledgeBaseError(
            f"{file} was stored by another process in the meantime, and its version was kept: run the same command "
            "again to replace it."
        )


def _next_generation(transaction: Transaction) -> None:
    transaction.run("UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'generation'")


def _in_place(transaction: Transaction, document_id: str) -> None:
    """Record that a document changed in place, for readers that cache something about it."""
    found = transaction.rows("SELECT value FROM meta WHERE key = 'changed'")
    count, _, listed = str(found[0][0] if found else "0:").partition(":")
    last = [*(each for each in listed.split(",") if each), document_id][-_LAST_CHANGED:]
    transaction.run(_SET_META, ("changed", f"{int(count) + 1}:{','.join(last)}"))
