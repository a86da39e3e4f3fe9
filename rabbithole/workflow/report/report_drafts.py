"""The drafts of a report: written, attributed to their sources, assessed, and written again if they are poor."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Evidence
from rabbithole.steps.phases.attribute import Attributed, Attributor
from rabbithole.steps.phases.support import Weighed, weigh
from rabbithole.steps.phases.write import assess, write_request
from rabbithole.steps.reasoning.protocol import QualityRequest, Reasoner, WriteRequest
from rabbithole.steps.reasoning.text.citation_markers import KEY
from rabbithole.steps.report_models import Quality
from rabbithole.steps.response import response_markdown
from rabbithole.steps.response.render import beside_markdown
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.edit import StateEdit
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState

from .findings import anchor_of, editions_said, said_by_us, summary_of
from .finish import claims_to_weigh
from .kept_evidence import KeptEvidence
from .missing_works import missing_documents
from .model_answer import with_passages

CONTRADICTIONS = 3
"""Most contradictions, and most notes on editions, that a draft is asked to mention."""


class ReportDrafts:
    """The drafts of one run, one for each attempt. What is found out about one is cached, as drafts never change."""

    def __init__(
        self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore, kept: KeptEvidence
    ) -> None:
        self._kb, self._reasoner, self._settings, self._runs = kb, reasoner, settings, runs
        self._kept = kept
        self._attributed: dict[int, Attributed] = {}
        self._claimed: dict[int, list[tuple[str, str, str]]] = {}

    async def request(self, state: ResearchState) -> WriteRequest:
        """Return what the writer is given: the plan, the summaries, the evidence and the passages that answer."""
        # The report has its own section on missing documents; a model may also mention them where they matter.
        extractive = self._reasoner.availability.name == "extractive"
        missing = [] if extractive else [one.name for one in missing_documents(state.entries())]
        summaries = [summary_of(state, todo.id) for todo in state.todos if todo.id in state.tasks]
        response = await self._kept.response(state)
        about = {(item.document, item.section) for item in response.evidence}
        told = [text for text in state.contradictions if self._concerns(state, text, about)]
        editions = await asyncio.to_thread(editions_said, self._kb, response.evidence, state.language)
        return write_request(
            anchor_of(state),
            state.todos,
            summaries,
            await self._kept.all(state),
            missing=missing,
            contradictions=(*told[:CONTRADICTIONS], *editions[:CONTRADICTIONS]),
            focus=state.focus,
            answer=response_markdown(response, state.language),
            beside=beside_markdown(response, state.language),
            chosen=tuple(item.key for item in response.evidence),
            asked=state.query,
        )

    def _concerns(self, state: ResearchState, text: str, places: Collection[tuple[str, str | None]]) -> bool:
        """Return whether a contradiction cites a section that the answer quotes."""
        cited = self._runs.evidence(state.run_id, re.findall(rf"\b{KEY}\b", text))
        return any((item.document, item.section) in places for item in cited)

    async def write(self, state: ResearchState) -> AsyncIterator[str]:
        """Yield the text of a draft piece by piece. Nothing is stored."""
        request = await self.request(state)
        written = self._reasoner.write(request)
        async for piece in (
            written if self._reasoner.availability.name == "extractive" else with_passages(written, request)
        ):
            yield piece

    async def attributed(self, state: ResearchState, attempt: int) -> Attributed:
        """Return the stored draft of this attempt with its citations checked; cached, as drafts never change."""
        if attempt not in self._attributed:
            text = self._runs.draft(state.run_id, attempt)
            (self._attributed[attempt],) = await self.attribute((text,), await self._kept.all(state), state.language)
        return self._attributed[attempt]

    async def attribute(
        self, texts: Sequence[str], evidence: Sequence[Evidence], language: str
    ) -> tuple[Attributed, ...]:
        """Attribute the texts with one numbering of citations; each result includes the counts of those before it."""
        attributor = Attributor(self._kb, {item.key: item for item in evidence}, language)
        return tuple([await asyncio.to_thread(attributor.run, text) for text in texts])

    async def assess(self, state: ResearchState) -> Quality:
        """Return the quality of the state's draft."""
        return (await self._assessed(state))[0]

    async def _assessed(self, state: ResearchState) -> tuple[Quality, QualityRequest]:
        text = self._runs.draft(state.run_id, state.attempt)
        attributed = await self.attributed(state, state.attempt)
        claims = await self._claims(state, attributed)
        chosen = [item.key for item in (await self._kept.response(state)).evidence]
        evidence = await self._kept.all(state)
        return await assess(self._reasoner, anchor_of(state), text, attributed, evidence, claims, chosen)

    async def remedy(self, edit: StateEdit, quality: Quality) -> str:
        """Return what a rewrite must improve, or '' if the draft is accepted. Of two drafts the better is kept."""
        state = edit.state
        if state.quality is not None and state.attempt > 0:
            better = quality.total >= state.quality.total
            kept = (quality if better else state.quality).model_copy(update={"decision": "accepted_after_retry"})
            edit.set(quality=kept, attempt=state.attempt if better else state.attempt - 1, phase="attribute")
            return ""
        low = quality.total < self._settings.quality_threshold
        if low and state.mode != "plain" and state.attempt < self._settings.max_rewrites:
            _, request = await self._assessed(state)
            remedy = await self._reasoner.remedy(request, quality)
            if remedy.action == "retry" and remedy.focus.strip():
                retry = quality.model_copy(update={"decision": "retry"})
                edit.set(quality=retry, attempt=state.attempt + 1, focus=remedy.focus, phase="write")
                return remedy.focus
        edit.set(quality=quality.model_copy(update={"decision": "accept"}), phase="attribute")
        return ""

    async def weigh(self, state: ResearchState) -> Weighed:
        """Return how well the sources support each sentence of the draft, and the poorly supported sentences."""
        attributed = await self.attributed(state, state.attempt)
        claims = await self._claims(state, attributed)
        return await weigh(self._reasoner, claims, self._settings.support_threshold)

    async def _claims(self, state: ResearchState, attributed: Attributed) -> list[tuple[str, str, str]]:
        """Return the claims to weigh; the contradictions that we report ourselves are left out."""
        if state.attempt not in self._claimed:  # cached: assessment, remedy and support all need it
            by_key = {item.key: item for item in await self._kept.all(state)}
            ours = said_by_us(state)
            found = await asyncio.to_thread(claims_to_weigh, attributed, lambda key: self._text(by_key[key]), ours)
            self._claimed[state.attempt] = found
        return self._claimed[state.attempt]

    def _text(self, evidence: Evidence) -> str:
        return evidence.info if evidence.external else self._kb.text(evidence.document, evidence.start, evidence.end)
