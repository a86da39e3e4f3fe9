"""The state of research and the state of an answer, one model each, kept in the workflow's context.

A state is never changed in place: a step makes a new one and commits it. Passages of research stay in the run store;
the state holds their keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from workflows.events import Event

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Model
from rabbithole.steps.answering.selection import Listing
from rabbithole.steps.answering.tree import Tree
from rabbithole.steps.follow_limits import Limit
from rabbithole.steps.models import Anchor, ClarifyingQuestion, Round, TaskSummary, Todo
from rabbithole.steps.report_models import PurposeMetrics, Quality
from rabbithole.workflow.answer_events import (
    AnswerClarification,
    AnswerStarted,
    EvidenceSufficient,
    FactsStored,
    LeadTaken,
    ResultsListed,
    SearchWanted,
    SectionChosen,
    SourceInspected,
    SourceSelected,
)
from rabbithole.workflow.ledger import LedgerEntry, keys_of

Phase = Literal["understand", "plan", "dig", "validate", "write", "check", "attribute", "done"]
Stage = Literal["waiting", "searching", "gating", "following", "summarising", "done", "failed"]
Language = Literal["de", "en"]


class Fingerprint(Model):
    """What a run was started with. A resumed run warns when any of it has changed."""

    version: str = ""
    reasoner: str = ""
    documents: str = Field(default="", description="hash of the ids of all documents searched")


class OpenQuestion(Model):
    """The question the user was asked, kept so that it can be asked again after a restart."""

    id: str
    kind: Literal["clarification", "plan"]
    questions: tuple[ClarifyingQuestion, ...] = ()


class Cost(Model):
    """What a run has cost. ``seconds`` is working time, without waiting for a person.

    ``notes`` say where the reasoner fell short.
    """

    by_purpose: Mapping[str, PurposeMetrics] = Field(default_factory=dict)
    seconds: float = 0.0
    model_seconds: float = 0.0
    dropped: int = 0
    notes: tuple[str, ...] = ()


class TaskState(Model):
    """The stage of one task and its position in the current wave."""

    id: int
    stage: Stage = "waiting"
    round: int = Field(default=1, description="1: planned; tasks from gaps of round n are of round n + 1")
    queries: tuple[str, ...] = ()
    evidence: tuple[str, ...] = Field(default=(), description="keys the search kept; followed ones are in the ledger")
    sections: tuple[str, ...] = Field(default=(), description="sections the search brought")
    best: float = Field(default=0.0, description="best relevance the search found")
    depth: int = 0
    next: int = Field(default=0, description="the first entry of the wave that was not sent out to be opened")
    counted: int = Field(default=0, description="the first one that is not in stale and tokens yet")
    batched: int = Field(default=0, description="the first one whose places were not sent out to be extracted")
    cursor: int = Field(default=0, description="the first one that is not settled")
    stale: int = 0
    tokens: int = 0
    stop: Literal[""] | Limit = ""
    summary: TaskSummary | None = None
    error: str = ""


DERIVED = frozenset({"ledger", "waves", "seen", "known"})
"""Fields that the run store does not keep with the state: the ledger has its own rows, the others follow from it."""


class ResearchState(BaseModel):
    """Everything a run needs to continue: the plan, the tasks, and the ledger of all references found."""

    model_config = ConfigDict(extra="ignore")  # an older version may have stored fields that no longer exist

    run_id: str = ""
    query: str = ""
    read_as: str = Field(default="", description="the question with the words meant for mistyped ones; empty: as asked")
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = Field(default=(), description="ids; these alone are searched. Empty: all")
    mode: Literal["research", "plain"] = "research"
    language: Language = "en"
    depth: int = 2
    as_of: str = Field(default="", description="the day of which the collection is read; empty: now")
    day: str = Field(default="", description="the day the question was asked")
    auto_approve: bool = False
    parent_run: str = ""
    leading: tuple[str, ...] = Field(default=(), description="ids of the documents the parent run was answered from")
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
    cost: Cost = Field(default=Cost(), description="of all sessions up to the last commit")

    ledger: Mapping[str, LedgerEntry] = Field(default_factory=dict, description="every reference met, by key")
    waves: Mapping[int, tuple[str, ...]] = Field(
        default_factory=dict, description="task -> keys of its current wave to follow, in order"
    )
    seen: Mapping[int, frozenset[str]] = Field(default_factory=dict, description="task -> sections read so far")
    known: Mapping[int, frozenset[str]] = Field(
        default_factory=dict, description="task -> sections read before its current wave"
    )

    @property
    def understood(self) -> str:
        """The question as it was understood, to search and to read by."""
        return self.read_as or self.query

    @property
    def status(self) -> Literal["waiting", "done", "running"]:
        """For the list of runs."""
        if self.question:
            return "waiting"
        return "done" if self.phase == "done" else "running"

    def entries(self, task: int | None = None) -> list[LedgerEntry]:
        """Return the ledger entries of one task, or of all, in canonical order."""
        return [self.ledger[key] for key in (sorted(self.ledger) if task is None else keys_of(self.ledger, task))]

    def evidence_keys(self, task: int) -> tuple[str, ...]:
        """Return all evidence keys of a task: from its search, then from followed references in canonical order."""
        followed = (key for entry in self.entries(task) for key in entry.evidence)
        return tuple(dict.fromkeys((*self.tasks[task].evidence, *followed)))

    def evidence_keys_at(self, task: int, depth: int) -> tuple[str, ...]:
        """Return the evidence keys of one depth; depth 0 is the search."""
        if depth == 0:
            return self.tasks[task].evidence
        found = (key for entry in self.entries(task) if entry.depth == depth for key in entry.evidence)
        return tuple(dict.fromkeys(found))

    def visited(self, task: int) -> set[str]:
        """Return the places this task has decided to follow."""
        return {entry.mention.place for entry in self.entries(task) if entry.wanted}

    def parents(self, task: int) -> dict[str, str]:
        """Map each evidence key to the key of the ledger entry it came from."""
        return {key: entry.key for entry in self.entries(task) for key in entry.evidence}

    def anchored(self) -> Anchor:
        """Return the anchor, which an earlier step has set. Raises UsageError if there is none."""
        return held(self.anchor)

    def todo(self, task: int) -> Todo:
        return next(todo for todo in self.todos if todo.id == task)


def restored(state: ResearchState, entries: Iterable[LedgerEntry]) -> ResearchState:
    """Return a stored state ready to resume: queue interrupted work again and rebuild the derived fields."""
    ledger = {entry.key: _taken_back(entry) for entry in entries}
    waves: dict[int, tuple[str, ...]] = {}
    seen: dict[int, frozenset[str]] = {}
    known: dict[int, frozenset[str]] = {}
    tasks = dict(state.tasks)
    for task, one in state.tasks.items():
        own = [ledger[key] for key in keys_of(ledger, task)]
        earlier = [section for entry in own if entry.depth < one.depth for section in entry.sections]
        waves[task] = tuple(entry.key for entry in own if entry.depth == one.depth and entry.wanted)
        counted = max(one.counted, one.cursor)
        known[task] = frozenset((*one.sections, *earlier))
        seen[task] = known[task].union(*(ledger[key].sections for key in waves[task][:counted]))
        tasks[task] = one.model_copy(update={"next": one.cursor, "counted": counted, "batched": one.cursor})
    return state.model_copy(update={"ledger": ledger, "waves": waves, "seen": seen, "known": known, "tasks": tasks})


def _taken_back(entry: LedgerEntry) -> LedgerEntry:
    """Set an interrupted entry back one status, so that it is opened or extracted again."""
    earlier = {"opening": "queued", "extracting": "opened"}
    status = earlier.get(entry.status)
    return entry.model_copy(update={"status": status}) if status else entry


# --- the state of an answer ------------------------------------------------------------------------------------------
EVENTS: Mapping[str, type[Event]] = {
    one.__name__: one
    for one in (
        AnswerStarted,
        SearchWanted,
        ResultsListed,
        SourceSelected,
        SourceInspected,
        SectionChosen,
        LeadTaken,
        FactsStored,
        EvidenceSufficient,
        AnswerClarification,
    )
}

Part = TypeVar("Part")


class AnswerState(BaseModel):
    """The state of an answer. Each step replaces it as a whole."""

    model_config = ConfigDict(extra="forbid")

    run_id: str = ""
    query: str = ""
    mode: Literal["answer"] = "answer"
    interactive: bool = False
    as_of: str = Field(default="", description="the day of which the collection is read; empty: now")
    day: str = Field(default="", description="the day the question was asked")
    fingerprint: Fingerprint = Fingerprint()
    tree: Tree | None = None
    anchor: Anchor | None = None
    listing: Listing | None = None
    question: str = Field(default="", description="id of the open question to the person")
    asked: int = 0
    unanswered: Literal["", "no_results", "overload"] = ""
    note: str = Field(default="", description="what is missing, when the answer has to say so")
    total: int = 0
    warnings: tuple[str, ...] = ()
    cost: Cost = Cost()
    pending: str = Field(default="", description="name of the event the run goes on with; empty when it is done")
    payload: Mapping[str, Any] = Field(default_factory=dict, description="that event's fields")

    @property
    def status(self) -> Literal["waiting", "done", "running"]:
        """For the list of runs."""
        if self.pending == AnswerClarification.__name__:
            return "waiting"
        return "running" if self.pending else "done"

    @property
    def phase(self) -> Phase:
        """For the list of runs."""
        if not self.pending:
            return "done"
        if self.tree is None:
            return "understand"
        return "write" if self.pending == EvidenceSufficient.__name__ else "dig"

    @property
    def language(self) -> Language:
        return self.tree.language if self.tree else "en"

    @property
    def collections(self) -> tuple[str, ...]:
        return self.tree.collections if self.tree else ()

    def going_on_with(self, event: Event | None) -> AnswerState:
        """Return the state with ``event`` stored as the next event; None when the answer is done."""
        payload = event.model_dump(mode="json") if event is not None else {}
        return self.model_copy(update={"pending": type(event).__name__ if event else "", "payload": payload})

    def next_event(self) -> Event | None:
        """Return the stored next event, or None. Raises UsageError if this version does not know it."""
        if not self.pending:
            return None
        if self.pending not in EVENTS:
            raise UsageError("The answer was begun by another version and cannot be continued; ask the question again.")
        return EVENTS[self.pending].model_validate(self.payload)


def held(value: Part | None) -> Part:
    """Return a part of the state that an earlier step must have set. Raises UsageError if it is missing."""
    if value is None:
        raise UsageError("The run was resumed in the middle; start it again.")
    return value
