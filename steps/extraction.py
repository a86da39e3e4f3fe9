"""From passages to evidence: one call for several passages; quotes are kept only where they stand verbatim."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..kb.knowledge_base import KnowledgeBase
from ..kb.models import QuotePlace
from .models import Anchor, ChainLink, Evidence, Quote, Todo
from .passages import Reading, open_reading
from .reasoning.protocol import Extraction, Passage, Reasoner
from .references import Mention, accept_found
from .settings import ResearchSettings
from .tiers import classify


async def extract(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    readings: Sequence[Reading],
    *,
    depth: int = 0,
    chain: tuple[ChainLink, ...] = (),
    mention: Mention | None = None,
) -> tuple[Evidence, ...]:
    """Read, extract, check. ``score`` is the passage's relevance to the task; a passage without one is left out."""
    if not readings:
        return ()
    via = f"{mention.source}:{mention.reference.start}" if mention else ""
    opened = await asyncio.to_thread(
        lambda: [open_reading(kb, todo.id, reading, depth=depth, chain=chain, via=via) for reading in readings]
    )
    wanted = settings.reference_extraction_method != "regex"
    extracted = await reasoner.extract(anchor, todo, [passage for _, passage in opened], references=wanted)
    by_key = {one.key: one for one in extracted}
    note = mention.resolution.note if mention else ""

    def check() -> tuple[Evidence, ...]:
        return tuple(
            _complete(kb, anchor, evidence.model_copy(update={"note": note}), passage, by_key[passage.key])
            for evidence, passage in opened
            if passage.key in by_key and by_key[passage.key].relevance > 0
        )

    return await asyncio.to_thread(check)


def _complete(
    kb: KnowledgeBase, anchor: Anchor, evidence: Evidence, passage: Passage, extraction: Extraction
) -> Evidence:
    quotes = tuple(quote for words in extraction.quotes if (quote := verified(kb, evidence, words)) is not None)
    names_entity = any(entity.casefold() in passage.text.casefold() for entity in anchor.entities if entity.strip())
    known = kb.references(evidence.document, evidence.start, evidence.end)
    score = extraction.relevance
    return evidence.model_copy(
        update={
            "info": extraction.info or (quotes[0].text if quotes else ""),
            "quotes": quotes,
            "score": score,
            "tier": classify(evidence.depth, score, names_entity=names_entity),
            "found": tuple(accept_found(passage.text, evidence.start, extraction.references, known)),
        }
    )


def verified(kb: KnowledgeBase, evidence: Evidence, words: str) -> Quote | None:
    """The words with the place they stand at inside this evidence's span; None when they do not stand there."""
    place = find_within(kb, evidence, words)
    inside = place is not None and evidence.start <= place.start and place.end <= evidence.end
    return Quote(text=words, place=place) if inside else None


def find_within(kb: KnowledgeBase, evidence: Evidence, words: str) -> QuotePlace | None:
    """Where the words stand in the document, inside the evidence's span when they stand there too."""
    first = kb.page_of(evidence.document, evidence.start)[0]
    last = kb.page_of(evidence.document, max(evidence.start, evidence.end - 1))[0]
    best: QuotePlace | None = None
    for page in range(first, last + 1):
        place = kb.find_quote(evidence.document, words, page=page)
        if place is None:
            return None
        if evidence.start <= place.start and place.end <= evidence.end:
            return place
        best = best or place
    return best
