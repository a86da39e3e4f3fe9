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
from rabbithole.kb.search.coverage import Candidate, choose
from rabbithole.kb.search.entities import contains, near, plain, telling, title_forms
from rabbithole.kb.search.fusion import Ranked, fuse, scaled
from rabbithole.kb.search.hybrid import Searcher
from rabbithole.kb.search.passages import Passages
from rabbithole.kb.search.scope import View
from rabbithole.kb.search.snippet import snippet
from rabbithole.kb.store.index.index_terms import stems
from rabbithole.kb.store.ports import ChunkKey, ChunkScope
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .linked_passages import LinkedPassage, LinkedPassages
from .titles import Titles, certainty

# One setting for MuSiQue, HotpotQA and 2WikiMultihopQA; docs/rejected.md shows the effect of each value.
SEEDS = 4
CLOSE = 120  # best semantic hits, which set the scale of the semantic scores
WORDED = 1_000  # best keyword hits
REACHED = 80  # maximum number of passages examined for each seed
SHARE = 0.4  # semantic weight: higher than in a single search, as the words of a later hop are not in the question
MEANING = 0.1  # added to the semantic weight if that is set
TITLED = 1.2  # weight of a document whose title is in the question
RESIDUAL = 0.75  # share of the seed's vector that is subtracted from the question's
FLOOR, MEANT, OPEN = 0.2, 1.5, 1.0  # weights for matching what is left open: constant, by vectors, by words
NAMED = 0.8  # minimum match of a passage whose title the seed mentions
BESIDE, BESIDE_TITLE = 1.0, 3.0  # weights of a name and of a title next to words of the question
SUPPORT = 0.15  # share of the best passage it leads to that is added to a seed
FEWEST, MOST = 8, 100_000  # numbers of documents among which names are followed
LONGEST = 2.0  # maximum number of passages per document, on average
TITLED_SHARE = 0.9  # minimum share of documents with a title
WHOLE = 20  # number of first hits that are chosen together
_LEAST_SHARED = 0.05
_NAMES = 16


