"""The decisions of the answer loop, separate from I/O: what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Model
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Reasoner, Review

from .selection import Inspected, Listing
from .settings import AnswerSettings
from .tree import LOW_CONFIDENCE, Lead, Node, Tree, shown

PER_LIST = 5  # sources read from one list before a new search


class Move(Model):
    """The next move. ``list``: select again from the last list."""

    kind: Literal["follow", "list", "search", "compose"]
    subquery: str = ""
    query: str = ""
    lead: Lead | None = None


def next_move(tree: Tree, listing: Listing | None, review: Review, subquery: str, settings: AnswerSettings) -> Move:
    """Choose the next move; if the limits are reached, compose.

    Waiting references to sections come first, even if the words of the question are covered. If the review wants more,
    then come the last list, a new search, and documents that were only named, whose names the search has already used.
    After a hop of low confidence another query is searched. No query is run twice, no section read twice.
    """
    read = len(tree.kept)
    spent = tree.calls >= settings.answer_max_tool_calls or read >= settings.answer_max_sections
    if spent:
        return Move(kind="compose")
    waiting_leads = [lead for lead in tree.leads if lead.is_new(tree)]
    exact = next((lead for lead in waiting_leads if lead.exact), None)
    if exact is not None:
        return Move(kind="follow", lead=exact)
    if review.status == "enough":
        return Move(kind="compose")
    waiting = tree.subquery_open()
    last = tree.kept[-1].confidence if tree.kept else 0.0
    wanted = review.next_call.argument if review.next_call and review.next_call.tool == "search" else ""
    query = another_query(tree, waiting, wanted)
    picked = [hit for hit in listing.hits if hit.chunk.id in tree.listed] if listing else []
    left = listing is not None and len(picked) < len(listing.hits)
    tired = len(picked) >= PER_LIST or last < LOW_CONFIDENCE
    if waiting != subquery and query is not None:
        return Move(kind="search", subquery=waiting, query=query)
    if left and not (tired and query is not None):
        return Move(kind="list", subquery=waiting)
    if query is not None:
        return Move(kind="search", subquery=waiting, query=query)
    if left:
        return Move(kind="list", subquery=waiting)
    return Move(kind="follow", lead=waiting_leads[0]) if waiting_leads else Move(kind="compose")


def another_query(tree: Tree, subquery: str, wanted: str) -> str | None:
    """Return the next query not run yet: the one the reasoner wants, else the sub-question itself."""
    options = [f"{subquery} {wanted}" if wanted and wanted not in subquery else "", subquery, wanted]
    return next((one for one in options if one.strip() and not tree.asked(one)), None)


def clarification(
    tree: Tree, listing: Listing, settings: AnswerSettings
) -> tuple[Literal["no_results", "overload"], str] | None:
    """Return what to ask the user if a list is empty and nothing is known yet, or if it is far too long."""
    if tree.nodes:
        return None
    conditions = ", ".join(f"{one.field} {one.operator} {one.value}" for one in tree.filters)
    if not listing.hits:
        return "no_results", conditions or listing.query
    documents = len({hit.chunk.document for hit in listing.hits})
    if tree.filters and documents == len(listing.hits) and listing.total > settings.answer_overload:
        return "overload", conditions
    return None


def stored(tree: Tree, nodes: Sequence[Node], waiting: Sequence[Lead], settings: AnswerSettings) -> Tree:
    """Return the tree with new facts and leads, pruned to its limit."""
    known = {node.evidence.key for node in tree.nodes}
    for node in nodes:
        if node.evidence.key not in known:
            label = node.evidence.section_label or node.evidence.title
            tree = tree.store(node).log("store", label, f"{node.confidence:.2f}")
    tree = tree.model_copy(update={"leads": (*tree.leads, *waiting)})
    return tree.prune(settings.answer_max_sections)


async def choose_section(reasoner: Reasoner, tree: Tree, inspected: Inspected, subquery: str) -> tuple[int | None, str]:
    """Return number and reason of the section to read: the hit's own if there is no choice; None if all were read."""
    candidates = [
        one
        for one, section in zip(inspected.candidates(), inspected.sections, strict=True)
        if section.id not in tree.read
    ]
    if not candidates:
        return None, ""
    first = candidates[0]
    if len(candidates) == 1:
        return first.number, phrase(tree.language, "answer.own_section")
    chosen = await reasoner.select(tree.question, subquery, tree.language, candidates, tree.facts())
    known = {one.number for one in candidates}
    return (chosen.number, chosen.reason) if chosen.number in known else (first.number, chosen.reason)


def outline_tokens(inspected: Inspected) -> int:
    return shown([inspected.lead, *(f"{section.label} {text}" for section, text in zip(
        inspected.sections, inspected.snippets, strict=True))])  # fmt: skip


def narrowing_fields(kb: KnowledgeBase, collections: Sequence[str]) -> list[str]:
    """Return the metadata fields by which a question can be narrowed."""
    return sorted({name for info in kb.collections() if not collections or info.name in collections
                   for name in info.fields})  # fmt: skip
