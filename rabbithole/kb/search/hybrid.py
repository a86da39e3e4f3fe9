"""Hybrid search: keyword and semantic results within a scope are fused, and places linked by references move up.

If a cross-encoder is configured, it re-ranks the result.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import chain

from tenacity import retry, retry_if_exception_type, stop_after_attempt

from rabbithole.kb.errors import ReplacedError, UsageError
from rabbithole.kb.models import Filter, Hit, SearchMode, SearchResult
from rabbithole.kb.notation.codes import codes, names_code, spellings
from rabbithole.kb.store.ports import ChunkKey, ChunkScope
from rabbithole.kb.store.records import embedding_text
from rabbithole.kb.store.store import Store

from .arrangement import covering, with_documents, with_first
from .derived_figures import SHARE, inputs
from .filters import check_fields
from .fiscal_years import written_out
from .fusion import Ranked, fuse, fuse_where
from .passages import Passages
from .question_words import QuestionWords
from .reference_ranking import References, Way, lifted
from .rerank import FIRST, Reranker, mixed, rescored
from .scope import View
from .sides import QUERY_CHARACTERS, Listed, Sides
from .snippet import snippet
from .thesaurus.thesaurus import german, synonyms
from .weights import reviewed

CODED = 20
"""Number of keyword hits looked through for a code that the question names: no other word tells its row."""
_REASON = 120
_ATTEMPTS = 20
"""How often a search begins again when a document it has found was replaced before it was read."""


class Searcher:
    """Thread-safe. It checks the catalog's generation on each search, so it sees what other processes write."""

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._references = references
        self._weights = reviewed()
        self.sides = Sides(store, self._weights.grams)
        self._settings = store.settings
        self._reranker = Reranker(self._settings.rerank_model) if self._settings.rerank_model else None
        self._guard = threading.Lock()
        self._view: View | None = None

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
        check_fields(filters, view.fields(collections) if filters else {})
        scope = view.scope(collections, filters, documents, section)
        if not scope.size:
            return SearchResult(total=0)
        wanted = max(self._settings.search_candidates, top_k)
        text = query[:QUERY_CHARACTERS]
        others = self.synonyms(text) if mode == "hybrid" else {}
        fiscal = written_out(text)
        written = (spelling for code in codes(text) for spelling in (code, *spellings(code)) if spelling not in text)
        asked_as = text if fiscal == text else f"{text} {fiscal}"
        asking = " ".join((asked_as, *written, *chain.from_iterable(others.values())))
        found = self._listed(view, scope, asking, wanted, mode)
        scores: dict[str, Mapping[ChunkKey, float]] = {
            "keyword": dict(found.keyword),
            "semantic": dict(found.semantic),
        }
        passages = Passages(self._store.catalog, view)
        reached: dict[ChunkKey, Way] = {}
        ranked: Ranked = found.keyword or found.semantic
        if mode == "hybrid":
            asked = QuestionWords(self._store.index, passages, text, found.language)
            scores["grams"] = dict(found.letters)
            fused = fuse(
                found.semantic,
                self.words(view, scope, text, found, wanted),
                self.share_of_meaning(found.language, self.matched(asked, found)),
            )
            scores["fused"] = dict(fused)
            reached = self.ways(view, scope, fused)
            scores["references"] = {key: way.gain for key, way in reached.items()}
            ranked = self._arranged(asked, lifted(fused, reached))
            if named := codes(text):
                first = [key for key, _ in found.keyword[:CODED] if _names_any(passages, key, named)]
                ranked = with_first(ranked, first)
        total = scope.size if mode == "semantic" else max(found.total, len(ranked))
        kept = ranked[: max(top_k, FIRST)] if self._reranker else ranked[:top_k]
        return SearchResult(total=total, hits=self._hits(passages, text, kept, scores, reached)[:top_k])

    def synonyms(self, query: str) -> Mapping[str, tuple[str, ...]]:
        """Return the words of a query that stand in no document, with German synonyms of them that do."""
        view = self.view()
        return synonyms(query, german, self._store.index.chunks_with, view.chunks) if view.german else {}

    def _listed(self, view: View, scope: ChunkScope, query: str, wanted: int, mode: SearchMode) -> Listed:
        if mode == "semantic":
            return Listed(self.sides.semantic(scope, query, wanted), [], [], "", 0)
        if mode == "keyword":
            keyword, total = self.sides.keyword(scope, query, wanted)
            return Listed([], keyword, [], "", total)
        return self.sides.all(view, scope, query, wanted)

    def words(self, view: View, scope: ChunkScope, query: str, found: Listed, wanted: int) -> Ranked:
        """Return the keyword list, fused with the n-gram list and with the inputs of the figures asked for."""
        words = found.keyword
        if found.letters:
            words = fuse_where(found.letters, words, self._weights.grams[found.language], view.lettered)
        if figures := inputs(query):
            words = fuse(self.sides.keyword(scope, figures, wanted, count=False)[0], words, SHARE)
        return words

    def matched(self, asked: QuestionWords, found: Listed) -> float:
        """Return the share of the question's words that the best of the first keyword hits has."""
        return asked.matched(key for key, _ in found.keyword[: self._weights.unmatched.hits])

    def share_of_meaning(self, language: str, matched: float = 1.0) -> float:
        """Return the semantic weight: the setting, else the reviewed value for encoder, language and matched words."""
        given = self._settings.fusion_weight_semantic
        return self._weights.semantic(self._store.embedder.name, language, matched) if given is None else given

    def ways(self, view: View, scope: ChunkScope, ranked: Ranked) -> dict[ChunkKey, Way]:
        """Return the chunks of the scope that the best hits refer to or are referred to by."""
        return self._references.ways(view, ranked, scope.holds, self._weights.references)

    def _arranged(self, asked: QuestionWords, ranked: Ranked) -> list[tuple[ChunkKey, float]]:
        """Return the list with its first hits re-ordered: see ``arrangement``."""
        weights = self._weights.arrangement
        ordered = with_documents(ranked, weights)
        if not weights.coverage_of(asked.count):
            return ordered
        stems_of = asked.stems_of(key for key, _ in ordered[: weights.pool])
        return covering(ordered, stems_of, asked.rarity, asked.count, weights)

    def reasons(self, passages: Passages, way: Way | None) -> tuple[str, ...]:
        """Return in words how references led to a chunk: "named by § 13 IsoLG", "refers to § 17 IsoLV"."""
        seed = passages.at(way.seed) if way is not None else None
        if way is None or seed is None:
            return ()
        section = self._store.catalog.section_by_id(seed.chunk.section)
        where = " ".join(part for part in (section.number or section.heading, seed.entry.document.title) if part)
        return (f"{'named by' if way.forward else 'refers to'} {' '.join(where.split())[:_REASON]}",)

    def _hits(
        self,
        passages: Passages,
        query: str,
        ranked: Ranked,
        scores: Mapping[str, Mapping[ChunkKey, float]],
        reached: Mapping[ChunkKey, Way],
    ) -> tuple[Hit, ...]:
        hits: list[Hit] = []
        for key, score in ranked:
            passage = passages.at(key)
            if passage is None:  # a hit in a document that is being written or was just deleted
                continue
            hits.append(
                Hit(
                    chunk=passage.chunk,
                    score=score,
                    scores={side: values[key] for side, values in scores.items() if key in values},
                    title=passage.entry.document.title,
                    file=passage.entry.document.file,
                    snippet=snippet(passage.chunk.text, query),
                    reasons=self.reasons(passages, reached.get(key)),
                )
            )
        return self._reranked(query, hits)

    def _reranked(self, query: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Return the hits, the first of them re-ranked if a cross-encoder is configured."""
        if self._reranker is None:
            return tuple(hits)
        first = hits[:FIRST]
        rated = self._reranker.score(query, [embedding_text(hit.title, hit.chunk) for hit in first])
        scores = mixed([hit.score for hit in first], rated)
        return (*rescored(first, "rerank", rated, scores), *hits[FIRST:])


def _names_any(passages: Passages, key: ChunkKey, named: Sequence[str]) -> bool:
    passage = passages.at(key)
    return passage is not None and any(names_code(passage.chunk.text, code) for code in named)
