"""The ``Reasoner`` protocol. Two implementations: without a model, and with one.

Each method is one purpose (the name used in metrics, settings and prompt files). Implementations do not raise when a
model call fails: they return the extractive answer instead and note it in their ``Recorder``.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import Field

from rabbithole.kb.models import Model, Score01
from rabbithole.steps.models import (
    Analysis,
    Anchor,
    Answer,
    ClarifyingQuestion,
    Evidence,
    Round,
    TaskSummary,
    Tier,
    Todo,
)
from rabbithole.steps.report_models import Quality

if TYPE_CHECKING:
    from .client.cache import AnswerCache
    from .recorder import Recorder

Purpose = Literal[
    "queries",
    "analysis",
    "questions",
    "conversation",
    "plan",
    "task_queries",
    "extract",
    "gate",
    "summary",
    "write",
    "quality",
    "remedy",
    "support",
    "decompose",
    "select",
    "review",
    "compose",
]


class Passage(Model):
    """A text shown to the reasoner. ``key`` is opaque and stable; ``where`` is its place, for display."""

    key: str
    where: str
    text: str
    title: str = Field(default="", description="the document's title, for people")
    name: str = Field(default="", description="the document's short name, for people")
    score: float = 0.0
    depth: int = 0
    tier: Tier = "primary"


class FoundReference(Model):
    """A reference the reasoner found in a passage; it is accepted only if it is there verbatim."""

    text: str
    document: str | None = None


class Extraction(Model):
    """What one passage says about the task. Quotations must be verbatim; the caller checks them."""

    key: str
    info: str = ""
    quotes: tuple[str, ...] = ()
    relevance: Score01 = 0.0
    references: tuple[FoundReference, ...] = ()


class GateCandidate(Model):
    """One reference of a wave, with 400 characters of context and the heading of its target."""

    id: str
    text: str
    context: str
    target: str = Field(default="", description="document and section heading it resolves to")
    subject: str = Field(
        default="", description="the same without the document if it is the one the reference stands in"
    )
    source_score: Score01 = Field(default=0.0, description="score of the passage it stands in")
    cited: bool = Field(default=False, description="another document as a whole, cited in or beside a sentence quoted")


class GateDecision(Model):
    id: str
    follow: bool
    reason: str


class TodoDraft(Model):
    text: str
    context: str = ""
    queries: tuple[str, ...] = Field(default=(), description="what to search for it; (): the reasoner is asked")
    origin: Literal["plan", "part", "search"] = Field(default="plan", description="as in ``Todo``")


PlanBegun = Callable[[Sequence[TodoDraft]], None]


class WriteRequest(Model):
    """Everything the report is written from. Its texts cite evidence by key: ``[e1a2b3]``."""

    anchor: Anchor
    asked: str = Field(default="", description="the question as it was asked; the anchor has it as it was understood")
    tasks: tuple[Todo, ...]
    summaries: tuple[TaskSummary, ...]
    evidence: tuple[Evidence, ...]
    missing: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    focus: str = Field(default="", description="what a rewrite must correct")
    answer: str = Field(default="", description="the passages chosen for the question, as Markdown with keys")
    beside: str = Field(default="", description="what qualifies the answer and what references led to, as Markdown")
    chosen: tuple[str, ...] = Field(default=(), description="keys of the evidence chosen, best first")


class QualityRequest(Model):
    anchor: Anchor
    markdown: str
    evidence: tuple[Evidence, ...]
    unknown_keys: int = 0
    unverified_quotes: int = 0
    uncited_sentences: int = 0
    contradicted: tuple[str, ...] = Field(default=(), description="sentences with another figure than their source")
    language_ok: bool = True
    chosen: tuple[str, ...] = Field(default=(), description="keys of the evidence chosen for the question")


class Remedy(Model):
    action: Literal["accept", "retry"]
    focus: str = ""


class SupportClaim(Model):
    """A sentence of the report and the source text it cites."""

    sentence: str
    source: str


class ConstraintModel(Model):
    field: str
    operator: Literal["=", "!=", "<", "<=", ">", ">=", "in"]
    value: str


class Decomposition(Model):
    intent: Literal["qa", "list", "summarize", "compare"] = "qa"
    collections: tuple[str, ...] = ()
    constraints: tuple[ConstraintModel, ...] = ()
    subqueries: tuple[str, ...] = ()


class ListedResult(Model):
    """A numbered search result: title, document, page and a two-line snippet."""

    number: int = Field(ge=1)
    title: str
    document: str
    page: str
    snippet: str


class ResultChoice(Model):
    number: int | None = Field(default=None, description="None: none of them, search again")
    reason: str
    query: str = Field(default="", description="the next query when none fits")


class ToolCall(Model):
    tool: Literal["search", "inspect", "read", "follow"]
    argument: str


class Review(Model):
    status: Literal["enough", "more", "clarify"]
    reason: str
    next_call: ToolCall | None = None
    clarify_type: Literal["no_results", "overload"] | None = None
    missing_info: str = ""


class Fact(Model):
    """One stored fact from the answer workflow's tree."""

    key: str
    subquery: str
    text: str
    where: str


