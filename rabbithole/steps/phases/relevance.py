"""Scores that mean the same with every embedding, and what is kept by them."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Evidence

INHERITED_SHARE = 0.5
"""Of the score of the place that names it: what relevant law refers to is not irrelevant."""


def calibrated(scores: Sequence[float]) -> list[float]:
    """Scores of one result list scaled so that the best is 1.0 and distances keep their proportion to it.

    Similarities of different embeddings live in different ranges (one has everything above 0.6, another nothing),
    so only their order and their proportion to the best of the same query carry over.
    """
    if not scores:
        return []
    best, worst = max(scores), min(scores)
    if best <= 0:
        return [1.0 if score == best else 0.0 for score in scores]
    floor = min(0.0, worst)
    return [(score - floor) / (best - floor) for score in scores]


def scaled(relevance: float, best: float, retrieval: float = 0.0) -> float:
    """A passage's score: its relevance in proportion to the ``best`` of the task's search, helped by its rank there.

    What 0.6 means then is the same with every reasoner and embedding: more than half as good as the best.
    """
    own = min(1.0, relevance / best) if best > 0 else 0.0
    return round(max(own, (own + retrieval) / 2), 4) if own > 0 else 0.0


def keep(evidence: Sequence[Evidence], threshold: float, minimum: int) -> tuple[Evidence, ...]:
    """Evidence scoring ``threshold`` or better, filled up to ``minimum`` by the best of the rest; order kept."""
    good = [item for item in evidence if item.score >= threshold]
    if len(good) < minimum:
        rest = sorted((item for item in evidence if item.score < threshold), key=lambda item: (-item.score, item.key))
        good += rest[: minimum - len(good)]
    chosen = {item.key for item in good}
    return tuple(item for item in evidence if item.key in chosen)
