"""The events of a research: what flows between steps, and what is streamed for the person."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from workflows.events import Event, HumanResponseEvent, InputRequiredEvent, StartEvent, StopEvent

from rabbithole.kb.errors import without_paths
from rabbithole.kb.models import Model, ReferenceKind
from rabbithole.steps.models import Answer, ClarifyingQuestion, Decision, Quality, Report, Round, TaskSummary, Todo
from rabbithole.steps.phases.reading_units import Reading

from .run.ledger import LedgerEntry

Told = Annotated[str, AfterValidator(without_paths)]  # an error's words, which end up in reports that others read


# --- start, people's questions, stop -------------------------------------------------------------------------------
class ResearchRequest(StartEvent):
    """Start of a research. ``run_id`` set and ``resume`` true: continue a saved run."""

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
    """``end`` is the person's '/end': enough talk, start now. An unknown or answered ``id`` is ignored."""

    id: str
    answers: list[Answer] = Field(default_factory=list)
    end: bool = False


class PlanProposed(InputRequiredEvent):
    id: str
    todos: list[Todo]


class PlanApproved(HumanResponseEvent):
    """The whole plan as the person wants it: edited, added, removed, reordered."""

    id: str
    todos: list[Todo]


class ReportReady(StopEvent):
    """The end. The report's own fields can be read from the event too: ``(await handler).markdown``."""

    report: Report

    def __getattr__(self, name: str) -> Any:
        if name in Report.model_fields:
            return getattr(self.report, name)
        return super().__getattr__(name)


# --- between steps (texts stay in the run store; events carry ids) ---------------------------------------------------
class RoundStarted(Event):
    """One round of understanding: retrieval, analysis, questions."""


class PlainRequested(Event):
    """Retrieve once, answer once: no plan, no references."""


class QueryUnderstood(Event):
    pass


class PlanSettled(Event):
    """The plan is as the person wants it: digging starts."""


class PlanMade(Event):
    """The plan of a research that nobody approves; the question itself is being dug into already."""

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
    """The evidence of the last depth is to be searched for references, and these gated."""

    task: int
    depth: int


class WavePlanned(Event):
    task: int
    depth: int
    entries: list[LedgerEntry] = Field(default_factory=list, description="gated references in canonical order")


class FollowRefEvent(Event):
    """Follow one claimed reference: resolve it to its places and open these. No model is asked."""

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
    """All that was opened, sent by the worker that ended last: an event for each would cost as much as the rest."""

    opened: list[PlaceOpened]


class ExtractBatch(Event):
    """Read the opened places of up to eight references of one task and wave, with one call of a model."""

    entries: list[str] = Field(description="keys of the ledger, in canonical order")
    task: int
    depth: int


class EntryExtracted(Model):
    """What one reference brought: keys of evidence, no texts."""

    key: str
    evidence: tuple[str, ...] = ()
    error: Told = ""


class BatchExtracted(Event):
    """The references of one ``ExtractBatch``, in its order."""

    task: int
    extracted: list[EntryExtracted] = Field(default_factory=list)


class BranchFailed(Event):
    """A failing branch is a result that says so. ``entries``: keys of the ledger, when it followed or extracted."""

    task: int
    entries: list[str] = Field(default_factory=list)
    error: Told


class TaskDug(Event):
    """Nothing more to follow in this task: it is summarised."""

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


# --- streamed for the person, changing nothing -----------------------------------------------------------------------
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
    budget: int = 0


class ReferenceSeen(Event):
    """Common fields of what happens to one reference. Labels are for people: 'StrlSchG, § 78 Grenzwerte'."""

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
    """The running total. ``failed``: calls of the model that gave no usable answer."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    failed: int = 0
