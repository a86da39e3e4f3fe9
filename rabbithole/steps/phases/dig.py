"""Phase 3: search, read and extract for a task. Following is in ``follow``; the reasoner writes the summary."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.models import Anchor, Evidence, Todo
from rabbithole.steps.question import NamedPlace, Understood, understand
from rabbithole.steps.question.named_places import named_places
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.scheduling.threads import run_in_thread
from rabbithole.steps.settings import ResearchSettings

from .extraction import Opened, Read, ask, check, extract
from .reading_units import Reading, open_reading, readings_of_hits, search_all, unique
from .relevance import keep

QUERIES_PER_TASK = 3
UNANALYSED: dict[str, object] = {"concepts": (), "entities": (), "scope": ""}


class TaskSearch(Model):
    """The result of a task's search: its queries and the evidence kept, best first. ``best`` is the best relevance."""

    queries: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    best: float = 0.0


class TaskReading(Model):
    """The passages a task's search found and the reasoner's extraction, not yet judged against the anchor."""

    queries: tuple[str, ...]
    read: Read


async def read_task(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    collections: Sequence[str],
    *,
    inherited: Sequence[Evidence] = (),
    leading: Sequence[str] = (),
    documents: Sequence[str] = (),
) -> TaskReading:
    """Search with up to three queries, widen the best chunks to their sections if they fit, and extract in one call.

    Task 0 uses the question as asked, without the analysis, so that it can start before the analysis is done.
    ``inherited`` is evidence of an earlier run, read again for this question. The documents in ``leading`` are searched
    before the rest of the collection; if ``documents`` is given, only those are searched.
    """
    asked = anchor.model_copy(update=UNANALYSED) if todo.id == 0 else anchor
    queries = (await reasoner.task_queries(asked, todo))[:QUERIES_PER_TASK] or (todo.text,)

    def opened() -> list[Opened]:
        understood = understand(kb, anchor.query, anchor.language, collections)
        most, scope = settings.m_chunks_per_query, documents or (() if todo.id else understood.documents)
        led = search_all(kb, queries, collections, most, documents=leading) if leading and not scope else ()
        hits = (*led, *search_all(kb, queries, collections, most, documents=scope))
        named = () if todo.id else named_readings(kb, understood, settings.section_read_tokens)
        earlier = [
            Reading(document=item.document, section=item.section, chunk=item.chunk, start=item.start, end=item.end)
            for item in inherited
            if not item.external
        ]
        readings = unique((*named, *readings_of_hits(kb, hits, settings.section_read_tokens), *earlier))
        return [open_reading(kb, todo.id, reading) for reading in readings]

    read = await ask(kb, reasoner, settings, asked, todo, await run_in_thread(opened))
    return TaskReading(queries=tuple(queries), read=read)


def named_readings(kb: KnowledgeBase, understood: Understood, limit: int) -> tuple[Reading, ...]:
    """Return the sections the question names: the whole section if it fits into ``limit`` tokens, else the place."""
    readings: list[Reading] = []
    for place in understood.opened:
        section = kb.section_by_id(place.section or "")
        for start, end in ((section.start, section.end), (place.start, place.end), (section.start, section.own_end)):
            if start is not None and end is not None and 0 < tokens_of_span(start, end) <= limit:
                readings.append(Reading(document=section.document, section=section.id, start=start, end=end, score=1.0))
                break
    return tuple(readings)


async def found_by(kb: KnowledgeBase, settings: ResearchSettings, anchor: Anchor, reading: TaskReading) -> TaskSearch:
    """Check and score a task's evidence and keep what is relevant, but at least a minimum."""
    found = await run_in_thread(check, kb, anchor, reading.read, {}, None)
    named = {(place.document, place.section) for place in await run_in_thread(_opened_by_name, kb, anchor)}
    judged = [
        item.model_copy(update={"score": 1.0}) if (item.document, item.section) in named else item
        for item in found.evidence
    ]
    kept = keep(judged, settings.reference_relevance_threshold, settings.reference_min_results)
    ordered = sorted(kept, key=lambda item: (-item.score, item.document, item.start))
    return TaskSearch(queries=reading.queries, evidence=tuple(ordered), best=found.best)


def _opened_by_name(kb: KnowledgeBase, anchor: Anchor) -> tuple[NamedPlace, ...]:
    return tuple(place for place in named_places(kb, anchor.query, ()) if place.opens)


async def search_once(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    anchor: Anchor,
    todo: Todo,
    collections: Sequence[str],
    documents: Sequence[str] = (),
) -> TaskSearch:
    """Search for the baseline: the question is the only query, and chunks are not widened to sections."""

    def read() -> list[Opened]:
        hits = search_all(kb, [anchor.query], collections, settings.m_chunks_per_query, documents=documents)
        return [open_reading(kb, todo.id, reading) for reading in readings_of_hits(kb, hits, 0)]

    found = await extract(kb, reasoner, settings, anchor, todo, await run_in_thread(read))
    return TaskSearch(queries=(anchor.query,), evidence=found.evidence, best=found.best)
