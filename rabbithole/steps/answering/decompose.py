"""Decompose the question: language, sub-questions, conditions on documents, where and how to search first."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Filter, SearchMode
from rabbithole.steps.budget import tokens
from rabbithole.steps.language import detect_language
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question import read_as
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.searched_collections import searched

from .constraints import check_values, contradiction, filters_of
from .tree import Tree

_ASKS = re.compile(
    r"\W*(?:(?:and|or|und|oder|sowie)\s+)?(?:(?:in|at|by|for|from|of|on|to|with|an|auf|aus|bei|für|in|mit|nach|von|zu)\s+)?"
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|may|must|can|should"
    r"|we[rnm]|wessen|was|welche[rsmn]?|wann|wo\w*|wie\w*|warum|weshalb|ist|sind|gilt|gelten|muss|müssen|darf|dürfen|kann)\b",
    re.IGNORECASE,
)
"""A part of a question that asks by itself; other parts are read with the whole."""
_IDENTIFIERS = re.compile(r"§|\d")


def checked(question: str, longest: int) -> str:
    """Return the question, stripped. Raises UsageError if it is empty or too long (in tokens)."""
    text = question.strip()
    if not text:
        raise UsageError("The question is empty; ask something.")
    if tokens(text) > longest:
        raise UsageError(
            f"The question has about {tokens(text)} tokens, more than the {longest} allowed; shorten it, or ingest "
            "long material as a document."
        )
    return text


def strategy_of(question: str) -> SearchMode:
    """Return the search mode: keyword for a bare name or number ('KTA 1404'), else hybrid."""
    words = question.split()
    return "keyword" if len(words) <= 3 and bool(_IDENTIFIERS.search(question)) else "hybrid"


async def plan(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    question: str,
    language: Literal["de", "en", "auto"],
    collections: Sequence[str],
    given: Sequence[Filter],
) -> Tree:
    """Return the tree an answer starts with. Raises UsageError for unknown fields or contradictory conditions.

    Conditions that only the question implies are dropped if nothing meets them: a year may be that of an event.
    """
    spoken = detect_language(question) if language == "auto" else language
    known = await asyncio.to_thread(searched, kb, collections)
    question = await asyncio.to_thread(read_as, kb, question, spoken, collections)
    fields: Mapping[str, str] = {name: kind for info in known for name, kind in info.fields.items()}
    taken_apart = await reasoner.decompose(question, spoken, [info.name for info in known], sorted(fields))
    named = tuple(name for name in taken_apart.collections if any(info.name == name for info in known))
    implied = filters_of(taken_apart.constraints, fields)
    filters = tuple(dict.fromkeys((*given, *implied)))
    check_values(filters, fields)
    impossible = contradiction(filters)
    if impossible is not None:
        raise UsageError(f"The conditions on {impossible!r} contradict each other; no document can meet all of them.")
    parts = [one for one in taken_apart.subqueries if one.strip(" ?.!") not in ("", question.strip(" ?.!"))]
    if taken_apart.intent == "qa":
        parts = [one for one in parts if _ASKS.match(one)]
    subqueries = tuple(dict.fromkeys((question, *parts)))
    strategy = strategy_of(question)
    conditions = ", ".join(f"{one.field} {one.operator} {one.value}" for one in filters)
    reason = conditions or phrase(spoken, "answer.no_conditions")
    if implied and not await asyncio.to_thread(_is_found, kb, question, collections or named, filters, strategy):
        filters = tuple(given)  # "leader in 2005" is no document of 2005
        reason = phrase(spoken, "answer.unmet_conditions", conditions=conditions)
    tree = Tree(
        question=question,
        language=spoken,
        subqueries=subqueries,
        collections=tuple(collections) or named,
        filters=filters,
        strategy=strategy,
    )
    return tree.log("decompose", " | ".join(subqueries), reason)


def _is_found(
    kb: KnowledgeBase, question: str, collections: Sequence[str], filters: Sequence[Filter], strategy: SearchMode
) -> bool:
    """Return whether documents that meet the conditions have a passage for the question."""
    return kb.search(question, collections, mode=strategy, filters=filters, top_k=1, reread=False).total > 0
