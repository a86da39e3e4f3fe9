"""Two ranked lists into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Ranked = Sequence[tuple[int, float]]


def fuse(semantic: Ranked, keyword: Ranked, weight: float) -> list[tuple[int, float]]:
    """Convex combination of scores scaled to 0..1 by each list's best and worst (Bruch et al., 2023).

    ``weight`` is the semantic side's share. An item that one list lacks gets that list's lowest score, 0.
    Returns (item, score), best first; ties by item.
    """
    left, right = scaled(semantic), scaled(keyword)
    fused = {item: weight * left.get(item, 0.0) + (1.0 - weight) * right.get(item, 0.0) for item in {*left, *right}}
    return sorted(fused.items(), key=lambda entry: (-round(entry[1], 6), entry[0]))


def scaled(ranked: Ranked) -> Mapping[int, float]:
    """Scores scaled so that the best is 1 and zero stays 0 (or the worst, where scores are negative)."""
    if not ranked:
        return {}
    best = max(score for _, score in ranked)
    floor = min(0.0, min(score for _, score in ranked))
    span = best - floor
    return {item: (score - floor) / span if span > 0 else 1.0 for item, score in ranked}
