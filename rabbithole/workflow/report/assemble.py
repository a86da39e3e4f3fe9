"""Turn the kept evidence into the report: validate, write, assess, attribute, assemble."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Sequence

from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps import web
from rabbithole.steps.models import (
    Anchor,
    Evidence,
    Quality,
    Report,
    TaskReport,
    TaskSummary,
    Todo,
)
from rabbithole.steps.phases import dig
from rabbithole.steps.phases.attribute import Attributed, Attributor
from rabbithole.steps.phases.bearing import bearing
from rabbithole.steps.phases.contradictions import contradictions
from rabbithole.steps.phases.support import Weighed, triad, weigh
from rabbithole.steps.phases.unused import Left, unused
from rabbithole.steps.phases.validate import validate
from rabbithole.steps.phases.write import assess, in_order, write_request
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question import understand
from rabbithole.steps.reasoning.protocol import QualityRequest, Reasoner, WriteRequest
from rabbithole.steps.reasoning.text.citation_markers import KEY
from rabbithole.steps.reasoning.text.topic_terms import wanted
from rabbithole.steps.response import Response, respond, response_markdown
from rabbithole.steps.response.render import beside_markdown
from rabbithole.steps.sanitise import sanitise_markdown
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.edit import StateEdit
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState, TaskState

from .appendix import cited_part
from .findings import attribution_warnings, day_said, editions_said, metrics_of, said_by_us, scope_of
from .finish import by_tier, claims_to_weigh, finished, with_sources
from .followed_graph import not_looked_at, reference_graph
from .markdown import checks_of
from .missing_works import missing_documents
from .model_answer import with_passages

PLAIN_CHUNKS = 8
CONTRADICTIONS = 3


class Reporting:
    """The phases after digging. They read and change the given state and use the run store."""

    def __init__(self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore) -> None:
        self._kb, self._reasoner, self._settings, self._runs = kb, reasoner, settings, runs
        self._attributed: dict[int, Attributed] = {}
        self._claimed: dict[int, list[tuple[str, str, str]]] = {}
        self._response: Response | None = None

    # --- 3b -----------------------------------------------------------------------------------------------------------
    async def validate(self, edit: StateEdit) -> tuple[str, ...]:
        """Drop drifted evidence, find contradictions and search the web if configured; return the warnings."""
        state = edit.state
        anchor = _anchor(state)
        by_task = {task: self._runs.evidence(state.run_id, state.evidence_keys(task)) for task in state.tasks}
        gone, share = validate(anchor, by_task, self._settings)
        kept = [item for items in by_task.values() for item in items if item.key not in set(gone)]
        notes = []
        if share > self._settings.drift_warning_share:
            notes.append(phrase(state.language, "report.warning.drift", share=round(100 * share)))
        external, web_notes = await self._web(state)
        notes += web_notes
        edit.set(
            dropped=gone,
            contradictions=contradictions(in_order(kept), state.language),
            external=tuple(item.key for item in external),
        )
        edit.warn(*notes)
        return tuple(notes)

    async def _web(self, state: ResearchState) -> tuple[tuple[Evidence, ...], list[str]]:
        """Return web results for the remaining gaps, and warnings; nothing unless WEB_SEARCH_URL is set."""
        url = self._settings.web_search_url
        if not url:
            return (), []
        gaps = [gap for task in sorted(state.tasks) for gap in (_summary(state, task).gaps)]
        found: list[Evidence] = []
        try:
            for query in web.queries_for(gaps, state.understood):
                found += await web.search_web(url, query, self._settings.web_search_results, 0)
        except RabbitholeError as error:
            return tuple(found), [without_paths(str(error))]
        self._runs.put_evidence(state.run_id, found)
        return tuple(found), []

    async def plain(self, edit: StateEdit) -> None:
        """Do one search and one extraction: the baseline to compare research with."""
        state = edit.state
        anchor = Anchor(query=state.understood, language=state.language)
        todo = Todo(id=0, text=state.understood, origin="question", status="done")
        settings = self._settings.model_copy(update={"m_chunks_per_query": PLAIN_CHUNKS})
        found = await dig.search_once(
            self._kb, self._reasoner, settings, anchor, todo, state.collections, state.documents
        )
        self._runs.put_evidence(state.run_id, found.evidence)
        keys = tuple(item.key for item in found.evidence)
        task = TaskState(id=0, stage="done", queries=found.queries, evidence=keys)
        edit.set(anchor=anchor, todos=(todo,))
        edit.tasks[0] = task

    # --- 4 ------------------------------------------------------------------------------------------------------------
    async def evidence(self, state: ResearchState) -> tuple[Evidence, ...]:
        """Return all kept evidence and the passages the answer quotes, in canonical order."""
        quoted = {item.key: item for item in (await self.response(state)).evidence}
        kept = [quoted.pop(item.key, item) for item in self._read(state)]
        return in_order([*quoted.values(), *kept])

    def _read(self, state: ResearchState) -> tuple[Evidence, ...]:
        """Return the evidence that was read and not dropped, in canonical order, each place once per task."""
        gone = set(state.dropped)
        keys = [key for task in sorted(state.tasks) for key in state.evidence_keys(task) if key not in gone]
        return in_order(self._runs.evidence(state.run_id, list(dict.fromkeys(keys))))

    async def response(self, state: ResearchState) -> Response:
        """Return the passages that answer the question, chosen from the collection and the evidence; cached."""
        if self._response is None:
            self._response = await asyncio.to_thread(self._respond, state)
        return self._response

    def _respond(self, state: ResearchState) -> Response:
        refinements = state.anchor.refinements if state.anchor else ()
        understood = understand(self._kb, state.query, state.language, state.collections, refinements)
        understood = understood.within(state.documents).model_copy(update={"leading": state.leading})
        read = [item for item in self._read(state) if item.tier]
        return respond(self._kb, understood, state.collections, evidence=read if state.mode != "plain" else ())

    async def request(self, state: ResearchState) -> WriteRequest:
        # The report has its own section on missing documents; a model may also mention them where they matter.
        extractive = self._reasoner.availability.name == "extractive"
        missing = [] if extractive else [one.name for one in missing_documents(state.entries())]
        summaries = [_summary(state, todo.id) for todo in state.todos if todo.id in state.tasks]
        response = await self.response(state)
        about = {(item.document, item.section) for item in response.evidence}
        told = [text for text in state.contradictions if self._concerns(state, text, about)]
        editions = await asyncio.to_thread(editions_said, self._kb, response.evidence, state.language)
        return write_request(
            _anchor(state),
            state.todos,
            summaries,
            await self.evidence(state),
            missing=missing,
            contradictions=(*told[:CONTRADICTIONS], *editions[:CONTRADICTIONS]),
            focus=state.focus,
            answer=response_markdown(response, state.language),
            beside=beside_markdown(response, state.language),
            chosen=tuple(item.key for item in response.evidence),
        )

    def _concerns(self, state: ResearchState, text: str, places: Collection[tuple[str, str | None]]) -> bool:
        """Return whether a contradiction cites a section that the answer quotes."""
        cited = self._runs.evidence(state.run_id, re.findall(rf"\b{KEY}\b", text))
        return any((item.document, item.section) in places for item in cited)

    async def write(self, state: ResearchState) -> AsyncIterator[str]:
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
            (self._attributed[attempt],) = await self._attribute((text,), await self.evidence(state), state.language)
        return self._attributed[attempt]

    async def _attribute(
        self, texts: Sequence[str], evidence: Sequence[Evidence], language: str
    ) -> tuple[Attributed, ...]:
        """Attribute the texts with one numbering of citations; each result includes the counts of those before it."""
        attributor = Attributor(self._kb, {item.key: item for item in evidence}, language)
        return tuple([await asyncio.to_thread(attributor.run, text) for text in texts])

    async def assess(self, state: ResearchState) -> Quality:
        return (await self._assessed(state))[0]

    async def _assessed(self, state: ResearchState) -> tuple[Quality, QualityRequest]:
        text = self._runs.draft(state.run_id, state.attempt)
        attributed = await self.attributed(state, state.attempt)
        claims = await self._claims(state, attributed)
        chosen = [item.key for item in (await self.response(state)).evidence]
        evidence = await self.evidence(state)
        return await assess(self._reasoner, _anchor(state), text, attributed, evidence, claims, chosen)

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

    # --- 5 ------------------------------------------------------------------------------------------------------------
    async def weigh(self, state: ResearchState) -> Weighed:
        """Return how well the sources support each sentence of the draft, and the poorly supported sentences."""
        attributed = await self.attributed(state, state.attempt)
        claims = await self._claims(state, attributed)
        return await weigh(self._reasoner, claims, self._settings.support_threshold)

    async def report(self, state: ResearchState, weighed: Weighed, *, partial: bool = False) -> Report:
        """Return the report: the accepted draft with checked citations and their support, and the appendix.

        ``partial`` marks the report of a run that was stopped.
        """
        evidence = await self.evidence(state)
        response = await self.response(state)
        support, weak = weighed
        tasks = tuple(_task_report(state, todo) for todo in state.todos)
        written = await self.attributed(state, state.attempt)
        left: tuple[Left, ...] = ()
        beside = ""
        if state.mode != "plain":
            near = await asyncio.to_thread(bearing, self._kb, _anchor(state), self._read(state))
            left = unused(near, written.citations, dict(wanted(state.understood, state.language)), state.language)
            beside = cited_part(tasks, left, response.status, state.language)
        both = await self._attribute((self._runs.draft(state.run_id, state.attempt), beside), evidence, state.language)
        attributed, added = both
        citations = await asyncio.to_thread(with_sources, self._kb, added.citations, self._settings.report_paths)
        external = self._runs.evidence(state.run_id, state.external)
        entries = state.entries()
        quoted = {(item.document, item.section) for item in response.evidence}
        beside_answer = [one for one in entries if (one.mention.source_document, one.mention.source_section) in quoted]
        quality = state.quality
        verbatim = sum(claim.verbatim for claim in written.claims)
        metrics = metrics_of(state)
        report = Report(
            run_id=state.run_id,
            mode="plain" if state.mode == "plain" else "research",
            query=state.query,
            language=state.language,
            markdown="",
            citations=citations,
            todo=tasks,
            checks=checks_of(attributed, response),
            evidence=by_tier((*evidence, *external)),
            references=reference_graph(entries, evidence),
            missing=missing_documents(entries),
            quality=quality,
            weak=weak,
            warnings=(
                *day_said(self._kb, state.language),
                *state.warnings,
                *attribution_warnings(attributed, state.language),
                *state.cost.notes,
            ),
            metrics=metrics.model_copy(
                update={
                    "claims": len(written.claims),
                    "unsourced": len(written.uncited),
                    "triad": triad(evidence, [*support, *[1.0] * verbatim], quality.query_relevance if quality else 0),
                }
            ),
            conversation=state.rounds,
            anchor=state.anchor,
            collections=state.collections,
            scope=await asyncio.to_thread(scope_of, self._kb, state, state.collections, state.documents),
            reasoner=state.fingerprint.reasoner,
            partial=partial,
        )
        return await finished(
            report,
            response,
            attributed,
            self._reasoner,
            self._settings,
            external=external,
            appended=sanitise_markdown(added.markdown).strip() if beside else "",
            quoted=frozenset(one.mention.source_label for one in beside_answer),
            skipped=not_looked_at(beside_answer, state.language) if state.mode != "plain" else (),
            left=len(left),
        )

    async def _claims(self, state: ResearchState, attributed: Attributed) -> list[tuple[str, str, str]]:
        """Return the claims to weigh; the contradictions that we report ourselves are left out."""
        if state.attempt not in self._claimed:  # cached: assessment, remedy and support all need it
            by_key = {item.key: item for item in await self.evidence(state)}
            ours = said_by_us(state)
            found = await asyncio.to_thread(claims_to_weigh, attributed, lambda key: self._text(by_key[key]), ours)
            self._claimed[state.attempt] = found
        return self._claimed[state.attempt]

    def _text(self, evidence: Evidence) -> str:
        return evidence.info if evidence.external else self._kb.text(evidence.document, evidence.start, evidence.end)


def _anchor(state: ResearchState) -> Anchor:
    return state.anchor or Anchor(query=state.understood, language=state.language)


def _summary(state: ResearchState, task: int) -> TaskSummary:
    found = state.tasks[task].summary
    return found or TaskSummary(task=task, text="", relevance=0, degraded=bool(state.tasks[task].error))


def _task_report(state: ResearchState, todo: Todo) -> TaskReport:
    task = state.tasks.get(todo.id)
    return TaskReport(todo=todo, queries=task.queries if task else (), summary=task.summary if task else None)
