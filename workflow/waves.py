"""A wave of references: found in what was read last, gated, and cut where the task will stop."""

from __future__ import annotations

from collections.abc import Sequence

from ..kb.errors import RabbitholeError
from ..kb.knowledge_base import KnowledgeBase
from ..steps import follow, gate
from ..steps.aside import aside
from ..steps.models import Evidence
from ..steps.reasoning.protocol import Reasoner
from ..steps.reasoning.urgency import URGENCY
from ..steps.references import Mention, mentions
from ..steps.settings import ResearchSettings
from .beginning import anchored
from .events import Reached
from .ledger import LedgerEntry, Settling, claim, foresee
from .state import ResearchState


def dig_urgency(state: ResearchState, task: int) -> None:
    """In this context, calls of tasks from gaps go first (they end last), then those of the first tasks of the plan."""
    standing = state.tasks.get(task)
    URGENCY.set((-standing.round if standing else -1, task))


async def plan_wave(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    state: ResearchState,
    evidence: Sequence[Evidence],
    task: int,
    depth: int,
) -> list[LedgerEntry]:
    """The entries of a wave in canonical order, each decided."""
    standing, todo = state.tasks[task], state.todo(task)
    found = await mentions(kb, evidence, state.collections, settings)
    closed = "depth" if depth > state.depth else (standing.stop or None)
    visited = state.visited(task) | await follow.whole_sections(kb, evidence)
    about = {"depth": state.depth, "budget": settings.reference_token_budget}
    sorted_out = gate.sort_out(found, visited, state.language, closed, **about)
    proposals = await gate.decide(reasoner, anchored(state), todo, sorted_out)
    entries = claim(task, depth, proposals, state.parents(task))
    known = state.seen.get(task, frozenset())

    def reach(mention: Mention) -> follow.Reach:
        try:
            return follow.reach(kb, settings, todo.text, mention, known)
        except RabbitholeError:
            return follow.Reach()  # said when it is followed

    totals = Settling(seen=known, stale=standing.stale, tokens=standing.tokens)
    return await aside(foresee, entries, reach, totals, settings, state.language)


def reached(entries: Sequence[LedgerEntry], followed: Sequence[follow.Followed]) -> list[Reached]:
    """What following brought, as ids."""
    return [
        Reached(
            key=entry.key,
            evidence=tuple(item.key for item in one.evidence),
            sections=one.sections,
            tokens=one.tokens,
            error=one.error,
        )
        for entry, one in zip(entries, followed, strict=True)
    ]
