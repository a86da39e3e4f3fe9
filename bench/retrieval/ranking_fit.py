"""Chooses weights of search by cross-validation: for each set, those that are best on the mean of the others.

The weight of meaning and the weight of references are varied; all else is fixed by the recipe. The figures of a set are
therefore measured on questions that took no part in the choice. The last line is the choice by all sets, as the product
has it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Hit
from rabbithole.kb.search.fusion import Ranked, fuse
from rabbithole.kb.search.passages import Passages
from rabbithole.kb.search.question_words import QuestionWords
from rabbithole.kb.search.reference_ranking import References, Tied, lifted, ways
from rabbithole.kb.search.weights import reviewed
from rabbithole.kb.store.ports import ChunkKey

from .ranking_sets import RankingSet

MEANING = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)
REFERENCES = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
_CANDIDATES, _DEEP = 100, 10
Setting = tuple[float, float]


class Seen(NamedTuple):
    """What the weights apply to for one question: both sides, links of chunks that may be seeds, and their places."""

    semantic: Ranked
    keyword: Ranked
    matched: float
    tied: Mapping[ChunkKey, Tied]
    places: Mapping[ChunkKey, frozenset[str]]
    gold: frozenset[str]


def fit(sets: Sequence[RankingSet]) -> None:
    """Print, by language, the result of each set with the weights chosen by the others."""
    german = {"legalquad", "gesetze", "ordnungen", "law-pdfs", "handbuch"}
    for language, chosen in (
        ("de", [s for s in sets if s.name in german]),
        ("en", [s for s in sets if s.name not in german]),
    ):
        gains = {data.name: _gains(_seen(data)) for data in chosen}
        for name, own in gains.items():
            others = [other for each, other in gains.items() if each.split()[0] != name.split()[0]]
            setting = _best(others or [own])
            print(f"{language} {name}: meaning {setting[0]}, references {setting[1]} by the others: nDCG@10 "
                  f"{own[setting]:.3f}; its own best {max(own.values()):.3f}; without references "
                  f"{own[setting[0], 0.0]:.3f}", flush=True)  # fmt: skip
        if gains:
            setting = _best(list(gains.values()))
            print(f"{language} all: meaning {setting[0]}, references {setting[1]}")


def _best(gains: Sequence[Mapping[Setting, float]]) -> Setting:
    return max(gains[0], key=lambda setting: (round(sum(one[setting] for one in gains), 6), -setting[1], -setting[0]))


def _gains(seen: Sequence[Seen]) -> dict[Setting, float]:
    weights, unmatched = reviewed().references, reviewed().unmatched
    found = {}
    for meaning, share in product(MEANING, REFERENCES):
        own = weights.model_copy(update={"share": share})
        total = 0.0
        for one in seen:
            ranked = fuse(one.semantic, one.keyword, unmatched.raised(meaning, one.matched))
            reached = ways(ranked, lambda key, one=one: one.tied.get(key, Tied((), ())), one.places.__contains__, own)  # type: ignore[misc]
            total += _gain([key for key, _ in lifted(ranked, reached)], one)
        found[meaning, share] = total / max(len(seen), 1)
    return found


def _gain(keys: Sequence[ChunkKey], one: Seen) -> float:
    """Return nDCG@10, with each place counted once."""
    shown: set[str] = set()
    rank, gain = 0, 0.0
    for key in keys:
        places = one.places.get(key, frozenset())
        if places and places <= shown:
            continue
        gain += len(places & one.gold - shown) / math.log2(rank + 2)
        shown |= places
        rank += 1
        if rank == _DEEP:
            break
    return gain / sum(1 / math.log2(at + 2) for at in range(min(len(one.gold), _DEEP)))


def _seen(data: RankingSet) -> list[Seen]:
    seen = []
    with KnowledgeBase.open(data.base) as kb:
        searcher, references = kb._searcher, References(kb._graph)
        kb._graph.update()
        view = searcher.view()
        scope = view.scope((), (), (), None)
        weights = reviewed().references
        for asked in data.asked:
            found = searcher.sides.all(view, scope, asked.question, _CANDIDATES)
            semantic, words = found.semantic, searcher.words(view, scope, asked.question, found, _CANDIDATES)
            passages = Passages(kb.store.catalog, view)
            question = QuestionWords(kb.store.index, passages, asked.question, found.language)
            matched = searcher.matched(question, found)
            tied = {
                key: references.tied(view, key, weights)
                for key, _ in (*semantic[: weights.seeds], *words[: weights.seeds])
            }
            reached = {ChunkKey(document, position) for ties in tied.values() for runs in ties
                       for document, first, n in runs if n <= weights.widest
                       for position in range(first, first + n)}  # fmt: skip
            keys = {key for key, _ in (*semantic, *words)} | reached
            places = {}
            for key in keys:
                if (place := view.place(key)) is not None:
                    chunk = kb.store.catalog.chunk_at(place[0], place[1])
                    hit = Hit(chunk=chunk, score=0, file=place[0].document.file)
                    places[key] = frozenset(data.place(kb, hit, asked))
            seen.append(Seen(semantic, words, matched, tied, places, asked.gold))
    return seen
