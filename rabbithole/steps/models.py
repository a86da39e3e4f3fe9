"""The data passed between the phases of research, and the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model, QuotePlace, Reference, ReferenceKind, Score01

from .follow_limits import Limit

Tier = Literal["primary", "secondary", "tertiary"]
TIER_WEIGHTS: Mapping[Tier, float] = {"primary": 1.0, "secondary": 0.7, "tertiary": 0.4}
TodoStatus = Literal["pending", "running", "done", "failed", "skipped"]
AnswerStatus = Literal["answered", "partly", "none"]
Length = Literal["short", "normal", "full"]
Decision = Literal["follow", "skip", "missing", "ambiguous", "seen", "failed"] | Limit


class Analysis(Model):
    """What a round of retrieval showed about the question."""

    concepts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    scope: str = ""
    gaps: tuple[str, ...] = ()
    coverage: Score01 = 0.0


class ClarifyingQuestion(Model):
    id: str
    text: str
    options: tuple[str, ...] = ()
    why: str = Field(default="", description="what in the retrieval raised it")
    several: bool = Field(default=False, description="more than one option may be chosen")


class Answer(Model):
    """The user's answer to one clarifying question."""

    question: str = Field(description="id of the question, '' for a free remark")
    text: str


class Round(Model):
    """One round of understanding, kept to be shown in the report."""

    index: int
    queries: tuple[str, ...]
    chunks: tuple[str, ...] = Field(description="ids of the new chunks of this round")
    scores: tuple[float, ...] = Field(default=(), description="the search's score of each of these chunks")
    duplicate_ratio: Score01 = 0.0
    analysis: Analysis = Analysis()
    questions: tuple[ClarifyingQuestion, ...] = ()
    answers: tuple[Answer, ...] = ()


class Anchor(Model):
    """The immutable statement of what the user asked; all evidence is judged against it."""

    query: str
    language: Literal["de", "en"]
    concepts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    scope: str = ""
    refinements: tuple[str, ...] = Field(default=(), description="what the person added in their own words")
    research_queries: tuple[str, ...] = ()
    summary: str = Field(default="", description="what the conversation established, with sources")


class Todo(Model):
    """One task of the plan. Task 0 is the question itself."""

    id: int
    text: str
    context: str = Field(default="", description="why it matters")
    status: TodoStatus = "pending"
    origin: Literal["question", "part", "search", "plan", "person", "gap"] = Field(
        default="plan",
        description="part: a part of the question; search: only quotes what the first searches found; plan: a model's",
    )
    queries: tuple[str, ...] = Field(default=(), description="searches planned with it")


class Quote(Model):
    """Verbatim words of a document. ``place`` is None if they were not found in the cited place."""

    text: str
    place: QuotePlace | None = None
    lead: str = Field(default="", description="verbatim words before an item of an enumeration that introduce it")

    @property
    def verified(self) -> bool:
        return self.place is not None


class ChainLink(Model):
    """One step of a chain of references: the reference and the place that contains it."""

    document: str
    section: str | None
    reference: str
    kind: ReferenceKind


class Evidence(Model):
    """A chunk or section kept by research. ``key`` is the opaque key by which the writer cites it."""

    key: str
    task: int
    document: str
    section: str | None = None
    chunk: str | None = None
    file: str = ""
    title: str = ""
    short: str = Field(default="", description="what the document is called for short: 'StrlSchG', 'RFC 8446'")
    section_label: str = ""
    page: int = 0
    page_label: str = ""
    start: int = 0
    end: int = 0
    info: str = Field(description="the extracted information")
    quotes: tuple[Quote, ...] = ()
    tier: Tier = "primary"
    depth: int = 0
    score: Score01 = 0.0
    chain: tuple[ChainLink, ...] = ()
    found: tuple[Reference, ...] = Field(default=(), description="references the reasoner saw, standing verbatim")
    note: str = Field(default="", description="what the reader must know about the place: other edition, repealed")
    external: str = Field(default="", description="URL of a web result; never mixed with the collection's evidence")


class TaskSummary(Model):
    """What one task found. ``text`` and ``findings`` cite evidence by its key in square brackets: ``[e1a2b3]``."""

    task: int
    text: str
    findings: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()
    relevance: int = Field(default=50, ge=0, le=100)
    relevance_assessment: str = ""
    irrelevant: tuple[str, ...] = ()
    degraded: bool = False


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
