"""The tier of a piece of evidence, and its weight."""

from __future__ import annotations

from rabbithole.steps.models import TIER_WEIGHTS, Evidence, Tier

PRIMARY_SCORE = 0.85
SECONDARY_SCORE = 0.6


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
