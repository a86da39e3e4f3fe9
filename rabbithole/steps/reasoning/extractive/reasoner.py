"""The extractive reasoner: deterministic, without a model, limited to the documents' own words and fixed phrases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from rabbithole.steps.language import detect_language
from rabbithole.steps.models import Analysis, Anchor, Answer, ClarifyingQuestion, Evidence, Round, TaskSummary, Todo
from rabbithole.steps.reasoning.client.cache import AnswerCache
from rabbithole.steps.reasoning.protocol import (
    Availability,
    Decomposition,
    Extraction,
    Fact,
    GateCandidate,
    GateDecision,
    ListedResult,
    Passage,
    PlanBegun,
    QualityRequest,
    Remedy,
    ResultChoice,
    Review,
    SupportClaim,
    TodoDraft,
    WriteRequest,
)
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.reasoning.text.similarity import Meaning, Rarity
from rabbithole.steps.reasoning.text.vector_cache import Embed
from rabbithole.steps.report_models import Quality
from rabbithole.steps.scheduling.threads import run_in_thread

from . import answer_decisions, dig, gate, judge, plan, report, understand


class ExtractiveReasoner:
    """Implements ``Reasoner``. ``embed`` (texts -> unit vectors) adds similarity of meaning where words leave it open;
    ``rarity`` (stem, language -> 0-1) returns how rare a word is in the collection.

    Longer computations run in a thread, so that the event loop stays free.
    """

    def __init__(
        self,
        embed: Embed | None = None,
        reason: str = "",
        recorder: Recorder | None = None,
        rarity: Rarity | None = None,
    ) -> None:
        self._meaning = Meaning(embed, rarity)
        self.availability = Availability(name="extractive", reason=reason)
        self.recorder = recorder or Recorder()

    def for_run(self, recorder: Recorder, cache: AnswerCache | None = None) -> ExtractiveReasoner:
        """Return this reasoner with a run's recorder. ``cache`` is ignored: computing is as cheap as a look-up."""
        own = type(self)(None, self.availability.reason, recorder)
        own._meaning = self._meaning
        return own

    async def queries(
        self, question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]
    ) -> tuple[str, ...]:
        return understand.search_queries(question, language, rounds, answers)

    async def analyse(self, question: str, language: str, passages: Sequence[Passage]) -> Analysis:
        return await asyncio.to_thread(understand.analyse, question, language, passages, self._meaning)

    async def questions(
        self, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
    ) -> tuple[ClarifyingQuestion, ...]:
        return await asyncio.to_thread(
            understand.clarifying_questions, question, language, passages, asked, self._meaning
        )

    async def conversation(self, question: str, language: str, rounds: Sequence[Round]) -> str:
        return understand.conversation_summary(question, language, rounds)

    async def plan(
        self, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
    ) -> tuple[TodoDraft, ...]:
        return await asyncio.to_thread(plan.plan, anchor, passages, wanted)

    async def task_queries(self, anchor: Anchor, todo: Todo) -> tuple[str, ...]:
        return plan.task_queries(anchor, todo)

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]:
        return await run_in_thread(dig.extract, anchor, todo, passages, self._meaning)

    async def gate(self, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
        return await run_in_thread(gate.gate, anchor, todo, candidates, self._meaning)

    async def summarise(self, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
        return dig.summarise(anchor, todo, evidence)

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        for piece in report.write_report(request):
            yield piece

    async def quality(self, request: QualityRequest) -> Quality:
        return judge.quality(request)

    async def remedy(self, request: QualityRequest, quality: Quality) -> Remedy:
        return judge.remedy(request, quality)

    async def support(self, claims: Sequence[SupportClaim]) -> tuple[float, ...]:
        language = detect_language(" ".join(claim.sentence for claim in claims)[:2000])
        return await asyncio.to_thread(judge.support, claims, language, self._meaning)

    async def decompose(
        self, question: str, language: str, collections: Sequence[str], fields: Sequence[str]
    ) -> Decomposition:
        return answer_decisions.decompose(question, language, collections, fields)

    async def select(
        self, question: str, subquery: str, language: str, candidates: Sequence[ListedResult], facts: Sequence[Fact]
    ) -> ResultChoice:
        return await asyncio.to_thread(answer_decisions.select, subquery, language, candidates, facts, self._meaning)

    async def review(
        self, question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int
    ) -> Review:
        return answer_decisions.review(question, language, subqueries, facts, total_hits)

    async def compose(
        self, question: str, language: str, facts: Sequence[Fact], evidence: Sequence[Evidence], answer: str = ""
    ) -> AsyncIterator[str]:
        for piece in answer_decisions.compose(answer, language):
            yield piece

    async def close(self) -> None:
        """Do nothing: this reasoner holds no resources."""
