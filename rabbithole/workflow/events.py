"""The events of research: those passed between steps and those streamed to the user."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from workflows.events import Event, HumanResponseEvent, InputRequiredEvent, StartEvent, StopEvent

from rabbithole.kb.errors import without_paths
from rabbithole.kb.models import Model, ReferenceKind
from rabbithole.steps.models import Answer, ClarifyingQuestion, Decision, Round, TaskSummary, Todo
from rabbithole.steps.phases.reading_units import Reading
from rabbithole.steps.report_models import Quality, Report

from .ledger import LedgerEntry

Told = Annotated[str, AfterValidator(without_paths)]  # an error message; it may end up in a report, so it has no paths


# --- start, people's questions, stop -------------------------------------------------------------------------------
class ResearchRequest(StartEvent):
    """Starts research. With ``run_id`` set and ``resume`` true it continues a saved run."""

    query: str = ""
    collections: list[str] = Field(default_factory=list, description="empty: all")
    documents: list[str] = Field(default_factory=list, description="ids; these alone are searched. Empty: all")
    mode: Literal["research", "plain"] = "research"
    language: Literal["de", "en", "auto"] = "auto"
    depth: int | None = Field(default=None, description="overrides REFERENCE_FOLLOW_DEPTH")
    as_of: str = Field(default="", description="a day: only what was in force then. Empty: as it is now")
    auto_approve: bool = Field(default=False, description="no questions: clarification is skipped, the plan approved")
    run_id: str = ""
    resume: bool = False
    parent_run: str = Field(default="", description="a follow-up starts from the evidence of this run")


class ClarificationRequested(InputRequiredEvent):
    id: str
    round: Round
    questions: list[ClarifyingQuestion]


class ClarificationAnswered(HumanResponseEvent):
    """The user's answers. ``end`` ('/end') ends the questions and starts the research.

    An ``id`` that is unknown or already answered is ignored.
    """

    id: str
    answers: list[Answer] = Field(default_factory=list)
    end: bool = False


class QuestionsReopened(HumanResponseEvent):
    """Goes back to the questions of an earlier round, while a later question or the plan ``id`` is open.

    What was asked and planned after that round is dropped; its questions are asked again, with the answers given.
    """

    id: str
    round: int


class PlanProposed(InputRequiredEvent):
    id: str
    todos: list[Todo]


class PlanApproved(HumanResponseEvent):
    """The whole plan as the user approved it; tasks may be edited, added, removed or reordered.

    Streamed, it shows a plan of several tasks that waited for nobody, because there was nothing to decide.
    """

    id: str
    todos: list[Todo]


class ReportReady(StopEvent):
    """Ends the run. The fields of the report can also be read from the event: ``(await handler).markdown``."""

    report: Report

    def __getattr__(self, name: str) -> Any:
        if name in Report.model_fields:
            return getattr(self.report, name)
        return super().__getattr__(name)


# --- between steps (texts stay in the run store; events carry ids) ---------------------------------------------------
class RoundStarted(Event):
    """One round of understanding: retrieval, analysis, questions."""


class PlainRequested(Event):
    """Starts plain mode: retrieve once and answer once, with no plan and no references followed."""


class QueryUnderstood(Event):
    pass


class PlanSettled(Event):
    """The user approved the plan; digging starts."""


class PlanMade(Event):
    """The plan, when no approval is needed. Task 0, the question itself, is already running."""

    todos: list[Todo]


class TaskStarted(Event):
    task: int


class ChunksFound(Event):
    task: int
    evidence: list[str] = Field(description="keys of evidence rows in the run store")
    queries: list[str] = Field(default_factory=list)
    sections: list[str] = Field(default_factory=list, description="sections of this evidence")
    best: float = Field(default=0.0, description="best relevance found, which scores of the task are measured by")


class WaveOpened(Event):
    """Find the references in the evidence of the previous depth and gate them."""

    task: int
    depth: int


class WavePlanned(Event):
    task: int
    depth: int
    entries: list[LedgerEntry] = Field(default_factory=list, description="gated references in canonical order")


class FollowRefEvent(Event):
    """Follow one reference: resolve it to its places and open them. Calls no model."""

    key: str = Field(description="its entry in the ledger")
    task: int
    depth: int
    target: str = Field(default="", description="for people: 'StrlSchG, § 78 Grenzwerte'")


class PlaceOpened(Model):
    """The places one reference leads to; ``error`` says why there are none."""

    key: str
    places: tuple[Reading, ...] = ()
    sections: tuple[str, ...] = ()
    tokens: int = 0
    error: Told = ""


class RefsOpened(Event):
    """All places just opened, sent together by the last worker to finish.

    One event for each place would cost as much time as opening it.
    """

    opened: list[PlaceOpened]


class ExtractBatch(Event):
    """Read the opened places of up to eight references of one task and wave with one model call."""

    entries: list[str] = Field(description="keys of the ledger, in canonical order")
    task: int
    depth: int


class EntryExtracted(Model):
    """The keys of the evidence found by following one reference."""

    key: str
    evidence: tuple[str, ...] = ()
    error: Told = ""


class BatchExtracted(Event):
    """The results of one ``ExtractBatch``, in its order."""

    task: int
    extracted: list[EntryExtracted] = Field(default_factory=list)


class BranchFailed(Event):
    """A step of one task failed. ``entries`` holds the ledger keys of the batch if it was an extraction."""

    task: int
    entries: list[str] = Field(default_factory=list)
    error: Told


class TaskDug(Event):
    """The task has no more references to follow and is summarised next."""

    task: int


class TaskFinished(Event):
    task: int
    summary: TaskSummary | None = None


class DigFinished(Event):
    pass


class EvidenceValidated(Event):
    pass


class DraftWritten(Event):
    attempt: int = 0


class QualityAssessed(Event):
    quality: Quality
    attempt: int = 0


class RewriteRequested(Event):
    focus: str


class DraftAccepted(Event):
    pass


# --- streamed to the user; they change nothing -----------------------------------------------------------------------
class RetrievalDone(Event):
    round: Round


class PhaseChanged(Event):
    phase: Literal["understand", "plan", "dig", "validate", "write", "check", "attribute"]
    detail: str = ""


class TaskProgress(Event):
    task: int
    text: str
    status: Literal["pending", "running", "done", "failed", "skipped"]
    queries: list[str] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list, description="evidence keys so far, readable in the run store")
    depth: int = 0
    tokens: int = 0
    budget: int = Field(default=0, description="tokens the task may read; 0 until it follows references")


class ReferenceSeen(Event):
    """Base of the events about one reference. Labels are meant for display: 'StrlSchG, § 78 Grenzwerte'."""

    task: int
    depth: int
    text: str
    kind: ReferenceKind
    source: str
    source_document: str = ""
    source_section: str | None = None
    target: str = ""
    target_document: str | None = None
    target_section: str | None = None
    page: int | None = None
    decision: Decision
    reason: str = ""


class ReferenceFollowed(ReferenceSeen):
    pass


class ReferenceSkipped(ReferenceSeen):
    pass


class ReferenceMissing(ReferenceSeen):
    pass


class ReportToken(Event):
    text: str
    attempt: int = 0


class Warned(Event):
    text: str
    degraded: bool = False


class MetricsUpdated(Event):
    """The running total of the run's cost. ``failed`` counts model calls without a usable answer.

    ``seconds`` is the working time up to ``at`` (seconds since the epoch). While a person is waited for, ``at`` is 0.
    """

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    at: float = 0.0
    failed: int = 0
