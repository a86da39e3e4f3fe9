"""The models of a response, before it is written as Markdown."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model, Score01
from rabbithole.steps.models import Evidence
from rabbithole.steps.report_models import AnswerStatus
from rabbithole.steps.selection.models import AnswerUnit, Figure, RankedUnit, UnitKind

Finding = Literal["answered", "closest", "none"]
Why = Literal["answer", "named", "other", "own rule", "exception", "condition", "reached"]


class QuotedPassage(Model):
    """A verbatim quotation. ``bold`` holds the spans of ``text`` that answer; its key is that of ``evidence``."""

    evidence: Evidence
    text: str
    head: str = ""
    head_start: int | None = Field(default=None, description="where the lead-in or the header stands in the document")
    item: str = Field(default="", description="first line or number of the item that the passage begins within")
    item_start: int | None = Field(default=None, description="where that item begins in the document")
    kind: UnitKind = "paragraph"
    bold: tuple[tuple[int, int], ...] = ()
    start: int = 0
    end: int = 0
    page: int = 0
    page_label: str = ""
    last_page: int = 0
    last_page_label: str = ""
    why: Why = "answer"
    derogates_from: str = Field(default="", description="the reference to the answer of an exception from it")
    cut: bool = Field(default=False, description="only the sentences that matter of a longer passage")
    skips: bool = Field(default=False, description="items of the list between its lead-in and the passage are left out")
    begins_within: bool = Field(default=False, description="words of its first paragraph before it are left out")
    broken_off: bool = Field(default=False, description="the rest of its last paragraph is left out")
    goes_on: bool = Field(default=False, description="the list goes on after the passage")
    probability: Score01 = 0.0

    def touches(self, unit: AnswerUnit) -> bool:
        """Return whether the passage and the unit overlap in the document."""
        return self.meets(unit.document, unit.start, unit.end)

    def shows(self, ranked: RankedUnit) -> bool:
        """Return whether the passage quotes the best sentence of a unit, which a cut may have left out."""
        best = ranked.words_of(ranked.sentences[0]) if ranked.sentences else ""
        return self.touches(ranked.unit) and " ".join(best.split()) in " ".join(self.text.split())

    def overlaps(self, other: QuotedPassage) -> bool:
        """Return whether two passages overlap in a document."""
        return self.meets(other.evidence.document, other.start, other.end)

    def meets(self, document: str, start: int, end: int) -> bool:
        """Return whether the passage and a span of a document overlap."""
        return self.evidence.document == document and self.start < end and start < self.end

    @property
    def words(self) -> int:
        return len(self.text.split()) + len(self.head.split())


class Block(Model):
    """The answer to one or several parts of the question.

    ``others`` quotes a document that states another figure, or one of its own; ``lacks`` is the figure asked for that
    no passage states.
    """

    parts: tuple[str, ...]
    finding: Finding
    probability: Score01 = 0.0
    passages: tuple[QuotedPassage, ...] = ()
    others: tuple[QuotedPassage, ...] = ()
    lacks: Figure | None = None
    figures: tuple[str, ...] = Field(default=(), description="figures asked for whose rows in tables come first")
    rows: int = Field(default=0, ge=0, description="how many of the passages are such rows")

    @property
    def part(self) -> str:
        """The parts of the question as one text."""
        return "; ".join(self.parts)

    @property
    def best(self) -> tuple[QuotedPassage, ...]:
        """The passage rated best, which another of its section may stand above; () if nothing is quoted."""
        return tuple(sorted(self.passages, key=lambda one: -one.probability)[:1])


class Response(Model):
    """The answer, part by part.

    ``first`` holds the sentences said before it, such as which document is not in the collection, ``last`` those after.
    """

    status: AnswerStatus
    probability: Score01 = 0.0
    first: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    last: tuple[str, ...] = ()
    absent: tuple[str, ...] = Field(default=(), description="words of the question that stand in no document")
    qualifying: tuple[QuotedPassage, ...] = ()
    reached: tuple[QuotedPassage, ...] = ()
    newest: bool | None = Field(default=None, description="the newest edition is quoted; None: no other is held")

    @property
    def passages(self) -> tuple[QuotedPassage, ...]:
        """All passages quoted, in order."""
        answers = [one for block in self.blocks for one in (*block.passages, *block.others)]
        return (*answers, *self.qualifying, *self.reached)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence quoted, each item once."""
        return tuple({one.evidence.key: one.evidence for one in self.passages}.values())

    @property
    def parts(self) -> int:
        """How many parts the question has."""
        return sum(len(block.parts) for block in self.blocks)

    @property
    def answered(self) -> int:
        """How many parts of the question are answered."""
        return sum(len(block.parts) for block in self.blocks if block.finding == "answered")
