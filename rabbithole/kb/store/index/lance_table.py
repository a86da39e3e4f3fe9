"""The table of an index in LanceDB: its columns, its owner and what LanceDB's errors mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import lancedb
import pyarrow as pa
from lancedb.index import FTS, BTree, IvfRq

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.ports import DocumentChunks
from rabbithole.kb.store.vectors.matrix import Float32

from .index_terms import LANGUAGES, fields_of, grams, pairs, words

FORMAT: Final = "1"
"""The format of the table, recorded in it. Increase it when columns or words change."""
WORDS: Final = (*LANGUAGES, "pairs", "grams")
"""The columns of words, separated by spaces."""
INDEXED_FROM: Final = 20_000
"""With fewer chunks all vectors are compared, which takes a few milliseconds."""
_FRESH: Final = timedelta(seconds=10)
"""A reader looks this often for what others wrote, besides when the catalog tells it to."""
_KEPT: Final = timedelta(hours=1)
"""How long versions of the table are kept for readers that still use them."""
_META: Final = "rabbithole."


@dataclass(frozen=True)
class Owner:
    """What a table was made for: the knowledge base (its catalog's id), the embedding model, and the format."""

    base: str
    model: str
    format: str = FORMAT


class LanceTable:
    """One table, opened at its first use; LanceDB's errors become one sentence."""

    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self._name = name
        self._opened: Any = None

    def close(self) -> None:
        self._opened = None

    def latest(self) -> None:
        """See what others have written."""
        if (opened := self._opened) is not None:
            with self._answering():
                opened.checkout_latest()

    @contextmanager
    def reading(self, owner: Owner) -> Iterator[Any]:
        """Yield the table. Raises KnowledgeBaseError if there is none, or if it was made for another owner."""
        with self._answering():
            if (found := self._opened) is None:
                found = self._open(self._connect())
                if found is None:
                    raise KnowledgeBaseError(
                        f"There is no index in {self.address}: make it with `rabbithole kb repair`."
                    )
                self._check(found, owner)
                self._opened = found
            yield found

    @contextmanager
    def writing(self, owner: Owner, dimension: int) -> Iterator[Any]:
        """Yield the table, made if there is none."""
        with self._answering():
            if (found := self._opened) is None:
                connection = self._connect()
                found = self._open(connection)
                if found is None:
                    found = connection.create_table(self._name, schema=_schema(owner, dimension))
                self._check(found, owner)
                self._opened = found
            yield found

    def exists(self) -> bool:
        """Return whether there is a table."""
        with self._answering():
            return self._opened is not None or self._open(self._connect()) is not None

    def drop(self, base: str) -> None:
        """Delete the table. Raises KnowledgeBaseError if it belongs to another knowledge base."""
        with self._answering():
            connection = self._connect()
            found = self._open(connection)
            if found is not None:
                if (owned := _owner(found)) is not None:
                    self._check_base(owned, base)
                connection.drop_table(self._name)
            self._opened = None
            if "://" not in self.address and (folder := Path(self.address)).is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def _connect(self) -> Any:
        return lancedb.connect(self.address, read_consistency_interval=_FRESH)

    def _open(self, connection: Any) -> Any:
        """Return the table, or None if there is none."""
        try:
            return connection.open_table(self._name)
        except (ValueError, FileNotFoundError, RuntimeError) as error:
            if "not found" in str(error).lower():
                return None
            raise

    def _check(self, table: Any, owner: Owner) -> None:
        found = _owner(table)
        if found is None or found.format != owner.format:
            raise KnowledgeBaseError(
                f"The index in {self.address} is laid out as by another version of Rabbithole (format "
                f"{found.format if found else 'unknown'}, this one reads {owner.format}): make it anew with "
                "`rabbithole kb rebuild`."
            )
        self._check_base(found, owner.base)
        if found.model != owner.model:
            raise KnowledgeBaseError(
                f"The index in {self.address} holds vectors of the embedding model {found.model!r}, the knowledge base "
                f"uses {owner.model!r}: make it anew with `rabbithole kb rebuild`."
            )

    def _check_base(self, found: Owner, base: str) -> None:
        if found.base != base:
            raise KnowledgeBaseError(
                f"The index in {self.address} belongs to another knowledge base: name another place in "
                "RABBITHOLE_INDEX."
            )

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except KnowledgeBaseError:
            raise
        except (RuntimeError, OSError, ValueError, pa.ArrowException) as error:
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise KnowledgeBaseError(f"The index in {self.address} cannot be used: {reason}.") from error


def rows_of(documents: Sequence[DocumentChunks], vectors: Float32, schema: pa.Schema) -> pa.Table:
    """Return the rows of documents; ``vectors`` has one row for each of their chunks, in order."""
    columns: dict[str, list[Any]] = {name: [] for name in ("document", "position", *WORDS)}
    for one in documents:
        languages = fields_of((one.document.language,))
        for position, text in enumerate(one.texts):
            columns["document"].append(one.ordinal)
            columns["position"].append(position)
            for language in LANGUAGES:
                columns[language].append(" ".join(words(text, language)) if language in languages else "")
            columns["pairs"].append(" ".join(pairs(text)))
            columns["grams"].append(" ".join(grams(text)) if "de" in languages else "")
    values = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
    return pa.table([*columns.values(), values], schema=schema)


def index_words(table: Any) -> None:
    """Make the indexes that a search by words needs, where they are missing."""
    for column in _missing(table, WORDS):
        table.create_index(
            column,
            config=FTS(
                base_tokenizer="whitespace",  # the words are made by ``index_terms``
                stem=False,
                remove_stop_words=False,
                lower_case=False,
                ascii_folding=False,
                max_token_length=None,
            ),
        )


def optimise(table: Any, vectors_from: int) -> None:
    """Merge files, bring all indexes up to date, and index vectors once there are enough chunks."""
    index_words(table)
    for column in _missing(table, ("document",)):
        table.create_index(column, config=BTree())
    if table.count_rows() >= vectors_from:
        for column in _missing(table, ("vector",)):
            table.create_index(column, config=IvfRq(distance_type="cosine"))
    table.optimize(cleanup_older_than=_KEPT)


def _missing(table: Any, columns: Sequence[str]) -> list[str]:
    there = {column for index in table.list_indices() for column in index.columns}
    return [column for column in columns if column not in there]


def _schema(owner: Owner, dimension: int) -> pa.Schema:
    return pa.schema(
        [
            pa.field("document", pa.int64()),
            pa.field("position", pa.int32()),
            *(pa.field(column, pa.utf8()) for column in WORDS),
            pa.field("vector", pa.list_(pa.float32(), dimension)),
        ],
        metadata={f"{_META}{name}": value for name, value in vars(owner).items()},
    )


def _owner(table: Any) -> Owner | None:
    """Return what a table was made for; None if it is not one of ours."""
    recorded = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    try:
        return Owner(*(recorded[f"{_META}{name}"] for name in ("base", "model", "format")))
    except KeyError:
        return None