@dataclass(frozen=True)
class SeedLink:
    """How a passage was reached: the seed, and the score gained by it."""

    seed: ChunkKey
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
        self._kept: tuple[Titles, LinkedPassages] | None = None

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
        semantic, keyword = self._searcher.sides.two(scope, query, WORDED)
        base = _Base(semantic, keyword, self._share())
        fused = fuse(semantic[:CLOSE], keyword[:CLOSE], self._searcher.share_of_meaning(asked.language))
        tied = self._searcher.ways(view, scope, fused)
        named = self._named(view, scope, titles, passages, asked, base)
        seeds = passages.load(base.best(SEEDS, named), asked.language)
        ways: dict[ChunkKey, SeedLink] = {}
        support: dict[ChunkKey, float] = {}
        for seed in seeds:
            value = base.of(seed.key, float(seed.vector @ asked.vector), named)
            reached = self._reached(view, scope, titles, passages, asked, seed, base)
            support[seed.key] = SUPPORT * value * max(reached.values(), default=0.0)
            for key, score in reached.items():
                if key not in ways or value * score > ways[key].score:
                    ways[key] = SeedLink(seed.key, value * score)
        for key, way in tied.items():
            if key not in ways or way.gain > ways[key].score:
                ways[key] = SeedLink(way.seed, way.gain)
        keys = dict.fromkeys([*base.keys(CLOSE), *named, *ways])
        known = {one.key: one for one in passages.load(list(keys), asked.language)}
        candidates = [
            Candidate(
                key=key,
                base=base.of(key, float(one.vector @ asked.vector), named),
                linked=(ways[key].score if key in ways else 0.0) + support.get(key, 0.0),
                seed=ways[key].seed if key in ways else None,
                covered=one.stems & asked.weights.keys(),
            )
            for key, one in known.items()
        ]
        shares = {word: weight / asked.whole for word, weight in asked.weights.items()}
        places = Passages(self._store.catalog, view)
        hits = tuple(
            self._hit(known[one.key], query, one, gain, base, self._searcher.reasons(places, tied.get(one.key)))
            for one, gain in _chosen(candidates, shares, top_k)
        )
        return SearchResult(total=max(first.total, len(hits)), hits=hits)

    def _share(self) -> float:
        given = self._store.settings.fusion_weight_semantic
        return SHARE if given is None else min(1.0, given + MEANING)

    def _at(self, view: View) -> tuple[Titles, LinkedPassages]:
        """Return the titles and passages of the view's generation, cached."""
        kept = self._kept
        if kept is None or kept[0].generation != view.generation:
            kept = self._kept = (Titles(view), LinkedPassages(self._store, view))
        return kept

    def _question(self, query: str, language: str) -> Asked:
        text = plain(query)
        words = {word: stems(word, language) for word in telling(text)}
        asked = frozenset[str]().union(*words.values())
        return Asked(
            plain=text,
            language=language,
            vector=self._searcher.sides.query_vector(query),
            weights={stem: min(1.0, self._store.index.rarity(stem, language)) for stem in asked},
            words={word: own for word, own in words.items() if own},
        )

    def _named(
        self, view: View, scope: ChunkScope, titles: Titles, passages: LinkedPassages, asked: Asked, base: _Base
    ) -> dict[ChunkKey, float]:
        """Return the best passage of each document whose title is in the question, with a score of 0-1."""
        found: dict[ChunkKey, float] = {}
        for form, documents in titles.named(asked.plain).items():
            share = certainty(form, len(documents)) * passages.rarity(form, asked.language)
            for key in self._best_of(view, scope, documents[:REACHED], base):
                found[key] = max(found.get(key, 0.0), share)
        return found

    def _best_of(self, view: View, scope: ChunkScope, documents: Iterable[int], base: _Base) -> list[ChunkKey]:
        """Return for each document, given by its ordinal, the passage ranked best by the question, else its first."""
        found = []
        for document in documents:
            first = ChunkKey(document, 0)
            place = view.place(first)
            keys = [ChunkKey(document, position) for position in range(place[0].chunk_count if place else 0)]
            inside = [key for key in (base.best_of(keys), first) if key is not None and scope.holds(key)]
            found += inside[:1]
        return found

    def _reached(
        self,
        view: View,
        scope: ChunkScope,
        titles: Titles,
        passages: LinkedPassages,
        asked: Asked,
        seed: LinkedPassage,
        base: _Base,
    ) -> dict[ChunkKey, float]:
        """Return the passages a seed leads to, with scores of about 0-3."""
        language = asked.language
        own = title_forms(seed.title)
        leads = {form: held for form, held in titles.inside(seed.text).items() if not contains(asked.plain, form)}
        new = [name for name in dict.fromkeys((*seed.names, *own)) if not contains(asked.plain, name)]
        if not new and not leads:
            return {}
        beside = self._beside(asked, seed)
        rare = {name: passages.rarity(name, language) for name in new}
        shared = {name: rare[name] ** 2 * (1 + BESIDE * near(seed.text, name, beside)) for name in new}
        titled: dict[ChunkKey, float] = defaultdict(float)
        for form, documents in leads.items():
            sure = passages.rarity(form, language) / len(documents) ** 0.5
            sure *= 1 + BESIDE_TITLE * near(seed.text, form, beside)
            for key in self._best_of(view, scope, documents[:REACHED], base):
                titled[key] = max(titled[key], sure)
        left = [stem for stem in asked.weights if stem not in seed.stems]
        keys = [*titled, *self._holding(scope, sorted(rare, key=lambda name: (-rare[name], name)), asked, left)]
        others = [one for one in passages.load(list(dict.fromkeys(keys)), language) if one.key != seed.key]
        if not others:
            return {}
        rest = asked.vector - RESIDUAL * float(asked.vector @ seed.vector) * seed.vector
        rest = rest / max(float(np.linalg.norm(rest)), 1e-6)
        meant = np.maximum(np.stack([one.vector for one in others]) @ rest, 0.0)
        open_weight = sum(asked.weights[stem] for stem in left) + 0.15 * asked.whole
        scores: dict[ChunkKey, float] = {}
        for one, close in zip(others, meant, strict=True):
            common = sum(weight for name, weight in shared.items() if contains(one.text, name))
            title = titled.get(one.key, 0.0)
            if common <= _LEAST_SHARED and not title:
                continue
            worded = sum(asked.weights[stem] for stem in left if stem in one.stems) / open_weight
            says = FLOOR + MEANT * float(close) + OPEN * worded
            scores[one.key] = min(1.0, common) * says + title * max(NAMED, says)
        return scores

    def _beside(self, asked: Asked, seed: LinkedPassage) -> dict[str, float]:
        """Return the words of the question that are not in the seed's title, with weights that sum to 1."""
        title = stems(seed.title, asked.language)
        weights = {
            word: max(asked.weights.get(stem, 0.0) for stem in own)
            for word, own in asked.words.items()
            if not own & title
        }
        total = sum(weights.values()) or 1.0
        return {word: weight / total for word, weight in weights.items()}

    def _holding(self, scope: ChunkScope, names: Sequence[str], asked: Asked, left: Sequence[str]) -> list[ChunkKey]:
        """Return the passages that best match the rarest names and the words still open."""
        words = [word for word, own in asked.words.items() if own & set(left)]
        text = " ".join((*names[:_NAMES], *words))
        found, _ = self._store.index.keyword(text, scope, REACHED, count=False)
        return [key for key, _ in found if scope.holds(key)]

    def _hit(
        self,
        passage: LinkedPassage,
        query: str,
        candidate: Candidate,
        gain: float,
        base: _Base,
        reasons: tuple[str, ...],
    ) -> Hit:
        return Hit(
            chunk=passage.chunk,
            score=gain,
            scores={**base.sides(candidate.key), "fused": candidate.base, "linked": candidate.linked},
            title=passage.title,
            file=passage.file,
            snippet=snippet(passage.chunk.text, query),
            reasons=reasons,
        )


