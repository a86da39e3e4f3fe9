"""The ledger of references: visited set, depth, budget, convergence and join in one.

Pure functions over a draft of the state. Everything is decided in canonical order (order of appearance), whatever the
order in which follows end: results are settled only as far as all before them are known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import Decision
from rabbithole.steps.phases.convergence import budget_left, dig_converged
from rabbithole.steps.phases.follow import Reach
from rabbithole.steps.phases.gate import Proposal
from rabbithole.steps.phases.references import Mention
from rabbithole.steps.phrases import phrase
from rabbithole.steps.settings import ResearchSettings

Stop = Literal["converged", "budget"]
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


class Settler:
    """Settles the entries of a wave one after the other: counted, or closed because the task has stopped by then.

    What was read beyond the stop is dropped again, so that the result does not depend on timing.
    """

    def __init__(self, totals: Settling, settings: ResearchSettings, language: str) -> None:
        self._before, self._fresh = totals.seen, set[str]()
        self._stale, self._tokens = totals.stale, totals.tokens
        self._settings, self._language = settings, language

    @property
    def stop(self) -> Stop | None:
        """Why the task follows nothing more, or None."""
        return stopped(self._stale, self._tokens, self._settings)

    @property
    def totals(self) -> Settling:
        seen = self._before | self._fresh if self._fresh else self._before
        return Settling(seen=seen, stale=self._stale, tokens=self._tokens)

    def settle(self, entry: LedgerEntry) -> LedgerEntry:
        stop = self.stop
        if stop is not None:
            closed = {"status": "settled", "decision": stop, "evidence": (), "sections": (), "tokens": 0}
            reason = phrase(self._language, f"report.why.{stop}", budget=self._settings.reference_token_budget)
            return entry.model_copy(update={**closed, "reason": reason})
        fresh = {one for one in entry.sections if one not in self._before and one not in self._fresh}
        self._fresh |= fresh
        self._stale = 0 if fresh else self._stale + 1
        self._tokens += entry.tokens
        return entry.model_copy(update={"status": "settled"})


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
    settler = Settler(totals, settings, language)
    foreseen = []
    for entry in entries:
        if not entry.wanted:
            foreseen.append(entry)
            continue
        found = reach(entry.mention) if settler.stop is None else Reach()
        after = settler.settle(entry.model_copy(update={"sections": found.sections, "tokens": found.tokens}))
        foreseen.append(entry if after.decision == entry.decision else after)
    return foreseen


def stopped(stale: int, tokens: int, settings: ResearchSettings) -> Stop | None:
    """Why a task follows nothing more, or None."""
    if dig_converged(stale, settings):
        return "converged"
    return None if budget_left(tokens, settings) else "budget"
