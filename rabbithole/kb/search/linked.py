"""Multi-hop hybrid search: names in the first hits lead to passages that the question itself does not match.

It works on short documents with titles that other texts mention (encyclopaedias, wikis, notes). Among long documents
names lead to random places and references are the better links, so there it is the plain hybrid search.

This is iterative retrieval without a model, in the spirit of IRCoT (Trivedi et al., 2023) and HippoRAG (Gutiérrez et
al., 2024). The best hits (seeds) supply names. A passage is reached if it contains such a name (rare ones weigh more)
or has it as its title; it scores higher if the seed mentions the name next to words of the question ("directed by" for
"director") and if it matches what the seed leaves open. Places linked to the best hits by resolved references are
reached as well. Finally a set of passages is chosen that covers the question (``coverage``). Candidates come from the
keyword index, vectors from the store.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rabbithole.kb.models import Filter, Hit, SearchResult
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .coverage import Candidate, choose
from .entities import contains, near, plain, telling, title_forms
from .fusion import fuse, scaled
from .hybrid import Searcher
from .linked_passages import Passage, Passages
from .scope import Scope, View
from .snippet import snippet
from .titles import Titles, certainty

# One setting for MuSiQue, HotpotQA and 2WikiMultihopQA; docs/rejected.md shows the effect of each value.
SEEDS = 4
CLOSE = 120  # best semantic hits, which set the scale of the semantic scores
WORDED = 1_000  # best keyword hits
REACHED = 80  # most passages examined for each seed
SHARE = 0.4  # semantic weight: higher than in a single search, as the words of a later hop are not in the question
MEANING = 0.1  # added to the semantic weight if that is set
TITLED = 1.2  # weight of a document whose title is in the question
RESIDUAL = 0.75  # share of the seed's vector that is subtracted from the question's
FLOOR, MEANT, OPEN = 0.2, 1.5, 1.0  # weights for matching what is left open: constant, by vectors, by words
NAMED = 0.8  # least match of a passage whose title the seed mentions
BESIDE, BESIDE_TITLE = 1.0, 3.0  # weights of a name and of a title next to words of the question
SUPPORT = 0.15  # share of the best passage it leads to that is added to a seed
FEWEST, MOST = 8, 100_000  # numbers of documents among which names are followed
LONGEST = 2.0  # most passages per document, on average
TITLED_SHARE = 0.9  # least share of documents with a title
WHOLE = 20  # so many first hits are chosen together
_LEAST_SHARED = 0.05
_NAMES = 16


@dataclass(frozen=True)
class SeedLink:
    """How a passage was reached: the seed, and the score gained by it."""

    seed: int
    score: float


@dataclass(frozen=True)
class Asked:
    """The question prepared for comparison. ``weights``: stem -> rarity; ``words``: word -> its stems."""

    plain: str
    language: str
    vector: Float32
    weights: Mapping[str, float]
    words: Mapping[str, frozenset[str]]

    @property
    def whole(self) -> float:
        return sum(self.weights.values()) or 1.0


class LinkedSearcher:
    """Thread-safe, as is the ``Searcher`` it uses."""

    def __init__(self, store: Store, searcher: Searcher) -> None:
        self._store, self._searcher = store, searcher
        self._kept: tuple[Titles, Passages] | None = None

    def search(
        self,
        query: str,
        *,
        collections: Sequence[str] = (),
        filters: Sequence[Filter] = (),
        documents: Sequence[str] = (),
        section: str | None = None,
        top_k: int = 10,
    ) -> SearchResult:
        """Search as ``Searcher.search`` does in hybrid mode.

        If names were followed, ``scores`` also has 'linked', and hits are ordered by what each adds to those before it,
        which is its ``score``.
        """
        first = self._searcher.search(
            query, collections=collections, filters=filters, documents=documents, section=section, top_k=top_k
        )
        view = self._searcher.view()
        scope = view.scope(collections, filters, documents, section)
        if not first.hits or self._searcher.reranks or not _names_lead_on(view, scope):
            return first
        titles, passages = self._at(view)
        languages = Counter(view.language(hit.chunk.document) for hit in first.hits)
        asked = self._question(query, languages.most_common(1)[0][0])
        semantic, keyword, _ = self._searcher.sides(scope, query, WORDED)
        base = _Base(semantic, keyword, self._share())
        fused = fuse(semantic[:CLOSE], keyword[:CLOSE], self._searcher.share_of_meaning(asked.language))
        tied = self._searcher.ways(view, scope, fused)
        named = self._named(view, scope, titles, passages, asked, base)
        seeds = passages.load(base.best(SEEDS, named), asked.language)
        ways: dict[int, SeedLink] = {}
        support: dict[int, float] = {}
        for seed in seeds:
            value = base.of(seed.row, float(seed.vector @ asked.vector), named)
            reached = self._reached(view, scope, titles, passages, asked, seed, base)
            support[seed.row] = SUPPORT * value * max(reached.values(), default=0.0)
            for row, score in reached.items():
                if row not in ways or value * score > ways[row].score:
                    ways[row] = SeedLink(seed.row, value * score)
        for row, way in tied.items():
            if row not in ways or way.gain > ways[row].score:
                ways[row] = SeedLink(way.seed, way.gain)
        rows = dict.fromkeys([*base.rows(CLOSE), *named, *ways])
        known = {one.row: one for one in passages.load(list(rows), asked.language)}
        candidates = [
            Candidate(
                row=row,
                base=base.of(row, float(one.vector @ asked.vector), named),
                linked=(ways[row].score if row in ways else 0.0) + support.get(row, 0.0),
                seed=ways[row].seed if row in ways else None,
                covered=one.stems & asked.weights.keys(),
            )
            for row, one in known.items()
        ]
        shares = {word: weight / asked.whole for word, weight in asked.weights.items()}
        hits = tuple(
            self._hit(known[one.row], query, one, gain, base, self._searcher.reasons(view, tied.get(one.row)))
            for one, gain in _chosen(candidates, shares, top_k)
        )
        return SearchResult(total=max(first.total, len(hits)), hits=hits)

    def _share(self) -> float:
        given = self._store.settings.fusion_weight_semantic
        return SHARE if given is None else min(1.0, given + MEANING)

    def _at(self, view: View) -> tuple[Titles, Passages]:
        """Return the titles and passages of the view's generation, cached."""
        kept = self._kept
        if kept is None or kept[0].generation != view.generation:
            kept = self._kept = (Titles(view), Passages(self._store, view))
        return kept

    def _question(self, query: str, language: str) -> Asked:
        keywords = self._store.keywords
        text = plain(query)
        words = {word: keywords.stems(word, language) for word in telling(text)}
        stems = frozenset[str]().union(*words.values())
        return Asked(
            plain=text,
            language=language,
            vector=self._searcher.query_vector(query),
            weights={stem: min(1.0, keywords.rarity(stem, language)) for stem in stems},
            words={word: own for word, own in words.items() if own},
        )

    def _named(
        self, view: View, scope: Scope, titles: Titles, passages: Passages, asked: Asked, base: _Base
    ) -> dict[int, float]:
        """Return the best passage of each document whose title is in the question, with a score of 0-1."""
        found: dict[int, float] = {}
        for form, firsts in titles.named(asked.plain).items():
            share = certainty(form, len(firsts)) * passages.rarity(form, asked.language)
            for row in self._best_of(view, scope, firsts[:REACHED], base):
                found[row] = max(found.get(row, 0.0), share)
        return found

    def _best_of(self, view: View, scope: Scope, firsts: Iterable[int], base: _Base) -> list[int]:
        """Return for each document, given by its first row, the passage ranked best by the question, else its first."""
        found = []
        for first in firsts:
            place = view.place(first)
            rows = range(first, first + place[0].chunk_count) if place else range(0)
            inside = [row for row in (base.best_of(rows), first) if row is not None and scope.holds(row)]
            found += inside[:1]
        return found

    def _reached(
        self, view: View, scope: Scope, titles: Titles, passages: Passages, asked: Asked, seed: Passage, base: _Base
    ) -> dict[int, float]:
        """Return the passages a seed leads to, with scores of about 0-3."""
        language = asked.language
        own = title_forms(seed.title)
        leads = {form: rows for form, rows in titles.inside(seed.text).items() if not contains(asked.plain, form)}
        new = [name for name in dict.fromkeys((*seed.names, *own)) if not contains(asked.plain, name)]
        if not new and not leads:
            return {}
        beside = self._beside(asked, seed)
        rare = {name: passages.rarity(name, language) for name in new}
        shared = {name: rare[name] ** 2 * (1 + BESIDE * near(seed.text, name, beside)) for name in new}
        titled: dict[int, float] = defaultdict(float)
        for form, firsts in leads.items():
            sure = passages.rarity(form, language) / len(firsts) ** 0.5
            sure *= 1 + BESIDE_TITLE * near(seed.text, form, beside)
            for row in self._best_of(view, scope, firsts[:REACHED], base):
                titled[row] = max(titled[row], sure)
        left = [stem for stem in asked.weights if stem not in seed.stems]
        rows = [*titled, *self._holding(scope, sorted(rare, key=lambda name: (-rare[name], name)), asked, left)]
        others = [one for one in passages.load(list(dict.fromkeys(rows)), language) if one.row != seed.row]
        if not others:
            return {}
        rest = asked.vector - RESIDUAL * float(asked.vector @ seed.vector) * seed.vector
        rest = rest / max(float(np.linalg.norm(rest)), 1e-6)
        meant = np.maximum(np.stack([one.vector for one in others]) @ rest, 0.0)
        open_weight = sum(asked.weights[stem] for stem in left) + 0.15 * asked.whole
        scores: dict[int, float] = {}
        for one, close in zip(others, meant, strict=True):
            common = sum(weight for name, weight in shared.items() if contains(one.text, name))
            title = titled.get(one.row, 0.0)
            if common <= _LEAST_SHARED and not title:
                continue
            worded = sum(asked.weights[stem] for stem in left if stem in one.stems) / open_weight
            says = FLOOR + MEANT * float(close) + OPEN * worded
            scores[one.row] = min(1.0, common) * says + title * max(NAMED, says)
        return scores

    def _beside(self, asked: Asked, seed: Passage) -> dict[str, float]:
        """Return the words of the question that are not in the seed's title, with weights that sum to 1."""
        title = self._store.keywords.stems(seed.title, asked.language)
        weights = {
            word: max(asked.weights.get(stem, 0.0) for stem in stems)
            for word, stems in asked.words.items()
            if not stems & title
        }
        total = sum(weights.values()) or 1.0
        return {word: weight / total for word, weight in weights.items()}

    def _holding(self, scope: Scope, names: Sequence[str], asked: Asked, left: Sequence[str]) -> list[int]:
        """Return the rows of passages that best match the rarest names and the words still open."""
        words = [word for word, stems in asked.words.items() if stems & set(left)]
        text = " ".join((*names[:_NAMES], *words))
        found, _ = self._store.keywords.search(text, REACHED, within=scope.within, count=False)
        return [row for row, _ in found if scope.holds(row)]

    def _hit(
        self, passage: Passage, query: str, candidate: Candidate, gain: float, base: _Base, reasons: tuple[str, ...]
    ) -> Hit:
        return Hit(
            chunk=passage.chunk,
            score=gain,
            scores={**base.sides(candidate.row), "fused": candidate.base, "linked": candidate.linked},
            title=passage.title,
            file=passage.file,
            snippet=snippet(passage.chunk.text, query),
            reasons=reasons,
        )


