"""The ledger of references: visited set, depth, budget, convergence and join in one.

Pure functions over a draft of the state. Everything is decided in canonical order (order of appearance), whatever the
order in which follows end: results are settled only as far as all before them are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from ..kb.models import Model
from ..steps.convergence import budget_left, dig_converged
from ..steps.dig import Reach
from ..steps.gate import Proposal
from ..steps.models import Decision
from ..steps.phrases import phrase
from ..steps.references import Mention
from ..steps.settings import ResearchSettings

EntryStatus = Literal["queued", "running", "resolved", "settled"]


class LedgerEntry(Model):
    """One reference met on the way. ``resolved``: followed, not yet settled; ``settled``: nothing more to do."""

    key: str
    task: int
    depth: int
    order: int
    mention: Mention
    status: EntryStatus
    decision: Decision
    wanted: bool = Field(default=False, description="the gate said follow; a stop may still have closed it")
    reason: str = ""
    parent: str | None = None
    evidence: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    tokens: int = 0


def entry_key(task: int, depth: int, order: int) -> str:
    """Keys sort in canonical order: task, wave, order of appearance."""
    return f"{task:04d}/{depth:02d}/{order:06d}"


def claim(task: int, depth: int, proposals: Sequence[Proposal], parents: dict[str, str]) -> list[LedgerEntry]:
    """Entries of a wave. ``parents``: evidence key -> key of the entry that brought it."""
    return [
        LedgerEntry(
            key=entry_key(task, depth, order),
            task=task,
            depth=depth,
            order=order,
            mention=proposal.mention,
            status="queued" if proposal.decision == "follow" else "settled",
            decision=proposal.decision,
            wanted=proposal.decision == "follow",
            reason=proposal.reason,
            parent=parents.get(proposal.mention.source),
        )
        for order, proposal in enumerate(proposals)
    ]


class Settling(Model):
    """Running totals of a task while its results are settled in canonical order."""

    seen: frozenset[str]
    stale: int
    tokens: int


def settle(
    entry: LedgerEntry, totals: Settling, settings: ResearchSettings, language: str
) -> tuple[LedgerEntry, Settling]:
    """Settle the next entry of a wave: counted, or closed because the task had already converged or spent its budget.

    What was read beyond the stop is dropped again, so that the result does not depend on timing.
    """
    stop = stopped(totals, settings)
    if stop is not None:
        closed = {"status": "settled", "decision": stop, "evidence": (), "sections": (), "tokens": 0}
        reason = phrase(language, f"report.why.{stop}", budget=settings.reference_token_budget)
        return entry.model_copy(update={**closed, "reason": reason}), totals
    fresh = set(entry.sections) - totals.seen
    after = Settling(
        seen=totals.seen | fresh if fresh else totals.seen,
        stale=0 if fresh else totals.stale + 1,
        tokens=totals.tokens + entry.tokens,
    )
    return entry.model_copy(update={"status": "settled"}), after


def foresee(
    entries: Sequence[LedgerEntry],
    reach: Callable[[Mention], Reach],
    totals: Settling,
    settings: ResearchSettings,
    language: str,
) -> list[LedgerEntry]:
    """Close what the task will not come to: how far it gets depends on what is read, not on what a model says of it.

    Nothing is asked of a model then that is thrown away again.
    """
    foreseen = []
    for entry in entries:
        if not entry.wanted:
            foreseen.append(entry)
            continue
        found = reach(entry.mention) if stopped(totals, settings) is None else Reach()
        seen = entry.model_copy(update={"sections": found.sections, "tokens": found.tokens})
        after, totals = settle(seen, totals, settings, language)
        foreseen.append(entry if after.decision == entry.decision else after)
    return foreseen


def stopped(totals: Settling, settings: ResearchSettings) -> Literal["converged", "budget"] | None:
    """Why a task follows nothing more, or None."""
    if dig_converged(totals.stale, settings):
        return "converged"
    return None if budget_left(totals.tokens, settings) else "budget"
