"""Quotes what stands between two passages of a section that are quoted for different parts of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rabbithole.kb.knowledge_base import KnowledgeBase

from .informs import informs
from .models import Block, QuotedPassage
from .quoting.passage_builder import PassageBuilder
from .quoting.passage_text import ends_sentence

BETWEEN = 60
"""Maximum number of words between them."""


def bridged(kb: KnowledgeBase, blocks: Sequence[Block], builder: PassageBuilder) -> list[Block]:
    """Return the blocks with passages continued up to the next one of their section, if that is near.

    The sentence that answers often stands between two that have words of the question, and has none itself.
    """
    prose = (one for block in blocks for one in block.passages if one.kind != "table")
    quoted = sorted(prose, key=_place)
    longer: dict[tuple[str, str, int], QuotedPassage] = {}
    for one, other in pairwise(quoted):
        document, section, _ = _place(one)
        if not section or (document, section) != _place(other)[:2]:
            continue
        between = kb.text(document, one.end, max(one.end, other.start))
        if len(between.split()) <= BETWEEN and _has_sentence(between) and informs(between):
            longer[_place(one)] = builder.within(one, one.start, other.start)
    return [_continued(block, longer, builder) for block in blocks]


def _continued(block: Block, longer: Mapping[tuple[str, str, int], QuotedPassage], builder: PassageBuilder) -> Block:
    """Return a block with its passages continued; those that then meet are one."""
    if not any(_place(one) in longer for one in block.passages):
        return block
    passages = builder.joined([longer.get(_place(one), one) for one in block.passages])
    return block.model_copy(update={"passages": tuple(passages)})


def _has_sentence(text: str) -> bool:
    """Return whether a line of prose ends a sentence: names and numbers of an imprint do not."""
    return "|" not in text and any(ends_sentence(line.strip()) for line in text.splitlines())


def _place(passage: QuotedPassage) -> tuple[str, str, int]:
    return passage.evidence.document, passage.evidence.section or "", passage.start
