"""Which tier a piece of evidence belongs to, and what it weighs."""

from __future__ import annotations

from rabbithole.steps.models import TIER_WEIGHTS, Evidence, Tier

PRIMARY_SCORE = 0.85
SECONDARY_SCORE = 0.6


def classify(depth: int, score: float, *, names_entity: bool = False) -> Tier:
    """Found directly and strong, or naming an entity of the question: primary. One reference away: secondary."""
    if depth == 0:
        if score >= PRIMARY_SCORE or (names_entity and score >= SECONDARY_SCORE):
            return "primary"
        return "secondary" if score >= SECONDARY_SCORE else "tertiary"
    return "secondary" if depth == 1 else "tertiary"


def weight(evidence: Evidence) -> float:
    """Score of a piece of evidence weighted by its tier: what evidence is ordered by."""
    return evidence.score * TIER_WEIGHTS[evidence.tier]
