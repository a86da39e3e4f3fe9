"""Rank by resolved references: places that a good hit refers to, or is referred to by, move up.

A question that needs two places often has the words of only one of them; a reference links them. The gain is a share of
the hit's score, divided by the square root of the number of passages in the place. Of several gains only the largest
counts, so that a place does not win merely because many refer to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rabbithole.kb.references.graph.reference_graph import StoredReferences
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.reference_rows import Tie

from .fusion import Ranked
from .scope import View
from .weights import ReferenceWeights


class Way(NamedTuple):
    """How a chunk was reached: ``seed`` refers to it (``forward``), or it refers to ``seed``; with its ``gain``."""

    seed: ChunkKey
    forward: bool
    gain: float


class Tied(NamedTuple):
    """The places that a passage refers to (``forward``) and those that refer to it (``back``)."""

    forward: Sequence[Tie]
    back: Sequence[Tie]


def ways(
    ranked: Ranked, tied: Callable[[ChunkKey], Tied], holds: Callable[[ChunkKey], bool], weights: ReferenceWeights
) -> dict[ChunkKey, Way]:
    """Return chunk -> the best way to it from the first hits of a list. ``holds`` returns whether one is in scope."""
    pool = {key for key, _ in ranked[: weights.pool]}
    found: dict[ChunkKey, Way] = {}
    for seed, score in ranked[: weights.seeds]:
        ties = tied(seed)
        for places, forward in ((ties.forward, True), (ties.back, False)):
            crowd = 1.0 if forward else _crowd(len(places), weights)
            for document, first, count in places:
                if not 0 < count <= weights.widest:
                    continue
                gain = weights.share * score * crowd / math.sqrt(count)
                for position in range(first, first + count):
                    key = ChunkKey(document, position)
                    own = gain if key in pool else weights.outside * gain
                    if key != seed and own > (found[key].gain if key in found else 0.0) and holds(key):
                        found[key] = Way(seed, forward, own)
    return found


def _crowd(count: int, weights: ReferenceWeights) -> float:
    """Return the factor on a gain if ``count`` passages refer to the hit."""
    return 0.0 if count >= weights.everywhere else math.sqrt(min(1.0, weights.hub / max(count, 1)))


def lifted(ranked: Ranked, reached: Mapping[ChunkKey, Way]) -> list[tuple[ChunkKey, float]]:
    """Return the list with the gains added, best first; ties by key."""
    scores = dict(ranked)
    for key, way in reached.items():
        scores[key] = scores.get(key, 0.0) + way.gain
    return sorted(scores.items(), key=lambda entry: (-round(entry[1], 6), entry[0]))


class References:
    """The references between chunks, from the graph. Thread-safe."""

    def __init__(self, graph: StoredReferences) -> None:
        self._graph = graph

    def ways(
        self, view: View, ranked: Ranked, holds: Callable[[ChunkKey], bool], weights: ReferenceWeights
    ) -> dict[ChunkKey, Way]:
        """Call the function ``ways`` with the places of the graph, which is first brought up to date if it is small."""
        self._graph.update_if_small()
        if not self._graph.rows.exist:
            return {}
        return ways(ranked, lambda key: self.tied(view, key, weights), holds, weights)

    def tied(self, view: View, key: ChunkKey, weights: ReferenceWeights) -> Tied:
        """Return what a chunk refers to, and what refers to it as part of a place that is not too wide."""
        if view.place(key) is None:
            return Tied((), ())
        rows = self._graph.rows
        named = rows.named_by(key.document, key.position, weights.everywhere)
        naming = rows.naming(key.document, key.position, weights.widest, weights.everywhere)
        return Tied(
            [tie for tie in named if view.shows(tie.ordinal)], [tie for tie in naming if view.shows(tie.ordinal)]
        )
