"""The reasoner that uses a language model, and answers extractively when a call fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

from rabbithole.steps.language import Supported, detect_language
from rabbithole.steps.models import Analysis, Anchor, Answer, ClarifyingQuestion, Evidence, Round, TaskSummary, Todo
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.client.cache import AnswerCache, MemoryCache
from rabbithole.steps.reasoning.client.gateway import CallFailed, Gateway
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.llm.fallback import or_else, or_this
from rabbithole.steps.reasoning.prompts import Prompts
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
    Purpose,
    QualityRequest,
    Remedy,
    ResultChoice,
    Review,
    SupportClaim,
    TodoDraft,
    WriteRequest,
)
from rabbithole.steps.reasoning.recorder import Recorder
from rabbithole.steps.reasoning.text.figure_mismatch import bounded
from rabbithole.steps.report_models import Quality

from . import answer_decisions, clarify, dig, passage_reader, understand, wave, write
from .prompt_runner import Talk, supported

_LEAST_TASKS = 3  # small models often only repeat the question; missing tasks are added by rule
_SHORT_RECORD = 900  # a conversation of up to this many characters is not summarised
_SUPPORTED_BY_WORDS = 0.8  # a sentence with this share of its words in its source needs no model to judge it


class LlmReasoner:
    """Implements ``Reasoner``. A call that fails is answered extractively and noted in the recorder."""

    def __init__(
        self,
        gateway: Gateway,
        prompts: Prompts,
        extractive: ExtractiveReasoner,
        availability: Availability,
        recorder: Recorder | None = None,
        cache: AnswerCache | None = None,
    ) -> None:
        self._gateway, self._prompts, self._extractive = gateway, prompts, extractive
        self.availability = availability
        self.recorder = recorder or Recorder()
        self._talk = Talk(gateway, prompts, self.recorder, cache or MemoryCache())

    def for_run(self, recorder: Recorder, cache: AnswerCache | None = None) -> LlmReasoner:
        """Return a reasoner with the same model for one run, with that run's recorder and cache."""
        return LlmReasoner(
            self._gateway, self._prompts, self._extractive, self.availability, recorder, cache or self._talk.cache
        )

    async def queries(
        self, question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]
    ) -> tuple[str, ...]:
        return await or_else(
            self._talk,
            "queries",
            language,
            understand.queries(self._talk, question, language, rounds, answers),
            lambda: self._extractive.queries(question, language, rounds, answers),
        )

    async def analyse(self, question: str, language: str, passages: Sequence[Passage]) -> Analysis:
        return await or_else(
            self._talk,
            "analysis",
            language,
            understand.analyse(self._talk, question, language, passages),
            lambda: self._extractive.analyse(question, language, passages),
        )

    async def questions(
        self, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
    ) -> tuple[ClarifyingQuestion, ...]:
        by_rule = partial(self._extractive.questions, question, language, analysis, passages, asked)
        told = clarify.questions(self._talk, question, language, analysis, passages, asked)
        return await or_else(self._talk, "questions", language, told, by_rule) or await by_rule()

    async def conversation(self, question: str, language: str, rounds: Sequence[Round]) -> str:
        """Return the conversation verbatim; only a long one is summarised by the model, which may distort it."""
        record = await self._extractive.conversation(question, language, rounds)
        if len(record) <= _SHORT_RECORD:
            return record

        told = understand.conversation(self._talk, question, language, rounds)
        return await or_this(self._talk, "conversation", language, told, record)

    async def plan(
        self, anchor: Anchor, passages: Sequence[Passage], wanted: int, begun: PlanBegun | None = None
    ) -> tuple[TodoDraft, ...]:
        planned = await or_else(
            self._talk,
            "plan",
            anchor.language,
            understand.plan(self._talk, anchor, passages, wanted, begun),
            lambda: self._extractive.plan(anchor, passages, wanted),
        )
        least = min(_LEAST_TASKS, wanted)
        if len(planned) >= least:
            return planned
        by_rule = await self._extractive.plan(anchor, passages, wanted)
        return (*planned, *by_rule)[:least]

    async def task_queries(self, anchor: Anchor, todo: Todo) -> tuple[str, ...]:
        return await or_else(
            self._talk,
            "task_queries",
            anchor.language,
            understand.task_queries(self._talk, anchor, todo),
            lambda: self._extractive.task_queries(anchor, todo),
        )

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]:
        return await passage_reader.read(self._talk, self._extractive, anchor, todo, passages, references=references)

    async def gate(self, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
        return await wave.judge(self._talk, self._extractive, anchor, todo, candidates)

    async def summarise(self, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
        async def instead() -> TaskSummary:
            summary = await self._extractive.summarise(anchor, todo, evidence)
            return summary.model_copy(update={"degraded": True})

        if not evidence:
            return await self._extractive.summarise(anchor, todo, evidence)
        asked = dig.summarise(self._talk, anchor, todo, evidence)
        return await or_else(self._talk, "summary", anchor.language, asked, instead)

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        async for part in self._written("write", request.anchor.language, write.report(self._talk, request)):
            if part is not None:
                yield part
                continue
            async for piece in self._extractive.write(request):
                yield piece

    async def _written(
        self, purpose: Purpose, language: Supported, parts: AsyncIterator[str]
    ) -> AsyncIterator[str | None]:
        """Yield the parts, then None if the model failed and the caller has to continue without it."""
        begun = False
        try:
            async for part in parts:
                begun = True
                yield part
        except CallFailed as error:
            self._talk.degraded(purpose, language, error)
            if begun:
                yield f"\n\n{phrase(language, 'reasoning.continued')}\n\n"
            yield None

    async def quality(self, request: QualityRequest) -> Quality:
        computed = await self._extractive.quality(request)

        asked = write.quality(self._talk, request, computed)
        return await or_this(self._talk, "quality", request.anchor.language, asked, computed)

    async def remedy(self, request: QualityRequest, quality: Quality) -> Remedy:
        by_rule = await self._extractive.remedy(request, quality)

        asked = write.remedy(self._talk, request, quality, by_rule)
        return await or_this(self._talk, "remedy", request.anchor.language, asked, by_rule)

    async def support(self, claims: Sequence[SupportClaim]) -> tuple[float, ...]:
        values = list(await self._extractive.support(claims))
        unclear = [index for index, value in enumerate(values) if value < _SUPPORTED_BY_WORDS]
        size = write.CLAIMS_PER_CALL
        groups = [unclear[start : start + size] for start in range(0, len(unclear), size)]
        language = detect_language(" ".join(claim.sentence for claim in claims)[:2000])

        async def judge(group: Sequence[int]) -> None:
            asked = write.support(self._talk, [claims[index] for index in group], language)
            known = tuple(values[index] for index in group)
            judged = await or_this(self._talk, "support", language, asked, known)
            for index, score in zip(group, judged, strict=True):
                values[index] = bounded(score, claims[index])

        await asyncio.gather(*(judge(group) for group in groups))
        return tuple(values)

    async def decompose(
        self, question: str, language: str, collections: Sequence[str], fields: Sequence[str]
    ) -> Decomposition:
        by_rule = await self._extractive.decompose(question, language, collections, fields)

        asked = answer_decisions.decompose(self._talk, question, language, collections, fields, by_rule.constraints)
        return await or_this(self._talk, "decompose", language, asked, by_rule)

    async def select(
        self, question: str, subquery: str, language: str, candidates: Sequence[ListedResult], facts: Sequence[Fact]
    ) -> ResultChoice:
        return await or_else(
            self._talk,
            "select",
            language,
            answer_decisions.select(self._talk, question, subquery, language, candidates, facts),
            lambda: self._extractive.select(question, subquery, language, candidates, facts),
        )

    async def review(
        self, question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int
    ) -> Review:
        return await or_else(
            self._talk,
            "review",
            language,
            answer_decisions.review(self._talk, question, language, subqueries, facts, total_hits),
            lambda: self._extractive.review(question, language, subqueries, facts, total_hits),
        )

    async def compose(
        self, question: str, language: str, facts: Sequence[Fact], evidence: Sequence[Evidence], answer: str = ""
    ) -> AsyncIterator[str]:
        told = write.answer(self._talk, question, supported(language), facts, evidence)
        async for part in self._written("compose", supported(language), told):
            if part is not None:
                yield part
                continue
            async for piece in self._extractive.compose(question, language, facts, evidence, answer):
                yield piece

    async def close(self) -> None:
        await self._gateway.close()
