"""The data passed between the phases of research: what was understood, the plan, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model, QuotePlace, Reference, ReferenceKind, Score01

from .follow_limits import Limit

Tier = Literal["primary", "secondary", "tertiary"]
TIER_WEIGHTS: Mapping[Tier, float] = {"primary": 1.0, "secondary": 0.7, "tertiary": 0.4}
TodoStatus = Literal["pending", "running", "done", "failed", "skipped"]
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
