"""The ledger of references: visited set, depth, token budget, convergence and the join of parallel branches.

Pure functions. A reference is counted only after all references before it in canonical order (task, depth, order of
appearance), so results do not depend on the order in which concurrent steps finish.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.follow_limits import Limit, why
from rabbithole.steps.models import Decision
from rabbithole.steps.phases.gate import Proposal
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.phases.reading_units import Reading
from rabbithole.steps.settings import ResearchSettings

EntryStatus = Literal["queued", "opening", "opened", "extracting", "settled"]
BATCH = 8
"""Most references whose places are extracted in one model call."""


class LedgerEntry(Model):
    """One reference found during research.

    Its status is ``queued``, ``opening`` (its FollowRefEvent was sent), ``opened`` (its places are known),
    ``extracting`` (its batch is being read) or ``settled`` (nothing left to do).
    """

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
    places: tuple[Reading, ...] = Field(default=(), description="what is to be read; empty once it has been")
    evidence: tuple[str, ...] = ()
    sections: tuple[str, ...] = Field(default=(), description="sections of its places, kept or not")
    tokens: int = Field(default=0, description="estimated tokens of its places")


def entry_key(task: int, depth: int, order: int) -> str:
    """Return a key that sorts in canonical order: task, depth, order of appearance."""
    return f"{task:04d}/{depth:02d}/{order:06d}"


def keys_of(ledger: Iterable[str], task: int) -> list[str]:
    """Return the keys of one task's entries in canonical order."""
    prefix = entry_key(task, 0, 0)[:5]
    return sorted(key for key in ledger if key.startswith(prefix))


def claim(task: int, depth: int, proposals: Sequence[Proposal], parents: Mapping[str, str]) -> list[LedgerEntry]:
    """Return the ledger entries of a wave. ``parents`` maps an evidence key to the key of the entry it came from."""
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


def closed(entry: LedgerEntry, limit: Limit, settings: ResearchSettings, depth: int, language: str) -> LedgerEntry:
    """Return the entry settled with the reason the task stopped before reaching it.

    Places opened ahead of time are dropped, so the result does not depend on how far ahead they were opened.
    """
    dropped = {"status": "settled", "decision": limit, "places": (), "sections": (), "tokens": 0}
    return entry.model_copy(update={**dropped, "reason": why(limit, settings, depth, language)})


def batch_around(position: int, length: int) -> tuple[int, int]:
    """Return start and end of the batch that contains ``position`` in a wave of ``length`` entries.

    Batches are few and about equal in size. They depend only on the wave, so that a resumed run builds the same prompts
    and finds their answers in the cache.
    """
    size = -(-length // -(-length // BATCH))
    start = position - position % size
    return start, min(start + size, length)
