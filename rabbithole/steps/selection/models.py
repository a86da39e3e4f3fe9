"""The models of selection: the part of a question, units that may answer it, and the units chosen."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model, Score01

AnswerType = Literal[
    "number",
    "date",
    "duration",
    "times",
    "amount",
    "person",
    "place",
    "yes_no",
    "list",
    "procedure",
    "definition",
    "open",
]
UnitKind = Literal["paragraph", "list", "item", "steps", "table", "definition"]
Figure = Literal["money", "number", "amount", "duration", "times", "date", "day"]
"""A figure that a text must state to answer; a day is that of what happened once."""
SelectionStatus = Literal["answered", "partly", "none"]


class Term(Model):
    """A stem of the question and its weight apart from rarity: 1 for a subject word, less for a scope word or a cue."""

    stem: str
    weight: float = 1.0


class QuestionPart(Model):
    """One thing that is asked. ``terms`` are the words of its subject; ``documents`` the ids of its scope."""

    text: str
    language: str
    terms: tuple[Term, ...]
    context: tuple[Term, ...] = Field(
        default=(), description="stems of the rest of the question, for what a part omits"
    )
    whole: str = Field(default="", description="the question it is part of; '': the part is all that is asked")
    names: tuple[str, ...] = Field(default=(), description="names with an identity of their own, as written")
    answer_type: AnswerType = "open"
    negated: bool = False
    documents: tuple[str, ...] = Field(default=(), description="documents asked for; (): any")
    queries: tuple[str, ...] = Field(default=(), description="what to search for it; (): its text")


class AnswerCandidate(Model):
    """A span that may hold the answer: a search hit, or a place that was named or reached by a reference."""

    document: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    rank: int = Field(default=0, ge=0, description="position in its result list, from 0")
    score: float = Field(default=0.0, description="score of the search, the best of the list being near 1")
    cosine: float | None = Field(default=None, description="similarity of the passage, as the search saw it")
    origin: Literal["search", "named", "followed"] = "search"


class AnswerUnit(Model):
    """A passage that people read as one piece.

    Offsets refer to the document's text; ``text`` is ``text[start:end]`` of the document. ``head`` introduces the unit
    and stands elsewhere in the document: the lead-in of a list or the header of a table.
    """

    document: str
    section: str | None
    page: int = Field(ge=0, description="index, from 0")
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str
    head: str = ""
    head_start: int | None = None
    head_end: int | None = None
    kind: UnitKind = "paragraph"
    index: int = Field(default=0, ge=0, description="position among the units of its section")
    block: int = Field(default=0, ge=0, description="units of a section with the same number are one list or table")


class ScoredSpan(Model):
    """A sentence of a unit, with offsets into the document's text and the probability that it answers."""

    start: int
    end: int
    score: Score01


class RankedUnit(Model):
    """A unit with its ranker score, its calibrated probability and its sentences, the most likely answer first."""

    unit: AnswerUnit
    score: float
    probability: Score01
    sentences: tuple[ScoredSpan, ...] = ()
    candidate: int = Field(default=0, description="position of the candidate it comes from")

    def words_of(self, sentence: ScoredSpan) -> str:
        """Return the text of one of its sentences."""
        return self.unit.text[sentence.start - self.unit.start : sentence.end - self.unit.start]


class Selection(Model):
    """What answers one part of a question.

    ``units`` are ordered best first. They are given even if the status is ``none``: they are then the closest passages.
    The first ``shown`` units are meant to be quoted together.
    """

    part: QuestionPart
    units: tuple[RankedUnit, ...] = ()
    shown: int = Field(default=1, ge=0)
    probability: Score01 = 0.0
    status: SelectionStatus = "none"
