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
from rabbithole.kb.store.reference_rows import Tie

from .fusion import Ranked
from .scope import View
from .weights import ReferenceWeights


class Way(NamedTuple):
    """How a row was reached: ``seed`` refers to it (``forward``), or it refers to ``seed``; with its ``gain``."""

    seed: int
    forward: bool
    gain: float


class Tied(NamedTuple):
    """Runs of rows (first, count) that a passage refers to (``forward``) and that refer to it (``back``)."""

    forward: Sequence[tuple[int, int]]
    back: Sequence[tuple[int, int]]


def ways(
    ranked: Ranked, tied: Callable[[int], Tied], holds: Callable[[int], bool], weights: ReferenceWeights
) -> dict[int, Way]:
    """Return row -> the best way to it from the first hits of a list. ``holds`` returns whether a row is in scope."""
    pool = {row for row, _ in ranked[: weights.pool]}
    found: dict[int, Way] = {}
    for seed, score in ranked[: weights.seeds]:
        ties = tied(seed)
        for runs, forward in ((ties.forward, True), (ties.back, False)):
            crowd = 1.0 if forward else _crowd(len(runs), weights)
            for first, count in runs:
                if not 0 < count <= weights.widest:
                    continue
                gain = weights.share * score * crowd / math.sqrt(count)
                for row in range(first, first + count):
                    own = gain if row in pool else weights.outside * gain
                    if row != seed and own > (found[row].gain if row in found else 0.0) and holds(row):
                        found[row] = Way(seed, forward, own)
    return found


def _crowd(count: int, weights: ReferenceWeights) -> float:
    """Return the factor on a gain if ``count`` passages refer to the hit."""
    return 0.0 if count >= weights.everywhere else math.sqrt(min(1.0, weights.hub / max(count, 1)))


def lifted(ranked: Ranked, reached: Mapping[int, Way]) -> list[tuple[int, float]]:
    """Return the list with the gains added, best first; ties by row."""
    scores = dict(ranked)
    for row, way in reached.items():
        scores[row] = scores.get(row, 0.0) + way.gain
    return sorted(scores.items(), key=lambda entry: (-round(entry[1], 6), entry[0]))


class References:
    """The references between rows, from the graph. Thread-safe."""

    def __init__(self, graph: StoredReferences) -> None:
        self._graph = graph

    def ways(
        self, view: View, ranked: Ranked, holds: Callable[[int], bool], weights: ReferenceWeights
    ) -> dict[int, Way]:
        """Call the function ``ways`` with the rows of the graph, which is brought up to date first."""
        self._graph.update_if_small()
        return ways(ranked, lambda row: self.tied(view, row, weights), holds, weights)

    def tied(self, view: View, row: int, weights: ReferenceWeights) -> Tied:
        """Return what a row refers to, and what refers to it as part of a place that is not too wide."""
        place = view.place(row)
        if place is None:
            return Tied((), ())
        entry, position = place
        rows = self._graph.rows
        return Tied(
            self._runs(view, rows.named_by(entry.ordinal, position, weights.everywhere)),
            self._runs(view, rows.naming(entry.ordinal, position, weights.widest, weights.everywhere)),
        )

    def _runs(self, view: View, ties: Sequence[Tie]) -> list[tuple[int, int]]:
        firsts = ((view.first_row(tie.ordinal), tie) for tie in ties)
        return [(first + tie.first, tie.passages) for first, tie in firsts if first is not None]
