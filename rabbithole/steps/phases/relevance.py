"""The score and the tier of a piece of evidence, which decide whether it is kept and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import TIER_WEIGHTS, Evidence, Tier

PRIMARY_SCORE = 0.85
SECONDARY_SCORE = 0.6
INHERITED_SHARE = 0.5
"""Share of the source's score that a followed place gets at least, since it is named by a relevant passage."""


def calibrated(scores: Sequence[float]) -> list[float]:
    """Return the scores of one result list scaled so that the best is 1.0 and the proportions to it are kept.

    Different embeddings give similarities in different ranges (all above 0.6 for one, none for another), so only the
    order and the proportion to the best score of the same query are comparable.
    """
    if not scores:
        return []
    best, worst = max(scores), min(scores)
    if best <= 0:
        return [1.0 if score == best else 0.0 for score in scores]
    floor = min(0.0, worst)
    return [(score - floor) / (best - floor) for score in scores]


def scaled(relevance: float, best: float, retrieval: float = 0.0) -> float:
    """Return a passage's score: its relevance as a share of the task's ``best``, raised by its ``retrieval`` score.

    A score of 0.6 thus means the same with every reasoner and embedding: more than half as good as the best.
    """
    own = min(1.0, relevance / best) if best > 0 else 0.0
    return round(max(own, (own + retrieval) / 2), 4) if own > 0 else 0.0


def keep(evidence: Sequence[Evidence], threshold: float, minimum: int) -> tuple[Evidence, ...]:
    """Return evidence scoring at least ``threshold``, filled up to ``minimum`` with the best of the rest; in order."""
    good = [item for item in evidence if item.score >= threshold]
    if len(good) < minimum:
        rest = sorted((item for item in evidence if item.score < threshold), key=lambda item: (-item.score, item.key))
        good += rest[: minimum - len(good)]
    chosen = {item.key for item in good}
    return tuple(item for item in evidence if item.key in chosen)


def classify(depth: int, score: float, *, names_entity: bool = False) -> Tier:
    """Return the tier: primary if found directly with a high score or naming an entity of the question.

    Evidence one reference away is secondary; weak or more distant evidence is tertiary.
    """
    if depth == 0:
        if score >= PRIMARY_SCORE or (names_entity and score >= SECONDARY_SCORE):
            return "primary"
        return "secondary" if score >= SECONDARY_SCORE else "tertiary"
    return "secondary" if depth == 1 else "tertiary"


def weight(evidence: Evidence) -> float:
    """Return the score weighted by the tier, by which evidence is ordered."""
    return evidence.score * TIER_WEIGHTS[evidence.tier]
