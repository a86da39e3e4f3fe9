"""Read chosen sections and follow leads: evidence with verified quotations, and references worth following."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.budget import tokens_of_span
from rabbithole.steps.models import Anchor, Todo
from rabbithole.steps.phases.extraction import extract
from rabbithole.steps.phases.follow import follow
from rabbithole.steps.phases.gate import decide, sort_out
from rabbithole.steps.phases.mentions import Mention, mentions
from rabbithole.steps.phases.reading_units import Reading, open_reading
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .selection import ChosenSection
from .settings import AnswerSettings
from .tree import Lead, Node, Tree


@dataclass(frozen=True)
class Answering:
    """The services and settings that the loop uses besides the tree."""

    kb: KnowledgeBase
    reasoner: Reasoner
    settings: AnswerSettings
    research: ResearchSettings
    anchor: Anchor


def todo_of(tree: Tree, subquery: str) -> Todo:
    """Return a sub-question as a task for the phases of research."""
    number = tree.subqueries.index(subquery) if subquery in tree.subqueries else 0
    return Todo(id=number, text=subquery, origin="question" if number == 0 else "plan")


def span(kb: KnowledgeBase, chosen: ChosenSection, limit: int) -> Reading:
    """Return the whole section if it fits into ``limit`` tokens, else the passage found in it."""
    section, chunk = chosen.section, chosen.picked.hit.chunk
    start, end = section.start, section.own_end
    if tokens_of_span(start, end) > limit:
        inside = chunk if chunk.section == section.id else kb.chunks(section.document, section.id)[0]
        start, end = inside.start, inside.end
    return Reading(document=section.document, section=section.id, chunk=chunk.id, start=start, end=end, score=1.0)


async def read(work: Answering, tree: Tree, chosen: ChosenSection, subquery: str) -> tuple[Node, str]:
    """Read one chosen section; return the node to store and the text."""
    reading = await asyncio.to_thread(span, work.kb, chosen, work.settings.answer_section_tokens)
    text = await asyncio.to_thread(work.kb.text, reading.document, reading.start, reading.end)
    todo = todo_of(tree, subquery)
    opened = await asyncio.to_thread(open_reading, work.kb, todo.id, reading)
    extracted = await extract(work.kb, work.reasoner, work.research, work.anchor, todo, [opened], scale=1.0)
    # If the reasoner extracts nothing, the section is kept as read, with no confidence.
    evidence = extracted.evidence[0] if extracted.evidence else opened[0]
    return Node(evidence=evidence, subquery=subquery, confidence=evidence.score, whole=text), text


async def leads(work: Answering, tree: Tree, node: Node) -> tuple[Lead, ...]:
    """Return the references in the text just read that the gate would follow."""
    depth = node.evidence.depth + 1
    if depth > work.settings.answer_follow_depth:
        return ()
    found = await mentions(work.kb, [node.evidence], tree.collections, work.research)
    visited = {*tree.read, *(lead.mention.place for lead in tree.leads)}
    sorted_out = sort_out(found, visited, tree.language)
    open_mentions = [one for one in sorted_out if isinstance(one, Mention)]
    if not open_mentions:
        return ()
    proposals = await decide(work.reasoner, work.anchor, todo_of(tree, node.subquery), open_mentions)
    return tuple(
        Lead(
            mention=one.mention,
            source=node.evidence.key,
            depth=depth,
            subquery=node.subquery,
            reason=one.reason,
        )
        for one in proposals
        if one.decision == "follow"
    )


async def follow_lead(work: Answering, tree: Tree, lead: Lead) -> tuple[Node, ...]:
    """Follow a reference; return a node for each place with evidence."""
    source = next(node.evidence for node in tree.nodes if node.evidence.key == lead.source)
    followed = await follow(
        work.kb,
        work.reasoner,
        work.research,
        work.anchor,
        todo_of(tree, lead.subquery),
        lead.mention,
        source,
        lead.depth,
    )
    return tuple(
        Node(
            evidence=evidence,
            subquery=lead.subquery,
            confidence=evidence.score,
            via=lead.mention.reference.text,
            whole=work.kb.text(evidence.document, evidence.start, evidence.end),
        )
        for evidence in followed.evidence
    )
