"""All rows of a document, as one catalog gives them to another; both have the same tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rabbithole.kb.store.catalog import TableRows
from rabbithole.kb.store.engine import Queries, Transaction

from .schema import PENDING

_DOCUMENT: Final = {
    "documents": "ordinal",
    "texts": "document",
    "sections": "document",
    "chunks": "document",
    "mentions": "document",
    "bibliography": "document",
    "fields": "document",
}
"""Each table, and its column with the number of the document; a table comes after those it refers to."""
_GRAPH: Final = {"graph_documents": "document", "resolved_references": "source"}


def rows_of(queries: Queries, ordinal: int, *, graph: bool) -> TableRows:
    """Return the rows of a document in every table; ``graph``: also in the tables of resolved references."""
    tables = _DOCUMENT | (_GRAPH if graph else {})
    return {
        table: queries.rows(f"SELECT * FROM {table} WHERE {column} = ?", (ordinal,)) for table, column in tables.items()
    }


def insert_rows(transaction: Transaction, documents: Iterable[TableRows]) -> None:
    """Insert documents with the numbers they have, and make them invisible."""
    for rows in documents:
        for table, found in rows.items():
            if found:
                marks = ",".join("?" * len(found[0]))
                transaction.run_many(f"INSERT INTO {table} VALUES ({marks})", found)
        transaction.run_many(
            f"UPDATE documents SET state = {PENDING} WHERE ordinal = ?", [(row[0],) for row in rows["documents"]]
        )
