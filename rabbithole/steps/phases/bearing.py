"""Which passages bear on the question, told by the words they share with it, as far as a search alone cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Anchor, Evidence
from rabbithole.steps.reasoning.text.similarity import coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import wanted

SHARE = 0.5
"""Least share of the question's words in a passage, of those in the best one."""
_COMMON = 0.05


def bearing(kb: KnowledgeBase, anchor: Anchor, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the passages with at least half as much of the question as the best one; rare words count more.

    In a base with several subjects the last hits of a search are often about another one. All passages are returned if
    none has a word of the question, as with a question in another language. Blocks.
    """
    language = anchor.language
    matter = dict(wanted(anchor.query, language))
    rarity = {stem: max(kb.rarity(stem, language), _COMMON) for stem in matter}

    def share(item: Evidence) -> float:
        text = item.info if item.external else kb.text(item.document, item.start, item.end)
        return coverage(matter, stem_set(f"{item.title} {item.section_label} {text}", language), rarity)

    shares = [share(item) for item in evidence]
    least = SHARE * max(shares, default=0.0)
    return tuple(item for item, own in zip(evidence, shares, strict=True) if own >= least)
