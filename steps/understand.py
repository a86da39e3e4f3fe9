"""Phase 1: rounds of retrieval, analysis and questions; at the end the anchor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from ..kb.knowledge_base import KnowledgeBase
from ..kb.models import Hit
from .convergence import duplicate_ratio
from .models import Anchor, Answer, Round
from .passages import passage_of_chunk, search_all
from .reasoning.protocol import Passage, Reasoner
from .settings import ResearchSettings

Language = Literal["de", "en"]
QUERIES_PER_ROUND = 3
MAX_QUESTIONS = 3


def answers_of(rounds: Sequence[Round]) -> tuple[Answer, ...]:
    return tuple(answer for one in rounds for answer in one.answers)


async def retrieve(
    kb: KnowledgeBase, queries: Sequence[str], collections: Sequence[str], settings: ResearchSettings
) -> tuple[Hit, ...]:
    """The best chunks of each query, de-duplicated, best first within each query."""
    return await asyncio.to_thread(search_all, kb, queries, collections, settings.k_results)


async def run_round(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    question: str,
    language: Language,
    rounds: Sequence[Round],
    collections: Sequence[str],
    *,
    ask: bool,
) -> Round:
    """One round: queries, retrieval, analysis; with ``ask`` the two or three questions this retrieval raises."""
    queries = (await reasoner.queries(question, language, rounds, answers_of(rounds)))[:QUERIES_PER_ROUND]
    hits = await retrieve(kb, queries, collections, settings)
    known = {chunk for one in rounds for chunk in one.chunks}
    new = [hit for hit in hits if hit.chunk.id not in known]
    passages = await passages_of_rounds(kb, rounds) + [passage_of_chunk(hit.chunk, hit.file, hit.score) for hit in new]
    analysis = await reasoner.analyse(question, language, passages)
    asked = [item.text for one in rounds for item in one.questions]
    questions = await reasoner.questions(question, language, analysis, passages, asked) if ask else ()
    return Round(
        index=len(rounds),
        queries=tuple(queries),
        chunks=tuple(hit.chunk.id for hit in new),
        scores=tuple(hit.score for hit in new),
        duplicate_ratio=duplicate_ratio(len(hits), len(new)),
        analysis=analysis,
        questions=tuple(questions[:MAX_QUESTIONS]),
    )


async def passages_of_rounds(kb: KnowledgeBase, rounds: Sequence[Round]) -> list[Passage]:
    """All chunks the conversation has brought so far, in the order they came."""

    def load() -> list[Passage]:
        chunks = [kb.chunk(chunk) for one in rounds for chunk in one.chunks]
        return [passage_of_chunk(chunk, kb.document(chunk.document).file) for chunk in chunks]

    return await asyncio.to_thread(load)


async def conclude(reasoner: Reasoner, question: str, language: Language, rounds: Sequence[Round]) -> Anchor:
    """The immutable statement of what was asked."""
    analysis = rounds[-1].analysis if rounds else None
    said = tuple(answer.text.strip() for answer in answers_of(rounds) if answer.text.strip())
    summary = await reasoner.conversation(question, language, rounds) if said else ""
    return Anchor(
        query=question,
        language=language,
        concepts=analysis.concepts if analysis else (),
        entities=analysis.entities if analysis else (),
        scope=analysis.scope if analysis else "",
        refinements=said,
        research_queries=tuple(dict.fromkeys(query for one in rounds for query in one.queries)),
        summary=summary,
    )
