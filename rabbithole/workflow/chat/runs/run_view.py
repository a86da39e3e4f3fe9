"""The view of one run as a value, reduced from the run's events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import ClarifyingQuestion, Decision, Round, Todo, TodoStatus
from rabbithole.steps.report_models import Report
from rabbithole.workflow.events import ReferenceSeen

from .codec import ChatRunStatus
from .failures import FailureKind

Mode = Literal["research", "answer", "plain"]
Phase = Literal["", "understand", "plan", "dig", "validate", "write", "check", "attribute"]


class Ask(Model):
    """A user's request: the question and its settings."""

    query: str
    mode: Mode = "research"
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = Field(default=(), description="ids; these alone are searched. Empty: all")
    language: Literal["auto", "de", "en"] = "auto"
    spoken: Literal["", "de", "en"] = Field(default="", description="what the question is in; empty: not known")
    depth: int | None = None
    model: str = ""
    parent_run: str = Field(default="", description="a follow-up starts from the evidence of this run")

    @property
    def answered_in(self) -> Literal["", "de", "en"]:
        """The language that the report is expected in; '' if it is not known before."""
        return self.spoken if self.language == "auto" else self.language


class QuestionView(Model):
    """A clarification round waiting for the user's answers."""

    id: str
    round: Round
    questions: tuple[ClarifyingQuestion, ...]


class PlanView(Model):
    id: str
    todos: tuple[Todo, ...]
    approved: bool = False


class ReferenceView(Model):
    """One decided reference; its labels are for display."""

    task: int
    depth: int
    text: str
    kind: str
    source: str
    source_document: str = ""
    source_section: str | None = None
    target: str = ""
    target_document: str | None = None
    target_section: str | None = None
    page: int | None = None
    decision: Decision
    reason: str = ""

    @classmethod
    def of(cls, event: ReferenceSeen) -> ReferenceView:
        return cls(**{name: getattr(event, name) for name in cls.model_fields})


class TaskView(Model):
    id: int
    text: str
    status: TodoStatus = "pending"
    note: str = ""
    queries: tuple[str, ...] = ()
    evidence: tuple[str, ...] = Field(default=(), description="keys of evidence rows in the run store")
    depth: int = 0
    tokens: int = 0
    budget: int = 0
    references: tuple[ReferenceView, ...] = ()


class Counters(Model):
    depth: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    followed: int = 0
    skipped: int = 0
    failed: int = Field(default=0, description="calls of the model without a usable answer")
    seconds: float = Field(default=0.0, description="working time up to ``at``, without waiting for the person")
    at: float = Field(default=0.0, description="seconds since the epoch; 0 while the run is not worked on")


class Draft(Model):
    """The report while it is being written; a second attempt starts again."""

    text: str = ""
    attempt: int = 0


class StepView(Model):
    """One step of the answer workflow, with its choice and reason."""

    step: int
    action: str
    detail: str
    reason: str = ""


class WarningView(Model):
    text: str
    degraded: bool = False


class RunView(Model):
    run: str
    query: str = ""
    mode: Mode = "research"
    language: Literal["", "de", "en"] = Field(default="", description="of the report, and of what is said beside it")
    documents: tuple[str, ...] = Field(default=(), description="ids of the documents the question is restricted to")
    status: ChatRunStatus = "running"
    started: bool = False
    error: str = ""
    failure: FailureKind = ""
    phase: Phase = ""
    detail: str = ""
    rounds: tuple[Round, ...] = ()
    question: QuestionView | None = None
    plan: PlanView | None = None
    tasks: Mapping[int, TaskView] = Field(default_factory=dict)
    counters: Counters = Counters()
    places: frozenset[tuple[str, str, str]] = Field(
        default=frozenset(), description="what is counted: group, document and section of each reference"
    )
    draft: Draft = Draft()
    report: Report | None = None
    trace: tuple[StepView, ...] = ()
    warnings: tuple[WarningView, ...] = ()

    @property
    def waiting(self) -> bool:
        """Whether the run is waiting for the user."""
        return self.status == "running" and (
            self.question is not None or (self.plan is not None and not self.plan.approved)
        )
