"""The index in LanceDB: words, letters and vectors in one table, in a shared folder or in object storage.

Only ``index_choice`` imports it, and only if this index is used: LanceDB is installed by the extra ``cluster``. One
process writes; what a killed one has left behind is not in the catalog, so no scope holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from lancedb.query import BooleanQuery, MatchQuery, Occur
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError, ReplacedError
from rabbithole.kb.store.ports import ChunkKey, ChunkScope, DocumentChunks, Ordinals, Progress, Scored, Source
from rabbithole.kb.store.vectors.matrix import Float32

from .index_terms import MOST_GRAMMED, MOST_TERMS, fields_of, forms_of_word, grams, known, pairs, query_words, rarity
from .lance_table import INDEXED_FROM, LanceTable, Owner, index_words, optimise, rows_of

PROBES: Final = 40
REFINED: Final = 20
"""Partitions searched, and how many times the wanted number of vectors are compared exactly; see docs/storage.md."""
EXACT_LIMIT: Final = 1000
"""Up to this many chunks in scope, all vectors are compared."""
COUNTED: Final = 10_000
"""Up to this many matching chunks are counted."""
_RANGES: Final = 100
_FURTHER: Final = 4
_DOCUMENTS: Final = 32
_KEYS: Final = ["document", "position"]


class LanceIndex:
    """The index of one epoch. ``base`` returns the catalog's id; ``dimension`` is called when vectors are written.

    From ``vectors_indexed_from`` chunks on, vectors are searched by an index, else all are compared.
    """

    def __init__(
        self,
        address: str,
        epoch: int,
        base: Callable[[], str],
        model: str,
        dimension: Callable[[], int],
        *,
        vectors_indexed_from: int = INDEXED_FROM,
    ) -> None:
        self.probes, self.refined = PROBES, REFINED
        self._vectors_indexed_from = vectors_indexed_from
        self._table = LanceTable(address, f"chunks-{epoch}")
        self._base = base
        self._model = model
        self._dimension = dimension
        self._frequency = lru_cache(maxsize=4096)(self._count)

    def open(self) -> None:
        """Do nothing: the table is opened in milliseconds."""

    def reload(self) -> None:
        self._table.latest()
        self._frequency.cache_clear()

    def put(self, documents: Sequence[DocumentChunks], vectors: Float32) -> None:
        if not len(vectors):
            return
        with self._table.writing(self._owner(), self._dimension()) as table:
            rows = rows_of(documents, vectors, table.schema)
            merge = table.merge_insert(_KEYS).when_matched_update_all().when_not_matched_insert_all()
            merge.execute(rows)
            index_words(table)
        self._frequency.cache_clear()

    def remove(self, documents: Sequence[int]) -> None:
        if not documents:
            return
        with self._table.writing(self._owner(), self._dimension()) as table:
            table.delete(_among(documents))
        self._frequency.cache_clear()

    def keyword(self, query: str, scope: ChunkScope, limit: int, *, count: bool = True) -> tuple[Scored, int]:
        terms: list[tuple[str, str]] = []
        for language in fields_of(scope.within.languages if scope.within is not None else ()):
            terms += [(language, word) for word in dict.fromkeys(query_words(query, language))]
        terms += [("pairs", pair) for pair in dict.fromkeys(pairs(query))]
        found = self._worded(terms, scope, max(limit, COUNTED) if count else limit)
        return found[:limit], len(found) if count else 0

    def alike(self, query: str, scope: ChunkScope, limit: int) -> Scored:
        with self._table.reading(self._owner()) as table:
            if table.count_rows() > MOST_GRAMMED:
                return []
        return self._worded([("grams", gram) for gram in dict.fromkeys(grams(query))], scope, limit)

    def nearest(self, query: Float32, scope: ChunkScope, limit: int) -> Scored:
        condition = _condition(scope)
        with self._table.reading(self._owner()) as table:
            if scope.size <= EXACT_LIMIT:
                keys, vectors = _vectors(table, condition)
                inside = _holds(scope, *keys)
                cosines = np.einsum("ij,j->i", vectors[inside], query)
                return _scored(keys[0][inside], keys[1][inside], cosines, 6)[:limit]

            def ask(wanted: int) -> Any:
                search = table.search(query, vector_column_name="vector").distance_type("cosine")
                search = (
                    search.nprobes(self.probes).refine_factor(self.refined).limit(wanted).select([*_KEYS, "_distance"])
                )
                return (search.where(condition, prefilter=True) if condition else search).to_arrow()

            documents, positions, distances = _all_inside(ask, scope, limit, "_distance")
        return _scored(documents, positions, 1 - distances, 6)[:limit]

    def vectors(self, keys: Sequence[ChunkKey]) -> Float32:
        with self._table.reading(self._owner()) as table:
            (documents, positions), vectors = _vectors(table, _among({key.document for key in keys}))
        at = {pair: index for index, pair in enumerate(zip(documents.tolist(), positions.tolist(), strict=True))}
        try:
            return vectors[[at[key] for key in keys]]
        except KeyError as error:
            raise ReplacedError(
                f"The index in {self._table.address} does not hold all vectors: mend it with `rabbithole kb repair`."
            ) from error

    def rarity(self, stem: str, language: str) -> float:
        found, chunks = self._frequency(stem, known(language))
        return rarity(found, chunks)

    def chunks_with(self, word: str) -> int:
        return max((self._frequency(stem, language)[0] for language, stem in forms_of_word(word)), default=0)

    def near(self, word: str, language: str) -> Mapping[str, int]:
        return {}  # each of a thousand words would be a query of its own

    def optimise(self) -> None:
        """Merge small files, bring the indexes up to date and delete old versions of the table."""
        if self._table.exists():
            with self._table.reading(self._owner()) as table:
                optimise(table, self._vectors_indexed_from)

    def close(self) -> None:
        self._table.close()

    def sound(self, document: int, chunks: int) -> bool:
        with self._table.reading(self._owner()) as table:
            (_, positions), vectors = _vectors(table, _among([document]))
        return sorted(positions.tolist()) == list(range(chunks)) and bool(vectors.any(axis=1).all())

    def check(self, held: Mapping[int, int]) -> list[str]:
        if not held:
            return []
        try:
            wrong = self._wrong(held)
        except KnowledgeBaseError as error:
            return [str(error)]
        chunks = sum(held[document] for document in wrong)
        lost = f"The index in {self._table.address} does not hold {chunks} of {sum(held.values())} chunks as they are."
        return [lost] if wrong else []

    def repair(self, held: Mapping[int, int], source: Source, progress: Progress | None = None) -> None:
        wrong = self._wrong(held) if self._table.exists() else list(held)
        for start in range(0, len(wrong), _DOCUMENTS):
            together = wrong[start : start + _DOCUMENTS]
            self.remove(together)
            vectors = np.concatenate([source.vectors(document) for document in together])
            self.put([source.chunks(document) for document in together], vectors)
            if progress is not None:
                progress(start + len(together), len(wrong))
        if progress is not None:
            progress(len(held), len(held))

    def destroy(self) -> None:
        self._table.drop(self._base())

    def _owner(self) -> Owner:
        return Owner(self._base(), self._model)

    def _wrong(self, held: Mapping[int, int]) -> list[int]:
        """Return the documents that have more or fewer chunks here than in the catalog."""
        with self._table.reading(self._owner()) as table:
            documents = table.search().select(["document"]).limit(None).to_arrow()["document"].to_numpy()
        numbers, counts = np.unique(documents, return_counts=True)
        found = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
        return [document for document, chunks in held.items() if found.get(document, 0) != chunks]

    def _worded(self, terms: Sequence[tuple[str, str]], scope: ChunkScope, limit: int) -> Scored:
        """Return the best chunks of the scope by the sum of BM25 over the columns of the terms."""
        if not terms or limit <= 0:
            return []
        query, condition = _any_of(terms[:MOST_TERMS]), _condition(scope)
        with self._table.reading(self._owner()) as table:

            def ask(wanted: int) -> Any:
                search = table.search(query, query_type="fts").limit(wanted).select([*_KEYS, "_score"])
                return (search.where(condition, prefilter=True) if condition else search).to_arrow()

            return _scored(*_all_inside(ask, scope, limit, "_score"), 5)

    def _count(self, stem: str, language: str) -> tuple[int, int]:
        """Return in how many chunks a stem is, and the number of chunks."""
        with self._table.reading(self._owner()) as table:
            chunks = max(table.count_rows(), 1)
            search = table.search(MatchQuery(stem, language), query_type="fts").limit(chunks)
            return search.select(["_score"]).to_arrow().num_rows, chunks


def _any_of(terms: Sequence[tuple[str, str]]) -> Any:
    columns: dict[str, list[str]] = {}
    for column, word in terms:
        columns.setdefault(column, []).append(word)
    return BooleanQuery([(Occur.SHOULD, MatchQuery(" ".join(words), column)) for column, words in columns.items()])


def _all_inside(
    ask: Callable[[int], Any], scope: ChunkScope, limit: int, score: str
) -> tuple[Ordinals, NDArray[np.int64], NDArray[np.float64]]:
    """Ask for more until ``limit`` chunks of the scope are found, or no more are there."""
    wanted = limit
    while True:
        found = ask(wanted)
        documents, positions = _keys_of(found)
        inside = _holds(scope, documents, positions)
        if np.count_nonzero(inside) >= limit or found.num_rows < wanted:
            return documents[inside], positions[inside], found[score].to_numpy().astype(np.float64)[inside]
        wanted *= _FURTHER


def _vectors(table: Any, condition: str | None) -> tuple[tuple[Ordinals, NDArray[np.int64]], Float32]:
    search = table.search().select([*_KEYS, "vector"]).limit(None)
    found = (search.where(condition) if condition else search).to_arrow()
    values = found["vector"].combine_chunks().flatten().to_numpy().astype(np.float32)
    return _keys_of(found), values.reshape(found.num_rows, -1 if found.num_rows else 0)


def _keys_of(found: Any) -> tuple[Ordinals, NDArray[np.int64]]:
    return found["document"].to_numpy(), found["position"].to_numpy().astype(np.int64)


def _scored(
    documents: Ordinals, positions: NDArray[np.int64], scores: NDArray[np.floating[Any]], digits: int
) -> Scored:
    order = np.lexsort((positions, documents, -np.round(scores, digits)))
    rows = zip(documents[order].tolist(), positions[order].tolist(), scores[order].tolist(), strict=True)
    return [(ChunkKey(document, position), score) for document, position, score in rows]


def _holds(scope: ChunkScope, documents: Ordinals, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of these chunks are in the scope."""
    if scope.parts is not None:
        pairs_ = zip(documents.tolist(), positions.tolist(), strict=True)
        return np.array([scope.holds(ChunkKey(*pair)) for pair in pairs_], dtype=np.bool_)
    return np.isin(documents, scope.documents)


def _condition(scope: ChunkScope) -> str | None:
    """Return the SQL condition for the documents of a scope, or for its parts if they are few; None for all."""
    if scope.parts is not None and sum(map(len, scope.parts.values())) <= _RANGES:
        return " OR ".join(
            f"(document = {document} AND position >= {start} AND position < {end})"
            for document, spans in scope.parts.items()
            for start, end in spans
        )
    if scope.within is None:
        return None
    named = _among(scope.within.documents)
    return f"NOT ({named})" if scope.within.all_but else named


def _among(documents: Iterable[int]) -> str:
    """Return the SQL condition for some documents: ranges if they are few, as of a collection, else a list."""
    ordered = np.unique(np.fromiter(documents, dtype=np.int64))
    if not len(ordered):
        return "false"
    runs = np.split(ordered, np.flatnonzero(np.diff(ordered) > 1) + 1)
    if len(runs) <= _RANGES:
        return " OR ".join(f"(document >= {run[0]} AND document <= {run[-1]})" for run in runs)
    return f"document IN ({', '.join(map(str, ordered.tolist()))})"
