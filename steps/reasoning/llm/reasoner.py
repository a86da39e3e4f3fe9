"""The reasoner that asks a language model, and answers extractively wherever the model does not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from ...language import Supported, detect_language
from ...models import Analysis, Anchor, Answer, ClarifyingQuestion, Evidence, Quality, Round, TaskSummary, Todo
from ...phrases import phrase
from ..cache import AnswerCache, MemoryCache
from ..extractive import ExtractiveReasoner
from ..extractive.gate import by_rule, promise
from ..prompts import Prompts
from ..protocol import (
    Availability,
    Candidate,
    Decomposition,
    Extraction,
    Fact,
    GateCandidate,
    GateDecision,
    Passage,
    Purpose,
    QualityRequest,
    Remedy,
    Review,
    Selection,
    SupportClaim,
    TodoDraft,
    WriteRequest,
)
from ..recorder import Recorder
from ..urgency import pressing
from . import answer, dig, schemas, understand, write
from .batch import evenly
from .gateway import CallFailed, Gateway
from .talk import Talk, supported

T = TypeVar("T")
_NOT_WORTH_ASKING = 3  # open candidates of a wave: reading them costs no more than asking whether to
_GATE_PER_CALL = 12  # candidates of a wave, the most promising
_TELLS = 0.2  # relevance by words from which a model reads a followed place
_SUPPORTED_BY_WORDS = 0.8  # a statement whose words stand in its source needs no judgement


def told_by_words(anchor: Anchor, passage: Passage, own: Extraction) -> bool:
    """Whether a followed place needs no model: in the question's language, and nothing of the question in it."""
    return passage.depth > 0 and own.relevance < _TELLS and detect_language(passage.text[:600]) == anchor.language


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
        """The same model for one run, with that run's recorder and cache."""
        return LlmReasoner(
            self._gateway, self._prompts, self._extractive, self.availability, recorder, cache or self._talk.cache
        )

    async def _or(self, purpose: Purpose, language: str, asked: Awaitable[T], instead: Callable[[], Awaitable[T]]) -> T:
        try:
            return await asked
        except CallFailed as error:
            self._talk.degraded(purpose, supported(language), error)
            return await instead()

    async def queries(
        self, question: str, language: str, rounds: Sequence[Round], answers: Sequence[Answer]
    ) -> tuple[str, ...]:
        return await self._or(
            "queries",
            language,
            understand.queries(self._talk, question, language, rounds, answers),
            lambda: self._extractive.queries(question, language, rounds, answers),
        )

    async def analyse(self, question: str, language: str, passages: Sequence[Passage]) -> Analysis:
        return await self._or(
            "analysis",
            language,
            understand.analyse(self._talk, question, language, passages),
            lambda: self._extractive.analyse(question, language, passages),
        )

    async def questions(
        self, question: str, language: str, analysis: Analysis, passages: Sequence[Passage], asked: Sequence[str]
    ) -> tuple[ClarifyingQuestion, ...]:
        return await self._or(
            "questions",
            language,
            understand.questions(self._talk, question, language, analysis, passages, asked),
            lambda: self._extractive.questions(question, language, analysis, passages, asked),
        )

    async def conversation(self, question: str, language: str, rounds: Sequence[Round]) -> str:
        if not any(item.answers for item in rounds):
            return await self._extractive.conversation(question, language, rounds)
        return await self._or(
            "conversation",
            language,
            understand.conversation(self._talk, question, language, rounds),
            lambda: self._extractive.conversation(question, language, rounds),
        )

    async def plan(self, anchor: Anchor, passages: Sequence[Passage], wanted: int) -> tuple[TodoDraft, ...]:
        return await self._or(
            "plan",
            anchor.language,
            understand.plan(self._talk, anchor, passages, wanted),
            lambda: self._extractive.plan(anchor, passages, wanted),
        )

    async def task_queries(self, anchor: Anchor, todo: Todo) -> tuple[str, ...]:
        return await self._or(
            "task_queries",
            anchor.language,
            understand.task_queries(self._talk, anchor, todo),
            lambda: self._extractive.task_queries(anchor, todo),
        )

    async def extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], *, references: bool
    ) -> tuple[Extraction, ...]:
        """The passages in parts of equal size, read at once: as few calls as they fit into, none waited for long.

        A place that a reference led to and that shares no word with question or task is taken by its own words.
        """
        own = await self._extractive.extract(anchor, todo, passages, references=False)
        found = {item.key: item for item in own}
        asked = [item for item in passages if not told_by_words(anchor, item, found[item.key])]
        parts = evenly(asked, self._passages_per_call())
        for part in await asyncio.gather(*(self._extract(anchor, todo, one, references) for one in parts)):
            found |= {item.key: item for item in part}
        return tuple(found[item.key] for item in passages)

    def _passages_per_call(self) -> int:
        """As set, and no more than the answer has room for in the model's window.

        Half of it where other work waits and slots are there: two calls at once are through in half the time.
        """
        chosen = self._gateway.settings
        room = self._gateway.bound(schemas.ExtractionsShape) // dig.TOKENS_A_PASSAGE
        most = chosen.llm_passages_per_call
        return max(1, min(most // 2 if pressing() and chosen.llm_concurrency > 1 else most, room))

    async def _extract(
        self, anchor: Anchor, todo: Todo, passages: Sequence[Passage], references: bool
    ) -> tuple[Extraction, ...]:
        async def without() -> tuple[Extraction, ...]:
            return ()

        asked = dig.extract(self._talk, anchor, todo, passages, references=references)
        taken = {item.key: item for item in await self._or("extract", anchor.language, asked, without)}
        left = [item for item in passages if item.key not in taken]
        if left:
            own = await self._extractive.extract(anchor, todo, left, references=references)
            taken |= {item.key: item for item in own}
        return tuple(taken[item.key] for item in passages)

    async def gate(self, anchor: Anchor, todo: Todo, candidates: Sequence[GateCandidate]) -> tuple[GateDecision, ...]:
        """One call a wave, for the most promising of those references that no rule decides."""
        decided = {item.id: verdict for item in candidates if (verdict := by_rule(anchor, item)) is not None}
        open_ones = [item for item in candidates if item.id not in decided]
        best = sorted(open_ones, key=lambda item: -promise(anchor, item))[:_GATE_PER_CALL]
        shown = [item for item in open_ones if item in best]

        async def without() -> tuple[GateDecision, ...]:
            return ()

        if len(shown) > _NOT_WORTH_ASKING:
            asked = dig.gate(self._talk, anchor, todo, shown)
            decided |= {item.id: item for item in await self._or("gate", anchor.language, asked, without)}
        left = [item for item in shown if item.id not in decided]
        decided |= {item.id: item for item in await self._extractive.gate(anchor, todo, left)} if left else {}
        reason = phrase(anchor.language, "reasoning.skip_others")
        return tuple(
            decided.get(item.id) or GateDecision(id=item.id, follow=False, reason=reason) for item in candidates
        )

    async def summarise(self, anchor: Anchor, todo: Todo, evidence: Sequence[Evidence]) -> TaskSummary:
        async def instead() -> TaskSummary:
            summary = await self._extractive.summarise(anchor, todo, evidence)
            return summary.model_copy(update={"degraded": True})

        if not evidence:
            return await self._extractive.summarise(anchor, todo, evidence)
        asked = dig.summarise(self._talk, anchor, todo, evidence)
        return await self._or("summary", anchor.language, asked, instead)

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
        """The parts; None where the caller has to go on without the model."""
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

        async def instead() -> Quality:
            return computed

        asked = write.quality(self._talk, request, computed)
        return await self._or("quality", request.anchor.language, asked, instead)

    async def remedy(self, request: QualityRequest, quality: Quality) -> Remedy:
        return await self._or(
            "remedy",
            request.anchor.language,
            write.remedy(self._talk, request, quality),
            lambda: self._extractive.remedy(request, quality),
        )

    async def support(self, claims: Sequence[SupportClaim]) -> tuple[float, ...]:
        values = list(await self._extractive.support(claims))
        unclear = [index for index, value in enumerate(values) if value < _SUPPORTED_BY_WORDS]
        size = write.CLAIMS_PER_CALL
        groups = [unclear[start : start + size] for start in range(0, len(unclear), size)]
        language = detect_language(" ".join(claim.sentence for claim in claims)[:2000])

        async def judge(group: Sequence[int]) -> None:
            async def instead() -> tuple[float, ...]:
                return tuple(values[index] for index in group)

            asked = write.support(self._talk, [claims[index] for index in group], language)
            for index, score in zip(group, await self._or("support", language, asked, instead), strict=True):
                values[index] = score

        await asyncio.gather(*(judge(group) for group in groups))
        return tuple(values)

    async def decompose(
        self, question: str, language: str, collections: Sequence[str], fields: Sequence[str]
    ) -> Decomposition:
        return await self._or(
            "decompose",
            language,
            answer.decompose(self._talk, question, language, collections, fields),
            lambda: self._extractive.decompose(question, language, collections, fields),
        )

    async def select(
        self, question: str, subquery: str, language: str, candidates: Sequence[Candidate], facts: Sequence[Fact]
    ) -> Selection:
        return await self._or(
            "select",
            language,
            answer.select(self._talk, question, subquery, language, candidates, facts),
            lambda: self._extractive.select(question, subquery, language, candidates, facts),
        )

    async def review(
        self, question: str, language: str, subqueries: Sequence[str], facts: Sequence[Fact], total_hits: int
    ) -> Review:
        return await self._or(
            "review",
            language,
            answer.review(self._talk, question, language, subqueries, facts, total_hits),
            lambda: self._extractive.review(question, language, subqueries, facts, total_hits),
        )

    async def compose(
        self, question: str, language: str, facts: Sequence[Fact], evidence: Sequence[Evidence]
    ) -> AsyncIterator[str]:
        told = write.answer(self._talk, question, supported(language), facts, evidence)
        async for part in self._written("compose", supported(language), told):
            if part is not None:
                yield part
                continue
            async for piece in self._extractive.compose(question, language, facts, evidence):
                yield piece

    async def close(self) -> None:
        await self._gateway.close()
