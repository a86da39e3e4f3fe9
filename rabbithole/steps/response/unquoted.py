"""Finds the parts of a question whose words hardly stand in the passages quoted for several parts.

Most of these parts are answered by what is quoted for another, in other words, so nothing more is said of them than
that no passage of their own was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.selection import question_part

from .models import QuotedPassage
from .part_context import own_words, said_in

LEAST = 0.35
"""Share of a part's own words, weighted by rarity, from which on a passage may be about it."""


def unquoted(
    kb: KnowledgeBase, parts: Sequence[str], passages: Sequence[QuotedPassage], language: str
) -> tuple[str, ...]:
    """Return the parts of which no passage has a good share of the words, if a passage has that of another part."""
    shares = [max((_share(kb, part, one, language) for one in passages), default=0.0) for part in parts]
    if max(shares, default=0.0) < LEAST:
        return ()
    return tuple(part for part, share in zip(parts, shares, strict=True) if share < LEAST)


def _share(kb: KnowledgeBase, part: str, passage: QuotedPassage, language: str) -> float:
    words = own_words(kb, question_part(part, language))
    label = passage.evidence.section_label
    return said_in(words, f"{label} {passage.head} {passage.text}", language)