def _names_lead_on(view: View, scope: Scope) -> bool:
    """Return whether texts are likely to mention the scope's documents by title: they are many, short and titled."""
    count = len(scope.starts)
    if not (scope.whole and FEWEST <= count <= MOST and scope.size <= LONGEST * count):
        return False
    return view.titled_share() >= TITLED_SHARE


def _chosen(candidates: Sequence[Candidate], shares: Mapping[str, float], count: int) -> list[tuple[Candidate, float]]:
    """Choose the first candidates together for coverage, the others by their own score."""
    first = choose(candidates, shares, min(count, WHOLE))
    taken = {one.row for one, _ in first}
    rest = sorted(
        ((one, one.base + one.linked) for one in candidates if one.row not in taken),
        key=lambda entry: (-round(entry[1], 6), entry[0].row),
    )
    return sorted([*first, *rest[: count - len(first)]], key=lambda entry: -round(entry[1], 6))


class _Base:
    """The score of a row by the question alone: both sides of the hybrid search, scaled, and its title."""

    def __init__(
        self,
        semantic: Sequence[tuple[int, float]],
        keyword: Sequence[tuple[int, float]],
        share: float,
    ) -> None:
        close = [score for _, score in semantic[:CLOSE]] or [0.0]
        high, low = close[0], close[-1]
        self._floor = max(0.0, 2 * low - high)
        self._span = max(high - self._floor, 1e-6)
        self._share = share
        self._cosines = dict(semantic)
        self._keyword = dict(keyword)
        self._words = scaled(keyword)

    def of(self, row: int, cosine: float, named: Mapping[int, float]) -> float:
        meaning = max(cosine - self._floor, 0.0) / self._span
        words = self._words.get(row, 0.0)
        return self._share * meaning + (1 - self._share) * words + TITLED * named.get(row, 0.0)

    def sides(self, row: int) -> dict[str, float]:
        """Return the semantic and keyword scores of a row, if found."""
        sides = {"semantic": self._cosines, "keyword": self._keyword}
        return {side: values[row] for side, values in sides.items() if row in values}

    def rows(self, count: int) -> list[int]:
        """Return the best rows of each side."""
        return [*list(self._cosines)[:count], *list(self._words)[:count]]

    def best(self, count: int, named: Mapping[int, float]) -> list[int]:
        rows = dict.fromkeys([*self.rows(CLOSE), *named])
        scores = {row: self.of(row, self._cosines.get(row, 0.0), named) for row in rows}
        return sorted(scores, key=lambda row: (-round(scores[row], 6), row))[:count]

    def best_of(self, rows: range) -> int | None:
        """Return the highest-ranked row of a range, or None if the search found none of them."""
        found = [row for row in rows if row in self._words or row in self._cosines]
        return max(found, key=lambda row: (self.of(row, self._cosines.get(row, 0.0), {}), -row), default=None)
