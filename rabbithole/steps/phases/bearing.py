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
CLOSEST = 0.8
"""The same for a passage that chains of references may begin at."""
_COMMON = 0.05


def bearing(
    kb: KnowledgeBase, anchor: Anchor, evidence: Sequence[Evidence], least: float = SHARE
) -> tuple[Evidence, ...]:
    """Return the passages with at least this share of what the best one has of the question; rare words count more.

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
    best = max(shares, default=0.0)
    return tuple(item for item, own in zip(evidence, shares, strict=True) if own >= least * best)


def from_closest(
    kb: KnowledgeBase, anchor: Anchor, found: Sequence[Evidence], followed: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """Return the followed passages whose chain began at one of the passages found that are closest to the question.

    A passage at the end of a chain may have no word of the question and still be the answer, so its own words do not
    tell; where the chain began does. Blocks.
    """
    roots = {(item.document, item.section) for item in bearing(kb, anchor, found, CLOSEST)}
    return tuple(
        item for item in followed if not item.chain or (item.chain[0].document, item.chain[0].section) in roots
    )
