"""A wave of references: found in what was read last, and gated; and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases import follow, gate
from rabbithole.steps.phases.references import mentions
from rabbithole.steps.reasoning.client.priority import PRESSING, URGENCY
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.settings import ResearchSettings

from .ledger import LedgerEntry, claim
from .start import anchored
from .state import ResearchState

SEARCHING, SUMMARISING = 0, 1_000
"""How far a task is: gates and follows of a wave lie between, a wave after the other."""


def dig_urgency(state: ResearchState, task: int, stage: int) -> None:
    """Whose turn it is in this context: what leads to most work after it goes first.

    That is the question itself, whose gaps become tasks, and those tasks, which end last; then whatever task has come
    less far, so that all end at about the same time.
    """
    one = state.tasks.get(task)
    pressing = task == 0 or (one is not None and one.round > 1)
    URGENCY.set((PRESSING if pressing else PRESSING + 1, stage, task))


async def plan_wave(
    kb: KnowledgeBase,
    reasoner: Reasoner,
    settings: ResearchSettings,
    state: ResearchState,
    evidence: Sequence[Evidence],
    task: int,
    depth: int,
) -> list[LedgerEntry]:
    """The entries of a wave in canonical order, each decided by a rule or by the gate."""
    one, todo = state.tasks[task], state.todo(task)
    found = await mentions(kb, evidence, state.collections, settings)
    closed = "depth" if depth > state.depth else (one.stop or None)
    visited = state.visited(task) | await follow.whole_sections(kb, evidence)
    about = {"depth": state.depth, "budget": settings.reference_token_budget}
    sorted_out = gate.sort_out(found, visited, state.language, closed, **about)
    proposals = await gate.decide(reasoner, anchored(state), todo, sorted_out)
    return claim(task, depth, proposals, state.parents(task))