def _names_lead_on(view: View, scope: ChunkScope) -> bool:
    """Return whether texts are likely to mention the scope's documents by title: they are many, short and titled."""
    count = len(scope.documents)
    if not (scope.whole and FEWEST <= count <= MOST and scope.size <= LONGEST * count):
        return False
    return view.titled_share() >= TITLED_SHARE


def _chosen(candidates: Sequence[Candidate], shares: Mapping[str, float], count: int) -> list[tuple[Candidate, float]]:
    """Choose the first candidates together for coverage, the others by their own score."""
    first = choose(candidates, shares, min(count, WHOLE))
    taken = {one.key for one, _ in first}
    rest = sorted(
        ((one, one.base + one.linked) for one in candidates if one.key not in taken),
        key=lambda entry: (-round(entry[1], 6), entry[0].key),
    )
    return sorted([*first, *rest[: count - len(first)]], key=lambda entry: -round(entry[1], 6))


class _Base:
    """The score of a passage by the question alone: both sides of the hybrid search, scaled, and its title."""

    def __init__(
        self,
        semantic: Ranked,
        keyword: Ranked,
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

    def of(self, key: ChunkKey, cosine: float, named: Mapping[ChunkKey, float]) -> float:
        meaning = max(cosine - self._floor, 0.0) / self._span
        words = self._words.get(key, 0.0)
        return self._share * meaning + (1 - self._share) * words + TITLED * named.get(key, 0.0)

    def sides(self, key: ChunkKey) -> dict[str, float]:
        """Return the semantic and keyword scores of a passage, if found."""
        sides = {"semantic": self._cosines, "keyword": self._keyword}
        return {side: values[key] for side, values in sides.items() if key in values}

    def keys(self, count: int) -> list[ChunkKey]:
        """Return the best passages of each side."""
        return [*list(self._cosines)[:count], *list(self._words)[:count]]

    def best(self, count: int, named: Mapping[ChunkKey, float]) -> list[ChunkKey]:
        keys = dict.fromkeys([*self.keys(CLOSE), *named])
        scores = {key: self.of(key, self._cosines.get(key, 0.0), named) for key in keys}
        return sorted(scores, key=lambda key: (-round(scores[key], 6), key))[:count]

    def best_of(self, keys: Sequence[ChunkKey]) -> ChunkKey | None:
        """Return the highest-ranked of some passages, the first of equals, or None if the search found none of them."""
        found = [key for key in keys if key in self._words or key in self._cosines]
        return max(found, key=lambda key: self.of(key, self._cosines.get(key, 0.0), {}), default=None)
