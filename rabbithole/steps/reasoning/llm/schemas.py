"""The shapes of a model's answers: flat, with every string and list bounded.

In a constrained grammar an unbounded string can run to the token limit (with a small model 4 of 11 answers were valid;
9 of 9 once bounded).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from rabbithole.steps.reasoning.client.answer_shape import Shape

Line = Annotated[str, Field(max_length=200)]
Short = Annotated[str, Field(max_length=80)]
Remark = Annotated[str, Field(max_length=240)]
Percent = Annotated[int, Field(ge=0, le=100)]


class QueriesShape(Shape):
    queries: list[Annotated[str, Field(max_length=120)]] = Field(min_length=1, max_length=2)


class AnalysisShape(Shape):
    concepts: list[Short] = Field(max_length=8)
    entities: list[Short] = Field(max_length=8)
    scope: Line
    gaps: list[Line] = Field(max_length=4)
    coverage: Percent


class QuestionShape(Shape):
    text: Line
    options: list[Short] = Field(max_length=4)
    why: Line


class QuestionsShape(Shape):
    questions: list[QuestionShape] = Field(max_length=3)


class ConversationShape(Shape):
    summary: Annotated[str, Field(max_length=1200)]


class TaskShape(Shape):
    text: Line
    context: Short
    queries: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=2)


class PlanShape(Shape):
    tasks: list[TaskShape] = Field(min_length=1, max_length=5)


class PointedShape(Shape):
    """The verdict on one passage, with sentence numbers instead of text, so that quotations come from the document."""

    passage: Annotated[int, Field(ge=1, le=99)]
    task: Literal["answered", "related", "unrelated"]
    sentences: list[Annotated[int, Field(ge=0, le=999)]] = Field(max_length=4)


class ToldShape(PointedShape):
    """The verdict on a passage in another language than the question, with its information in the question's."""

    info: Remark


class ReadingShape(Shape):
    passages: Sequence[PointedShape] = Field(max_length=16)
    references: list[Short] = Field(max_length=6)


class ToldReadingShape(ReadingShape):
    passages: Sequence[ToldShape] = Field(max_length=16)


class GateShape(Shape):
    """Which references to follow. Naming the subject first helps a small model to tell them apart.

    Asked for a decision on each, it followed all (0 of 10 cases right, against 10 of 10; see docs/rejected.md).
    """

    subject: Short
    related: list[Annotated[str, Field(max_length=4)]] = Field(max_length=24)


class FindingShape(Shape):
    text: Annotated[str, Field(max_length=400)]
    evidence: list[Annotated[str, Field(max_length=4)]] = Field(max_length=3)


class SummaryShape(Shape):
    findings: list[FindingShape] = Field(max_length=6)
    gaps: list[Line] = Field(max_length=3)
    relevance: Percent


class QualityShape(Shape):
    factual_accuracy: Percent
    semantic_validity: Percent
    structural_integrity: Percent
    citation_correctness: Percent
    query_relevance: Percent
    notes: Remark


class RemedyShape(Shape):
    """What to improve, by kind; in a small model's own words the false statement itself became the instruction."""

    action: Literal["accept", "retry"]
    mend: list[Literal["sources", "figures", "gaps", "contradictions", "repetition", "order", "wording"]] = Field(
        max_length=3
    )
    part: Short


class SupportShape(Shape):
    scores: list[Percent] = Field(max_length=24)


class ConstraintShape(Shape):
    field: Short
    operator: Literal["=", "!=", "<", "<=", ">", ">=", "in"]
    value: Short


class DecompositionShape(Shape):
    intent: Literal["qa", "list", "summarize", "compare"]
    collections: list[Short] = Field(max_length=8)
    constraints: list[ConstraintShape] = Field(max_length=6)
    subqueries: list[Line] = Field(min_length=1, max_length=4)


class SelectionShape(Shape):
    number: Annotated[int, Field(ge=0, le=100)]
    reason: Line
    query: Line


class ReviewShape(Shape):
    reason: Line  # comes first: a small model decides better after it has stated the reason
    status: Literal["enough", "more", "clarify"]
    tool: Literal["none", "search", "inspect", "read", "follow"]
    argument: Line
    clarify_type: Literal["none", "no_results", "overload"]
    missing_info: Line


@lru_cache(maxsize=64)
def gate_of(count: int) -> type[GateShape]:
    """Return the shape in which only the references r1 to r``count`` can be named."""
    items: dict[str, Any] = {"type": "string", "enum": [f"r{number}" for number in range(1, count + 1)]}
    bounds = Field(max_length=24, json_schema_extra={"items": items, "maxItems": count})
    return create_model("GateShape", __base__=GateShape, related=(list[str], bounds))
