"""The report: its answer and citations, the graph of references, checks, quality and cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model, ReferenceKind, Score01

from .models import Anchor, Decision, Evidence, Round, TaskSummary, Tier, Todo

AnswerStatus = Literal["answered", "partly", "none"]
Length = Literal["short", "normal", "full"]


class Citation(Model):
    """The source of a marker in the report. ``page`` is the physical index from 0, ``page_label`` the printed one."""

    marker: str = Field(description="as it stands in the report: '[3]'")
    key: str
    document: str
    file: str
    title: str
    section: str | None = None
    section_label: str = ""
    page: int
    page_label: str
    last_page: int | None = Field(default=None, description="where the quotation ends, if that is on a later page")
    last_page_label: str = ""
    quote: str = ""
    verified: bool = False
    tier: Tier = "primary"
    depth: int = 0
    path: str = Field(
        default="",
        description="place of the PDF in the collection; with REPORT_PATHS=absolute, on the machine",
    )
    external: str = Field(default="", description="URL of a web result")
    author: str = Field(default="", description="'Family, Given; Family, Given'")
    year: str = ""
    work: Mapping[str, str] = Field(
        default_factory=dict,
        description="what else is known of the work: kind, number, container, publisher, volume, doi",
    )


class ReportAnswer(Model):
    """The answer, which begins every form of a report: Markdown with the markers of its citations."""

    status: AnswerStatus = "none"
    text: str = ""
    citations: tuple[Citation, ...] = ()
    probability: Score01 | None = Field(
        default=None, description="calibrated, of the least likely part; None where nothing was chosen"
    )
    likeliest: Score01 | None = Field(default=None, description="the probability of the part most likely answered")
    absent: tuple[str, ...] = Field(default=(), description="words of the question that stand in no document")


class Checks(Model):
    """Three facts a reader can check."""

    quotations: int = 0
    quotations_verified: int = 0
    parts: int = Field(default=0, description="parts of the question")
    parts_answered: int = Field(default=0, description="without reservation")
    parts_reserved: int = Field(default=0, description="with reservation: the passages are likely, or may well, answer")
    newest: bool | None = Field(default=None, description="the newest edition held is quoted; None: no other is held")


class GraphNode(Model):
    document: str | None
    section: str | None
    label: str
    status: Literal["read", "known", "missing"] = "read"


class GraphEdge(Model):
    """A reference found during research. ``source`` and ``target`` are positions in the graph's nodes."""

    source: int
    target: int
    text: str
    kind: ReferenceKind
    depth: int
    task: int
    decision: Decision
    reason: str = ""


class ReferenceGraph(Model):
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()


class MissingDocument(Model):
    """A document that the collection refers to but lacks."""

    name: str
    kind: ReferenceKind
    cited_by: tuple[str, ...] = Field(description="labels of the places that cite it")
    count: int


class Quality(Model):
    """Five scores 0-100; ``total`` 0-500."""

    factual_accuracy: int = Field(ge=0, le=100)
    semantic_validity: int = Field(ge=0, le=100)
    structural_integrity: int = Field(ge=0, le=100)
    citation_correctness: int = Field(ge=0, le=100)
    query_relevance: int = Field(ge=0, le=100)
    decision: Literal["accept", "retry", "accepted_after_retry"] = "accept"
    notes: str = ""

    @property
    def total(self) -> int:
        return (
            self.factual_accuracy
            + self.semantic_validity
            + self.structural_integrity
            + self.citation_correctness
            + self.query_relevance
        )


class PurposeMetrics(Model):
    calls: int = 0
    cached: int = 0
    failed: int = 0
    repaired: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class Metrics(Model):
    """The cost and the counts of a run."""

    by_purpose: Mapping[str, PurposeMetrics] = Field(default_factory=dict)
    wall_seconds: float = Field(default=0.0, description="working time, without waiting for a person")
    model_seconds: float = Field(default=0.0, description="time in which at least one model call was open")
    followed: int = 0
    skipped: int = 0
    missing: int = 0
    addresses: int = Field(default=0, description="web addresses and files outside the collection that were named")
    dropped: int = Field(default=0, description="pieces of material left out because a prompt was full")
    claims: int = Field(default=0, description="sentences of the report that cite a source")
    unsourced: int = Field(default=0, description="factual sentences without a source, marked as reasoning")
    triad: Mapping[str, float] = Field(
        default_factory=dict, description="context_relevance, groundedness, answer_relevance"
    )


class WeakSentence(Model):
    """A cited sentence that its source supports poorly, or a factual sentence without a citation."""

    text: str
    marker: str = ""
    support: Score01 = 0.0


class TaskReport(Model):
    todo: Todo
    queries: tuple[str, ...] = ()
    summary: TaskSummary | None = None


class Scope(Model):
    """What was searched, by names, and when."""

    day: str = Field(default="", description="the day the question was asked, as '2026-11-23'")
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = Field(default=(), description="the question was restricted to these; empty: all")
    searched: int = Field(default=0, description="number of documents searched; 0: not counted")
    as_of: str = Field(default="", description="the day of which the collections were read; empty: now")
    unread: tuple[str, ...] = Field(default=(), description="files of the collections that could not be read")


class Report(Model):
    """The result of research, of an answer or of a plain run."""

    run_id: str
    mode: Literal["research", "answer", "plain"] = "research"
    query: str
    language: Literal["de", "en"]
    markdown: str
    answer: ReportAnswer = ReportAnswer()
    body: str = Field(default="", description="Markdown of title, answer and what belongs to it, without the rest")
    appendix: str = Field(default="", description="Markdown: tasks, what was read and not used, what is missing")
    outlook: str = Field(default="", description="one line that says what the appendix holds")
    length: Length = "normal"
    checks: Checks = Checks()
    citations: tuple[Citation, ...] = ()
    todo: tuple[TaskReport, ...] = ()
    evidence: Mapping[Tier, tuple[Evidence, ...]] = Field(default_factory=dict)
    references: ReferenceGraph = ReferenceGraph()
    missing: tuple[MissingDocument, ...] = ()
    quality: Quality | None = None
    weak: tuple[WeakSentence, ...] = ()
    warnings: tuple[str, ...] = ()
    metrics: Metrics = Metrics()
    conversation: tuple[Round, ...] = ()
    anchor: Anchor | None = None
    collections: tuple[str, ...] = ()
    scope: Scope = Scope()
    reasoner: str = ""
    partial: bool = Field(default=False, description="the run was stopped before it finished")
