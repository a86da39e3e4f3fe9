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

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rabbithole.kb.models import Filter, Hit, SearchResult
from rabbithole.kb.search.coverage import Candidate, choose
from rabbithole.kb.search.fusion import fuse
from rabbithole.kb.search.hybrid import Searcher
from rabbithole.kb.search.passages import Passages
from rabbithole.kb.search.scope import View
from rabbithole.kb.search.snippet import snippet
from rabbithole.kb.store.ports import ChunkKey, ChunkScope
from rabbithole.kb.store.store import Store

from .base_scores import CLOSE, BaseScores
from .linked_passages import LinkedPassage, LinkedPassages
from .name_links import NameLinks
from .prepared_question import prepared_question
from .titles import Titles

# One setting for MuSiQue, HotpotQA and 2WikiMultihopQA; docs/rejected.md shows the effect of each value.
SEEDS = 4
WORDED = 1_000  # best keyword hits
SHARE = 0.4  # semantic weight: higher than in a single search, as the words of a later hop are not in the question
MEANING = 0.1  # added to the semantic weight if that is set
SUPPORT = 0.15  # share of the best passage it leads to that is added to a seed
FEWEST, MOST = 8, 100_000  # numbers of documents among which names are followed
LONGEST = 2.0  # maximum number of passages per document, on average
TITLED_SHARE = 0.9  # minimum share of documents with a title
WHOLE = 20  # number of first hits that are chosen together


@dataclass(frozen=True)
class SeedLink:
    """How a passage was reached: the seed, and the score gained by it."""

    seed: ChunkKey
    score: float


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
        asked = prepared_question(query, languages.most_common(1)[0][0], self._store, self._searcher)
        semantic, keyword = self._searcher.sides.two(scope, query, WORDED)
        base = BaseScores(semantic, keyword, self._share())
        fused = fuse(semantic[:CLOSE], keyword[:CLOSE], self._searcher.share_of_meaning(asked.language))
        tied = self._searcher.ways(view, scope, fused)
        links = NameLinks(self._store, view, scope, titles, passages, asked, base)
        named = links.of_question()
        seeds = passages.load(base.best(SEEDS, named), asked.language)
        ways: dict[ChunkKey, SeedLink] = {}
        support: dict[ChunkKey, float] = {}
        for seed in seeds:
            value = base.of(seed.key, float(seed.vector @ asked.vector), named)
            reached = links.of_seed(seed)
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

    def _hit(
        self,
        passage: LinkedPassage,
        query: str,
        candidate: Candidate,
        gain: float,
        base: BaseScores,
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
