"""Phase 1: rounds of retrieval, analysis and questions; at the end the anchor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Chunk, Hit, Model
from rabbithole.steps.distinct_names import name_in
from rabbithole.steps.models import Anchor, Answer, Round
from rabbithole.steps.reasoning.protocol import Passage, Reasoner
from rabbithole.steps.scheduling.threads import run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .convergence import duplicate_ratio
from .reading_units import passage_of_chunk, search_all

Language = Literal["de", "en"]
QUERIES_PER_ROUND = 3
MAX_QUESTIONS = 3


def answers_of(rounds: Sequence[Round]) -> tuple[Answer, ...]:
    return tuple(answer for one in rounds for answer in one.answers)


async def retrieve(
    kb: KnowledgeBase,
    queries: Sequence[str],
    collections: Sequence[str],
    settings: ResearchSettings,
    documents: Sequence[str] = (),
) -> tuple[Hit, ...]:
    """Return the best chunks of each query without duplicates, best first within each query."""
    return await run_in_thread(search_all, kb, queries, collections, settings.k_results, documents=documents)


class Looked(Model):
    """A round after retrieval and before analysis, and all passages of the conversation so far."""

    round: Round
    passages: tuple[Passage, ...]


async def look(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    question: str,
    language: Language,
    rounds: Sequence[Round],
    collections: Sequence[str],
    documents: Sequence[str] = (),
) -> Looked:
    """Do the first half of a round: queries and retrieval, in ``documents`` if given, else in the collections."""
    queries = (await reasoner.queries(question, language, rounds, answers_of(rounds)))[:QUERIES_PER_ROUND]
    hits = await retrieve(kb, queries, collections, settings, documents)
    known = {chunk for one in rounds for chunk in one.chunks}
    new = tuple(hit for hit in hits if hit.chunk.id not in known)
    found = await run_in_thread(_passages, kb, [hit.chunk for hit in new], [hit.score for hit in new])
    passages = await passages_of_rounds(kb, rounds) + found
    return Looked(
        round=Round(
            index=len(rounds),
            queries=tuple(queries),
            chunks=tuple(hit.chunk.id for hit in new),
            scores=tuple(hit.score for hit in new),
            duplicate_ratio=duplicate_ratio(len(hits), len(new)),
        ),
        passages=tuple(passages),
    )


async def consider(
    reasoner: Reasoner, question: str, language: Language, rounds: Sequence[Round], looked: Looked, *, ask: bool
) -> Round:
    """Do the second half: analysis and, with ``ask``, the two or three questions that this retrieval raises."""
    analysis = await reasoner.analyse(question, language, looked.passages)
    asked = [item.text for one in rounds for item in one.questions]
    questions = await reasoner.questions(question, language, analysis, looked.passages, asked) if ask else ()
    return looked.round.model_copy(update={"analysis": analysis, "questions": tuple(questions[:MAX_QUESTIONS])})


async def passages_of_rounds(kb: KnowledgeBase, rounds: Sequence[Round]) -> list[Passage]:
    """Return all chunks of these rounds as passages, in the order they were found."""

    def load() -> list[Passage]:
        return _passages(kb, [kb.chunk(chunk) for one in rounds for chunk in one.chunks])

    return await run_in_thread(load)


def _passages(kb: KnowledgeBase, chunks: Sequence[Chunk], scores: Sequence[float] = ()) -> list[Passage]:
    documents = {chunk.document: kb.document(chunk.document) for chunk in chunks}
    names = {identifier: name_in(kb, document) for identifier, document in documents.items()}
    return [
        passage_of_chunk(chunk, documents[chunk.document], names[chunk.document], score)
        for chunk, score in zip(chunks, scores or [0.0] * len(chunks), strict=True)
    ]


def asked(question: str, language: Language, rounds: Sequence[Round]) -> Anchor:
    """Return the anchor of the question as asked, without analysis."""
    return Anchor(query=question, language=language, research_queries=queries_of(rounds))


def queries_of(rounds: Sequence[Round]) -> tuple[str, ...]:
    """Return all queries of these rounds, each once."""
    return tuple(dict.fromkeys(query for one in rounds for query in one.queries))


async def conclude(reasoner: Reasoner, question: str, language: Language, rounds: Sequence[Round]) -> Anchor:
    """Return the anchor: the immutable statement of what was asked."""
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
        research_queries=queries_of(rounds),
        summary=summary,
    )
