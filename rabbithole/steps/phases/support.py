"""Measure how well sources support the sentences that cite them, and the RAG triad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.protocol import Reasoner, SupportClaim
from rabbithole.steps.report_models import WeakSentence

Weighed = tuple[tuple[float, ...], tuple[WeakSentence, ...]]


async def weigh(reasoner: Reasoner, claims: Sequence[tuple[str, str, str]], threshold: float) -> Weighed:
    """Return the support (0-1) of each claim (marker, sentence, source text), and the claims below ``threshold``."""
    if not claims:
        return (), ()
    scores = await reasoner.support([SupportClaim(sentence=text, source=source) for _, text, source in claims])
    weak = tuple(
        WeakSentence(text=text, marker=marker, support=score)
        for (marker, text, _), score in zip(claims, scores, strict=True)
        if score < threshold
    )
    return tuple(scores), weak


def triad(evidence: Sequence[Evidence], support: Sequence[float], query_relevance: int) -> Mapping[str, float]:
    """Return context relevance (mean evidence score), groundedness (mean support) and answer relevance, each 0-1."""

    def mean(values: Sequence[float]) -> float:
        return round(sum(values) / len(values), 4) if values else 0.0

    return {
        "context_relevance": mean([item.score for item in evidence]),
        "groundedness": mean(support),
        "answer_relevance": round(query_relevance / 100, 4),
    }
