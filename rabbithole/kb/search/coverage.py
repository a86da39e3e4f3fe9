"""Choose passages that together cover the whole question, instead of several on the same part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rabbithole.kb.store.ports import ChunkKey

COVERAGE = 1.6  # gain for covering everything the other passages leave open
REPEATED = 0.9  # factor on the linked gain of each further passage reached from the same seed
POOL = 60  # number of best candidates considered


@dataclass(frozen=True)
class Candidate:
    """A passage with its score from the question (``base``), from ``seed`` (``linked``), and the words it covers."""

    key: ChunkKey
    base: float
    linked: float
    seed: ChunkKey | None
    covered: frozenset[str]


def choose(
    candidates: Sequence[Candidate], weights: Mapping[str, float], count: int, coverage: float = COVERAGE
) -> list[tuple[Candidate, float]]:
    """Choose up to ``count`` candidates greedily by their gain over those chosen before; return them with their gains.

    ``weights`` are the question's words with weights that sum to 1 (maximum coverage, Nemhauser et al., 1978);
    ``coverage`` is the gain for covering all of them.
    """
    order = sorted(candidates, key=lambda one: (-round(one.base + one.linked, 6), one.key))
    waiting = order[: max(POOL, 2 * count)]
    left = set(weights)
    used: Counter[ChunkKey] = Counter()
    chosen: list[tuple[Candidate, float]] = []

    def gain(one: Candidate) -> float:
        linked = one.linked * (REPEATED ** used[one.seed] if one.seed is not None else 1.0)
        return one.base + linked + coverage * sum(weights[word] for word in one.covered & left)

    gains = [gain(one) for one in waiting]
    compared = [round(own, 6) for own in gains]
    while waiting and len(chosen) < count:
        best = compared.index(max(compared))
        compared.pop(best)
        one = waiting.pop(best)
        chosen.append((one, gains.pop(best)))
        covered = one.covered & left
        left -= covered
        repeated = one.seed if one.linked > one.base else None
        if repeated is not None:
            used[repeated] += 1
        for at, other in enumerate(waiting):  # only these gains have changed
            if not covered.isdisjoint(other.covered) or (repeated is not None and other.seed == repeated):
                gains[at] = gain(other)
                compared[at] = round(gains[at], 6)
    return chosen
