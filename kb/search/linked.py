"""Search that passes from one passage to the next: what one hit names leads to passages the question never mentions.

Iterative retrieval without a model, in the spirit of IRCoT (Trivedi et al., 2023) and HippoRAG (Gutiérrez et al.,
2024): from each good hit (a seed) follow the names it brings in (rare ones weigh more) to passages that hold them and
that speak of what the seed leaves open of the question. No graph is built at ingestion: candidates come from the
keyword index, their vectors from the store, so a search costs the same in a small and a large collection.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ahocorasick
import numpy as np

from ..models import Chunk, Filter, Hit, SearchResult
from ..store.matrix import Float32
from ..store.store import Store
from .entities import contains, entities, plain, title_forms
from .fusion import scaled
from .hybrid import Searcher
from .scope import Scope, View
from .snippet import snippet

SEEDS = 8
ROUNDS = 2
CANDIDATES = 120  # passages looked at for each seed
BRANCHES = 4  # passages of a seed from which the next round goes on
DECAY = 0.8
TITLE_BONUS = 0.5  # a document the question names by its title
RESIDUAL = 0.6  # how much of what the seed says is taken out of the question's vector
OPEN, MEANT, WORDED = 0.1, 1.0, 1.0  # floor, by vectors, by words: how much a passage says of what is left open
NAMED = 0.8  # a passage whose title the seed names is worth at least this
_SHORT_TITLE = 0.6


@dataclass(frozen=True)
class Passage:
    """A candidate with what is compared: plain text (``body`` without the title), stems, names, vector."""

    row: int
    chunk: Chunk
    title: str
    file: str
    text: str
    body: str
    stems: frozenset[str]
    names: tuple[str, ...]
    vector: Float32


@dataclass(frozen=True)
class Trail:
    """A way from a hit of the question to a passage: its score, what it covers, where it points."""

    score: float
    rows: tuple[int, ...]
    covered: frozenset[str]
    vector: Float32


class LinkedSearcher:
    """Safe from several threads, as the searcher it stands on."""

    def __init__(self, store: Store, searcher: Searcher) -> None:
        self._store, self._searcher = store, searcher
        self._titles: tuple[int, ahocorasick.Automaton | None] = (-1, None)

    def search(
        self,
        query: str,
        *,
        collections: Sequence[str] = (),
        filters: Sequence[Filter] = (),
        documents: Sequence[str] = (),
        top_k: int = 10,
        rounds: int = ROUNDS,
    ) -> SearchResult:
        """As ``Searcher.search`` in hybrid mode; ``scores`` hold 'fused' and 'linked'."""
        view = self._searcher.view()
        first = self._searcher.search(
            query, collections=collections, filters=filters, documents=documents, top_k=CANDIDATES
        )
        if not first.hits:
            return first
        scope = view.scope(collections, filters, documents, None)
        languages = Counter(view.language(hit.chunk.document) for hit in first.hits)
        asked = self._question(query, languages.most_common(1)[0][0])
        known = {row: self._load(view, row, asked) for row in (view.row(hit.chunk) for hit in first.hits)}
        base = self._base(view, scope, asked, first, known)
        linked = self._follow(view, scope, asked, base, known, rounds)
        total = {row: base.get(row, 0.0) + linked.get(row, 0.0) for row in {*base, *linked}}
        ranked = sorted(total, key=lambda row: (-round(total[row], 6), row))[:top_k]
        hits = tuple(self._hit(known[row], query, total[row], base, linked) for row in ranked)
        return SearchResult(total=max(first.total, len(hits)), hits=hits)

    # --- scores of the question itself --------------------------------------------------------------------------------
    def _base(
        self, view: View, scope: Scope, asked: _Question, first: SearchResult, known: dict[int, Passage]
    ) -> dict[int, float]:
        """Both sides of the hybrid search, scaled, and a bonus for documents the question names."""
        named = self._named(view, scope, asked)
        for row in named:
            known.setdefault(row, self._load(view, row, asked))
        rows = list(known)
        cosines = np.stack([known[row].vector for row in rows]) @ asked.vector
        worded = scaled([(view.row(hit.chunk), hit.scores.get("keyword", 0.0)) for hit in first.hits])
        low, high = float(cosines.min()), float(cosines.max())
        floor = max(0.0, low - (high - low))
        share = self._store.settings.fusion_weight_semantic
        return {
            row: share * (float(cosine) - floor) / max(high - floor, 1e-6)
            + (1 - share) * worded.get(row, 0.0)
            + TITLE_BONUS * named.get(row, 0.0)
            for row, cosine in zip(rows, cosines, strict=True)
        }

    def _named(self, view: View, scope: Scope, asked: _Question) -> dict[int, float]:
        """First chunks of documents whose title stands in the question; several of one title share the bonus."""
        automaton = self._automaton(view)
        if automaton is None:
            return {}
        text = f" {asked.plain} "
        spans = sorted(((end - len(form), end, form) for end, (form, _) in automaton.iter(text)), key=_longest)
        found: dict[int, float] = {}
        taken: list[tuple[int, int]] = []
        for start, end, form in spans:
            if any(start < other_end - 1 and other_start < end - 1 for other_start, other_end in taken):
                continue
            taken.append((start, end))
            rows = [row for row in automaton.get(form)[1] if scope.holds(row)]
            share = (1.0 if " " in form.strip() or len(form) > 8 else _SHORT_TITLE) / math.sqrt(max(len(rows), 1))
            for row in rows[:CANDIDATES]:
                found[row] = max(found.get(row, 0.0), share * min(1.0, self._rare(form, asked.language)))
        return found

    def _automaton(self, view: View) -> ahocorasick.Automaton | None:
        """All titles' forms, built once a generation."""
        generation, automaton = self._titles
        if generation == view.generation:
            return automaton
        rows: dict[str, list[int]] = {}
        for entry in view.stored:
            for form in title_forms(entry.document.title):
                if entry.chunk_count:
                    rows.setdefault(f" {form} ", []).append(entry.first_row)
        automaton = ahocorasick.Automaton() if rows else None
        if automaton is not None:
            for form, firsts in rows.items():
                automaton.add_word(form, (form, tuple(firsts)))
            automaton.make_automaton()
        self._titles = (view.generation, automaton)
        return automaton

    # --- from passage to passage --------------------------------------------------------------------------------------
    def _follow(
        self,
        view: View,
        scope: Scope,
        asked: _Question,
        base: Mapping[int, float],
        known: dict[int, Passage],
        rounds: int,
    ) -> dict[int, float]:
        seeds = sorted(base, key=lambda row: (-round(base[row], 6), row))[:SEEDS]
        trails = [Trail(base[row], (row,), known[row].stems & asked.stems, known[row].vector) for row in seeds]
        best: dict[int, float] = {}
        for turn in range(rounds):
            grown: list[Trail] = []
            for trail in trails:
                reached = self._reached(view, scope, asked, trail, known)
                for row, score in reached:
                    best[row] = max(best.get(row, 0.0), score * DECAY**turn)
                for row, score in reached[:BRANCHES]:
                    passage = known[row]
                    mean = trail.vector + passage.vector
                    grown.append(
                        Trail(
                            score * DECAY,
                            (*trail.rows, row),
                            trail.covered | (passage.stems & asked.stems),
                            mean / max(float(np.linalg.norm(mean)), 1e-6),
                        )
                    )
            trails = sorted(grown, key=lambda trail: (-round(trail.score, 6), trail.rows))[:SEEDS]
        return best

    def _reached(
        self, view: View, scope: Scope, asked: _Question, trail: Trail, known: dict[int, Passage]
    ) -> list[tuple[int, float]]:
        """Passages the end of a trail leads to, best first."""
        seed = known[trail.rows[-1]]
        new = [name for name in (*seed.names, *title_forms(seed.title)) if not contains(asked.plain, name)]
        if not new:
            return []
        rare = {name: self._rare(name, asked.language) for name in dict.fromkeys(new)}
        left = [word for word in asked.stems if word not in trail.covered]
        rows = self._candidates(scope, sorted(rare, key=lambda name: (-rare[name], name))[:12], asked, left)
        for row in rows:
            if row not in known:
                known[row] = self._load(view, row, asked)
        passages = [known[row] for row in sorted({*rows, *known}) if row not in trail.rows]
        rest = asked.vector - RESIDUAL * float(asked.vector @ trail.vector) * trail.vector
        rest = rest / max(float(np.linalg.norm(rest)), 1e-6)
        meant = np.maximum(np.stack([passage.vector for passage in passages]) @ rest, 0.0)
        whole = sum(asked.weights.values()) or 1.0
        open_weight = sum(asked.weights[word] for word in left) + 0.15 * whole
        scored = []
        for passage, near in zip(passages, meant, strict=True):
            shared = min(1.0, sum(rare[name] ** 2 for name in rare if contains(passage.text, name)))
            forms = [form for form in title_forms(passage.title) if contains(seed.body, form)]
            named = max((self._rare(form, asked.language) for form in forms), default=0.0)
            if not shared and not named:
                continue
            worded = sum(asked.weights[word] for word in left if word in passage.stems) / open_weight
            says = OPEN + MEANT * float(near) + WORDED * worded
            scored.append((passage.row, trail.score * (shared * says + named * max(NAMED, says))))
        return sorted(scored, key=lambda item: (-round(item[1], 6), item[0]))

    def _candidates(self, scope: Scope, names: Sequence[str], asked: _Question, left: Sequence[str]) -> list[int]:
        words = [word for word in asked.words if self._store.keywords.stems(word, asked.language) & set(left)]
        found, _ = self._store.keywords.search(
            " ".join((*names, *words)), CANDIDATES, within=scope.within, count=False
        )
        return [row for row, _ in found if scope.holds(row)]

    # --- loading ------------------------------------------------------------------------------------------------------
    def _load(self, view: View, row: int, asked: _Question) -> Passage:
        place = view.place(row)
        assert place is not None, "rows of a scope belong to visible documents"
        entry, position = place
        chunk = self._store.catalog.chunk_at(entry, position)
        text = f"{entry.document.title}. {chunk.text}"
        return Passage(
            row=row,
            chunk=chunk,
            title=entry.document.title,
            file=entry.document.file,
            text=plain(text),
            body=plain(chunk.text),
            stems=self._store.keywords.stems(text, asked.language),
            names=entities(chunk.text),
            vector=self._store.matrix.vectors(np.array([row], dtype=np.int64))[0],
        )

    def _hit(
        self, passage: Passage, query: str, score: float, base: Mapping[int, float], linked: Mapping[int, float]
    ) -> Hit:
        row = passage.row
        return Hit(
            chunk=passage.chunk,
            score=score,
            scores={"fused": base.get(row, 0.0), "linked": linked.get(row, 0.0)},
            title=passage.title,
            file=passage.file,
            snippet=snippet(passage.chunk.text, query),
        )

    def _question(self, query: str, language: str) -> _Question:
        keywords = self._store.keywords
        weights = {stem: keywords.rarity(stem, language) for stem in keywords.stems(query, language)}
        return _Question(query, language, self._searcher.query_vector(query), weights)

    def _rare(self, name: str, language: str) -> float:
        """Rarity of a name: that of its rarest word, 0-1."""
        keywords = self._store.keywords
        return max((keywords.rarity(stem, language) for stem in keywords.stems(name, language)), default=0.0)


class _Question:
    def __init__(self, text: str, language: str, vector: Float32, weights: Mapping[str, float]) -> None:
        self.text, self.language, self.vector, self.weights = text, language, vector, weights
        self.stems = frozenset(weights)
        self.plain = plain(text)
        self.words = tuple(dict.fromkeys(self.plain.split()))


def _longest(span: tuple[int, int, str]) -> tuple[int, int]:
    return (span[0] - span[1], span[0])