class Availability(Model):
    """Which reasoner is used, and why; shown in log, report and UI."""

    name: Literal["ollama", "openai", "extractive"]
    model: str = ""
    reason: str = ""

    @property
    def title(self) -> str:
        """Its name in a report. llama.cpp names a model by its path on the server's disk, so folders are removed."""
        model = PureWindowsPath(self.model).name if re.match(r"/|[A-Za-z]:\\", self.model) else self.model
        return f"{self.name} {model}".strip()


Token = Callable[[str], None]


class Reasoner(Protocol):
    """Asynchronous and safe to call concurrently. All texts are returned in ``anchor.language`` (or ``language``)."""

    availability: Availability
    recorder: Recorder

    def for_run(self, recorder: Recorder, cache: AnswerCache | None = None) -> Reasoner:
        """Return this reasoner for one run, with the run's recorder for costs and notes and its cache for answers."""
        ...

    async def queries(
        self, question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]
    ) -> tuple[str, ...]: ...

    async def analyse(self, question: str, language: str, passages: Sequence[Passage]) -> Analysis: ...

    async def questions(
        self, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
    ) -> tuple[ClarifyingQuestion, ...]: ...

    async def conversation(self, question: str, language: str, rounds: Sequence[Round]) -> str: ...

    async def plan(
        self, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
    ) -> tuple[TodoDraft, ...]:
        """Propose tasks. ``begun`` gets those already complete while the answer is streamed; some may be dropped."""
        ...

    async def task_queries(self, anchor: Anchor, todo: Todo) -> tuple[str, ...]: ...

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]: ...

    async def gate(
        self, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]
    ) -> tuple[GateDecision, ...]: ...

    async def summarise(self, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary: ...

    def write(self, request: WriteRequest) -> AsyncIterator[str]:
        """Stream the report's Markdown. Factual sentences cite evidence keys; quotations are in quotation marks."""
        ...

    async def quality(self, request: QualityRequest) -> Quality: ...

    async def remedy(self, request: QualityRequest, quality: Quality) -> Remedy: ...

    async def support(self, claims: Sequence[SupportClaim]) -> tuple[float, ...]:
        """Return how well each source supports its sentence, 0-1."""
        ...

    async def decompose(
        self, question: str, language: str, collections: Sequence[str], fields: Sequence[str]
    ) -> Decomposition: ...

    async def select(
        self, question: str, subquery: str, language: str, candidates: Sequence[ListedResult], facts: Sequence[Fact]
    ) -> ResultChoice: ...

    async def review(
        self, question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int
    ) -> Review: ...

    def compose(
        self, question: str, language: str, facts: Sequence[Fact], evidence: Sequence[Evidence], answer: str = ""
    ) -> AsyncIterator[str]: ...

    async def close(self) -> None: ...
