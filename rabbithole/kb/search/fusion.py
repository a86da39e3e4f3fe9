"""Fuse two ranked lists into one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from rabbithole.kb.store.ports import ChunkKey

Ranked = Sequence[tuple[ChunkKey, float]]
Item = TypeVar("Item", ChunkKey, int)


def fuse(
    semantic: Sequence[tuple[Item, float]], keyword: Sequence[tuple[Item, float]], weight: float
) -> list[tuple[Item, float]]:
    """Return the convex combination of both lists' scores, scaled to 0..1 (Bruch et al., 2023).

    ``weight`` is the share of the semantic list. An item missing from a list gets its lowest score, 0.
    The result is (item, score), best first; ties by item.
    """
    fused = {item: weight * score for item, score in scaled(semantic).items()}
    for item, score in scaled(keyword).items():
        fused[item] = fused.get(item, 0.0) + (1.0 - weight) * score
    return sorted(fused.items(), key=lambda entry: (-round(entry[1], 6), entry[0]))


def fuse_where(
    letters: Sequence[tuple[Item, float]],
    words: Sequence[tuple[Item, float]],
    weight: float,
    lettered: Callable[[Item], bool],
) -> list[tuple[Item, float]]:
    """Return ``fuse(letters, words, weight)``, but items without letters keep their scaled score by words.

    Text that is not indexed by letters cannot be in the first list, which says nothing about it.
    """
    own = scaled(words)
    found = (
        (item, score if lettered(item) else max(score, own.get(item, 0.0)))
        for item, score in fuse(letters, words, weight)
    )
    return sorted(found, key=lambda entry: (-round(entry[1], 6), entry[0]))


def scaled(ranked: Sequence[tuple[Item, float]]) -> Mapping[Item, float]:
    """Return scores scaled so that the best is 1 and zero stays 0 (or the worst becomes 0, if scores are negative)."""
    if not ranked:
        return {}
    best = max(score for _, score in ranked)
    floor = min(0.0, min(score for _, score in ranked))
    span = best - floor
    return {item: (score - floor) / span if span > 0 else 1.0 for item, score in ranked}
