"""The state of a run: one model. Texts stay in the run store; the state holds ids and decisions.

Never changed in place: a step makes a draft, commits it, and the context's state is the new model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import Anchor, ClarifyingQuestion, PurposeMetrics, Quality, Round, TaskSummary, Todo

from .compressed_entries import keys_of
from .ledger import LedgerEntry

Phase = Literal["understand", "plan", "dig", "validate", "write", "check", "attribute", "done"]
Stage = Literal["waiting", "searching", "gating", "following", "summarising", "done", "failed"]
Language = Literal["de", "en"]


class Fingerprint(Model):
    """What a run was begun with: continuing with something else is said."""

    version: str = ""
    reasoner: str = ""
    documents: str = Field(default="", description="hash of the ids of all documents searched")


class OpenQuestion(Model):
    """What the person is asked; asked again from here after a restart."""

    id: str
    kind: Literal["clarification", "plan"]
    questions: tuple[ClarifyingQuestion, ...] = ()


class Cost(Model):
    """What a run has cost; ``seconds`` is wall time, ``notes`` say where the reasoner fell short."""

    by_purpose: Mapping[str, PurposeMetrics] = Field(default_factory=dict)
    seconds: float = 0.0
    model_seconds: float = 0.0
    dropped: int = 0
    notes: tuple[str, ...] = ()


class TaskState(Model):
    """Where one task stands. ``cursor``: entries of the wave already settled; ``next``: entries already sent out."""

    id: int
    stage: Stage = "waiting"
    round: int = Field(default=1, description="1: planned; tasks from gaps of round n are of round n + 1")
    queries: tuple[str, ...] = ()
    evidence: tuple[str, ...] = Field(default=(), description="keys the search kept; followed ones are in the ledger")
    sections: tuple[str, ...] = Field(default=(), description="sections the search brought")
    best: float = Field(default=0.0, description="best relevance the search found")
    depth: int = 0
    cursor: int = 0
    next: int = 0
    stale: int = 0
    tokens: int = 0
    stop: Literal["", "converged", "budget"] = ""
    summary: TaskSummary | None = None
    error: str = ""


class ResearchState(BaseModel):
    """Everything a run needs to go on. ``ledger``, ``waves`` and ``seen`` are not in the state's row."""

    model_config = ConfigDict(extra="ignore")  # a field an older version stored changes nothing

    run_id: str = ""
    query: str = ""
    collections: tuple[str, ...] = ()
    mode: Literal["research", "plain"] = "research"
    language: Language = "en"
    depth: int = 2
    auto_approve: bool = False
    parent_run: str = ""
    inherited: tuple[str, ...] = Field(default=(), description="evidence keys of the parent run to start from")
    fingerprint: Fingerprint = Fingerprint()

    phase: Phase = "understand"
    rounds: tuple[Round, ...] = ()
    ended: str = ""
    question: OpenQuestion | None = None
    asked: int = 0
    anchor: Anchor | None = None
    todos: tuple[Todo, ...] = ()
    considered: int = Field(default=0, description="the first task whose gaps have not been looked at yet")
    tasks: Mapping[int, TaskState] = Field(default_factory=dict)
    dropped: tuple[str, ...] = Field(default=(), description="keys of evidence that had drifted")
    contradictions: tuple[str, ...] = ()
    external: tuple[str, ...] = Field(default=(), description="keys of web results")
    attempt: int = 0
    focus: str = ""
    quality: Quality | None = None
    warnings: tuple[str, ...] = ()
    cost: Cost = Field(default=Cost(), description="of all sittings up to the last commit")

    ledger: Mapping[str, LedgerEntry] = Field(default_factory=dict, exclude=True)
    waves: Mapping[int, tuple[str, ...]] = Field(
        default_factory=dict, exclude=True, description="task -> keys of its current wave to follow, in order"
    )
    seen: Mapping[int, frozenset[str]] = Field(
        default_factory=dict, exclude=True, description="task -> sections read so far"
    )
    known: Mapping[int, frozenset[str]] = Field(
        default_factory=dict, exclude=True, description="task -> sections read before its current wave"
    )

    def entries(self, task: int | None = None) -> list[LedgerEntry]:
        """Ledger entries in canonical order."""
        return [self.ledger[key] for key in (sorted(self.ledger) if task is None else keys_of(self.ledger, task))]

    def evidence_keys(self, task: int) -> tuple[str, ...]:
        """All evidence of a task: what the search kept, then what following brought, in canonical order."""
        followed = (key for entry in self.entries(task) for key in entry.evidence)
        return tuple(dict.fromkeys((*self.tasks[task].evidence, *followed)))

    def evidence_keys_at(self, task: int, depth: int) -> tuple[str, ...]:
        """Evidence of one depth: 0 is what the search kept."""
        if depth == 0:
            return self.tasks[task].evidence
        found = (key for entry in self.entries(task) if entry.depth == depth for key in entry.evidence)
        return tuple(dict.fromkeys(found))

    def visited(self, task: int) -> set[str]:
        """Places this task has decided to follow."""
        return {entry.mention.place for entry in self.entries(task) if entry.wanted}

    def parents(self, task: int) -> dict[str, str]:
        """Evidence key -> key of the ledger entry that brought it."""
        return {key: entry.key for entry in self.entries(task) for key in entry.evidence}

    def todo(self, task: int) -> Todo:
        return next(todo for todo in self.todos if todo.id == task)
