"""Choosing a set of passages that together speak of the whole question, not five that speak of the same part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COVERAGE = 1.6  # what it is worth to cover all of what the others leave open of the question
REPEATED = 0.9  # what a further passage reached from the same seed keeps of what the way there gave it
POOL = 60  # the best this many are considered


@dataclass(frozen=True)
class Candidate:
    """``base``: what the question itself gives it; ``linked``: what the way from ``seed`` adds; ``covered``: words."""

    row: int
    base: float
    linked: float
    seed: int | None
    covered: frozenset[str]


def choose(
    candidates: Sequence[Candidate], weights: Mapping[str, float], count: int, coverage: float = COVERAGE
) -> list[tuple[Candidate, float]]:
    """Up to ``count`` candidates with the gain each was chosen for, falling: greedy, each judged beside those before.

    ``weights``: the question's words with what they weigh, together 1 (maximum coverage, Nemhauser et al., 1978).
    ``coverage``: what it is worth to cover all of them.
    """
    order = sorted(candidates, key=lambda one: (-round(one.base + one.linked, 6), one.row))
    waiting = order[: max(POOL, 2 * count)]
    left = set(weights)
    used: Counter[int] = Counter()
    chosen: list[tuple[Candidate, float]] = []
    while waiting and len(chosen) < count:
        gains = [
            one.base
            + one.linked * (REPEATED ** used[one.seed] if one.seed is not None else 1.0)
            + coverage * sum(weights[word] for word in one.covered & left)
            for one in waiting
        ]
        best = max(range(len(waiting)), key=lambda at: (round(gains[at], 6), -at))
        one = waiting.pop(best)
        chosen.append((one, gains[best]))
        left -= one.covered
        if one.seed is not None and one.linked > one.base:
            used[one.seed] += 1
    return chosen
