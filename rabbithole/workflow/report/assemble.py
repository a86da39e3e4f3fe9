"""Assembles the report: the accepted draft with its citations, the appendix, and what is said about the run."""

from __future__ import annotations

import asyncio

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.phases.bearing import bearing
from rabbithole.steps.phases.support import Weighed, triad
from rabbithole.steps.phases.unused import Left, unused
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.text.topic_terms import wanted
from rabbithole.steps.report_models import Report
from rabbithole.steps.sanitise import sanitise_markdown
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState

from .appendix import cited_part
from .findings import anchor_of, attribution_warnings, day_said, metrics_of, scope_of, task_report_of
from .finish import by_tier, finished, with_sources
from .followed_graph import not_looked_at, reference_graph
from .kept_evidence import KeptEvidence
from .markdown import checks_of
from .missing_works import missing_documents
from .report_drafts import ReportDrafts


class Reporting:
    """Writes the report of one run: its drafts, and the report made of the draft that was accepted."""

    def __init__(self, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, runs: RunStore) -> None:
        self._kb, self._reasoner, self._settings, self._runs = kb, reasoner, settings, runs
        self._kept = KeptEvidence(kb, runs)
        self.drafts = ReportDrafts(kb, reasoner, settings, runs, self._kept)

    async def report(self, state: ResearchState, weighed: Weighed, *, partial: bool = False) -> Report:
        """Return the report: the accepted draft with checked citations and their support, and the appendix.

        ``partial`` marks the report of a run that was stopped.
        """
        evidence = await self._kept.all(state)
        response = await self._kept.response(state)
        support, weak = weighed
        tasks = tuple(task_report_of(state, todo) for todo in state.todos)
        written = await self.drafts.attributed(state, state.attempt)
        left: tuple[Left, ...] = ()
        beside = ""
        if state.mode != "plain":
            near = await asyncio.to_thread(bearing, self._kb, anchor_of(state), self._kept.read(state))
            left = unused(near, written.citations, dict(wanted(state.understood, state.language)), state.language)
            beside = cited_part(tasks, left, response.status, state.language, response.blocks)
        texts = (self._runs.draft(state.run_id, state.attempt), beside)
        attributed, added = await self.drafts.attribute(texts, evidence, state.language)
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
