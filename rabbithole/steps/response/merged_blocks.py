"""Merges blocks that quote the same passages, so that each passage is quoted once."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import Understood

from .choosing import Chosen
from .models import Block
from .part_block import EXCERPTS, NEXT, most_shown
from .quotable import quotable
from .quoting.passage_builder import PassageBuilder


def merged(blocks: Sequence[Block]) -> list[Block]:
    """Merge blocks that quote the same passages: each passage is quoted once, and the parts are named together.

    They count as answered if each of them is; the probability is that of the less certain part.
    """
    kept: list[Block] = []
    for block in blocks:
        same = next((at for at, one in enumerate(kept) if _covers(one, block)), None)
        if same is None:
            kept.append(block)
            continue
        less = min((kept[same], block), key=lambda one: (one.finding == "answered", one.probability))
        parts, passages = (*kept[same].parts, *block.parts), kept[same].passages
        kept[same] = less.model_copy(update={"parts": parts, "passages": passages})
    return kept


def with_next(
    kb: KnowledgeBase, understood: Understood, block: Block, chosen: Sequence[Chosen], builder: PassageBuilder
) -> Block:
    """Add the next best passage of each part to a block that answers several parts with the same passage.

    That passage may answer only one of them: 'Which rate must be reached, and by when is it reported?'
    """
    if len(block.parts) == 1 or not block.passages:
        return block
    passages = list(block.passages)
    for one in chosen:
        units = quotable(kb, one.selection, understood)
        if one.text not in block.parts or not units or len(passages) >= most_shown(block.probability):
            continue
        near = (each for each in units if each.score >= units[0].score - NEXT)
        fresh = next((each for each in near if not any(passage.touches(each.unit) for passage in passages)), None)
        if fresh is not None:
            passages.append(builder.excerpt(fresh, EXCERPTS[-1]))
    return block.model_copy(update={"passages": tuple(builder.joined(passages))})


def _covers(one: Block, other: Block) -> bool:
    if not one.passages or not other.passages:
        return False
    spans = {(p.evidence.document, p.start, p.end) for p in one.passages}
    return all((p.evidence.document, p.start, p.end) in spans for p in other.passages)
