"""Hybrid search: keyword and semantic results within a scope are fused, and places linked by references move up.

If a cross-encoder is configured, it re-ranks the result.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from tenacity import retry, retry_if_exception_type, stop_after_attempt

from rabbithole.kb.errors import ReplacedError, UsageError
from rabbithole.kb.models import Filter, Hit, SearchMode, SearchResult
from rabbithole.kb.store.index.tokens import stems
from rabbithole.kb.store.ports import ChunkKey, Scope, Scored
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .arrangement import covering, with_documents
from .entities import plain, telling
from .filters import check_fields
from .fusion import Ranked, fuse
from .references import References, Way, lifted
from .rerank import Reranker
from .scope import View
from .snippet import snippet
from .terms import SHARE, inputs
from .weights import reviewed

_SIDES = 8
"""Threads for the keyword side, so that so many searches can run at once."""
_SMALL = 5000
"""With up to so many chunks in scope one thread is faster than two that have to synchronise."""
_LANGUAGE_OF = 10
"""Number of first hits by which the language is decided."""
_LETTERED = 100
"""Number of n-gram hits if the keyword search found none."""
_REASON = 120
_QUERY_CHARACTERS = 20_000
"""Longer queries are cut to so many characters."""
_ATTEMPTS = 20
"""How often a search begins again when a document it has found was replaced before it was read."""


class Searcher:
    """Thread-safe. It checks the catalog's generation on each search, so it sees what other processes write."""

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._references = references
        self._weights = reviewed()
        self._settings = store.settings
        self._reranker = Reranker(self._settings.rerank_model) if self._settings.rerank_model else None
        self._guard = threading.Lock()
        self._view: View | None = None
        self._sides = ThreadPoolExecutor(_SIDES, thread_name_prefix="keywords")
        self._embed_query = lru_cache(maxsize=256)(self._embed)

    @property
    def reranks(self) -> bool:
        """Whether a cross-encoder re-ranks the results."""
        return self._reranker is not None

    def view(self) -> View:
        """Return the current view of the documents."""
        generation = self._store.catalog.generation
        with self._guard:
            if self._view is None or self._view.generation != generation:
                self._store.refresh()
                self._view = View(self._store.catalog, generation)
            return self._view

    @retry(retry=retry_if_exception_type(ReplacedError), stop=stop_after_attempt(_ATTEMPTS), reraise=True)
    def search(
        self,
        query: str,
        *,
        collections: Sequence[str] = (),
        mode: SearchMode = "hybrid",
        filters: Sequence[Filter] = (),
        top_k: int = 10,
        documents: Sequence[str] = (),
        section: str | None = None,
    ) -> SearchResult:
        """Return the best ``top_k`` chunks.

        ``total`` counts the chunks in scope with a word of the query; in semantic mode, where every chunk has some
        similarity, it counts all chunks in scope. Raises UsageError for invalid input.
        """
        if not query.strip():
            raise UsageError("The search query is empty; give search terms or a question.")
        if top_k < 1:
            raise UsageError(f"The number of hits must be at least 1, not {top_k}.")
        view = self.view()
        check_fields(filters, view.fields(collections) if filters else ())
        scope = view.scope(collections, filters, documents, section)
        if not scope.size:
            return SearchResult(total=0)
        text = query[:_QUERY_CHARACTERS]
        wanted = max(self._settings.search_candidates, top_k)
        semantic, keyword, total = self.sides(scope, text, wanted, mode)
        scores: dict[str, Mapping[ChunkKey, float]] = {"keyword": dict(keyword), "semantic": dict(semantic)}
        reached: dict[ChunkKey, Way] = {}
        ranked: Ranked = keyword or semantic
        if mode == "hybrid":
            language = self.language(view, keyword or semantic)
            words, letters = self.words(scope, text, keyword, language)
            scores["grams"] = dict(letters)
            if asked := inputs(text):
                found, _ = self._store.index.keyword(asked, scope, wanted)
                words = fuse(found, words, SHARE)
            ranked = fuse(semantic, words, self.share_of_meaning(language))
            scores["fused"] = dict(ranked)
            reached = self.ways(view, scope, ranked)
            scores["references"] = {key: way.gain for key, way in reached.items()}
            ranked = self.arranged(view, text, language, lifted(ranked, reached))
        total = scope.size if mode == "semantic" else max(total, len(ranked))
        kept = ranked[:wanted] if self._reranker else ranked[:top_k]
        return SearchResult(total=total, hits=self._hits(view, text, kept, scores, reached)[:top_k])

    def language(self, view: View, ranked: Ranked) -> str:
        """Return the language of most of the first hits, or '' if there are none."""
        places = (view.place(key) for key, _ in ranked[:_LANGUAGE_OF])
        languages = Counter(place[0].document.language for place in places if place is not None)
        return max(languages, key=lambda language: (languages[language], language), default="")

    def words(self, scope: Scope, query: str, keyword: Ranked, language: str) -> tuple[Ranked, Ranked]:
        """Return the keyword list fused with the n-gram list, if the language has compounds, and the n-gram list."""
        share = self._weights.grams.get(language, 0.0)
        letters = self._store.index.alike(query, scope, len(keyword) or _LETTERED) if share else []
        return (fuse(letters, keyword, share), letters) if letters else (keyword, [])

    def share_of_meaning(self, language: str) -> float:
        """Return the semantic weight: the setting, else the reviewed value for the encoder and language."""
        given = self._settings.fusion_weight_semantic
        return self._weights.semantic(self._store.embedder.name, language) if given is None else given

    def ways(self, view: View, scope: Scope, ranked: Ranked) -> dict[ChunkKey, Way]:
        """Return the chunks of the scope that the best hits refer to or are referred to by."""
        return self._references.ways(view, ranked, scope.holds, self._weights.references)

    def arranged(self, view: View, query: str, language: str, ranked: Ranked) -> list[tuple[ChunkKey, float]]:
        """Return the list with its first hits re-ordered: see ``arrangement``."""
        weights, catalog, index = self._weights.arrangement, self._store.catalog, self._store.index
        ordered = with_documents(ranked, weights)
        stems_of: dict[ChunkKey, frozenset[str]] = {}
        for key, _ in ordered[: weights.pool]:
            if (place := view.place(key)) is not None:
                chunk = catalog.chunk_at(*place)
                stems_of[key] = stems(f"{place[0].document.title}. {chunk.text}", language)
        words = telling(plain(query))
        asked = frozenset[str]().union(*(stems(word, language) for word in words))
        rarity = {stem: min(1.0, index.rarity(stem, language)) for stem in asked}
        return covering(ordered, stems_of, rarity, len(words), weights)

    def sides(self, scope: Scope, query: str, wanted: int, mode: SearchMode = "hybrid") -> tuple[Ranked, Ranked, int]:
        """Return chunks with cosines and with BM25 scores, best first, and how many chunks have a query word."""
        query = query[:_QUERY_CHARACTERS]
        if mode == "semantic":
            return self._semantic(scope, query, wanted), [], 0
        if mode == "keyword" or scope.size <= _SMALL:
            keyword, total = self._store.index.keyword(query, scope, wanted)
            return [] if mode == "keyword" else self._semantic(scope, query, wanted), keyword, total
        # Both sides compute outside the interpreter's lock, so they run in parallel.
        words = self._sides.submit(self._store.index.keyword, query, scope, wanted)
        semantic = self._semantic(scope, query, wanted)
        return semantic, *words.result()

    def _semantic(self, scope: Scope, query: str, wanted: int) -> Scored:
        return self._store.index.nearest(self._embed_query(query), scope, wanted)

    def query_vector(self, query: str) -> Float32:
        """Return the vector of a query, cached."""
        return self._embed_query(query[:_QUERY_CHARACTERS])

    def _embed(self, query: str) -> Float32:
        return np.asarray(self._store.embedder.embed([query], query=True)[0], dtype=np.float32)

    def reasons(self, view: View, way: Way | None) -> tuple[str, ...]:
        """Return in words how references led to a chunk: "named by § 13 IsoLG", "refers to § 17 IsoLV"."""
        place = view.place(way.seed) if way is not None else None
        if way is None or place is None:
            return ()
        entry, position = place
        section = self._store.catalog.section_by_id(self._store.catalog.chunk_at(entry, position).section)
        where = " ".join(part for part in (section.number or section.heading, entry.document.title) if part)
        return (f"{'named by' if way.forward else 'refers to'} {' '.join(where.split())[:_REASON]}",)

    def _hits(
        self,
        view: View,
        query: str,
        ranked: Ranked,
        scores: Mapping[str, Mapping[ChunkKey, float]],
        reached: Mapping[ChunkKey, Way],
    ) -> tuple[Hit, ...]:
        hits: list[Hit] = []
        for key, score in ranked:
            place = view.place(key)
            if place is None:  # a hit in a document that is being written or was just deleted
                continue
            entry, position = place
            chunk = self._store.catalog.chunk_at(entry, position)
            hits.append(
                Hit(
                    chunk=chunk,
                    score=score,
                    scores={side: values[key] for side, values in scores.items() if key in values},
                    title=entry.document.title,
                    file=entry.document.file,
                    snippet=snippet(chunk.text, query),
                    reasons=self.reasons(view, reached.get(key)),
                )
            )
        if self._reranker is None:
            return tuple(hits)
        rated = self._reranker.score(query, [hit.chunk.text for hit in hits])
        reranked = [
            hit.model_copy(update={"score": new, "scores": {**hit.scores, "rerank": new}})
            for hit, new in zip(hits, rated, strict=True)
        ]
        return tuple(sorted(reranked, key=lambda hit: -round(hit.score, 6)))
