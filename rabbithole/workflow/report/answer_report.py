"""Turn a composed answer into a report: resolve citations, verify quotations, list missing documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from rabbithole.steps.answering.source_reading import Answering, todo_of
from rabbithole.steps.answering.tree import Tree
from rabbithole.steps.models import Evidence, TaskSummary
from rabbithole.steps.phases.attribute import Attributed, Attributor
from rabbithole.steps.phases.contradictions import contradictions
from rabbithole.steps.phases.mentions import mentions
from rabbithole.steps.phases.support import triad, weigh
from rabbithole.steps.question import understand
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.text.citation_markers import MARKER
from rabbithole.steps.report_models import Metrics, Report, TaskReport
from rabbithole.steps.response import Response, respond
from rabbithole.workflow.run.state import AnswerState, Cost

from .findings import attribution_warnings, day_said, editions_said, scope_of
from .finish import by_tier, claims_to_weigh, finished, with_sources
from .markdown import checks_of
from .missing_works import addresses, missing_of


async def answer_response(work: Answering, state: AnswerState) -> Response:
    """Choose the passages that answer the question from the collection and from the places read and followed."""
    tree = state.tree
    if tree is None:
        raise ValueError("an answer has a tree once it is composed")

    def choose() -> Response:
        understood = understand(work.kb, state.query, tree.language, tree.collections)
        read = [node.evidence for node in tree.kept]
        return respond(work.kb, understood, tree.collections, evidence=read, filters=tree.filters)

    return await asyncio.to_thread(choose)


async def answer_report(work: Answering, state: AnswerState, text: str, cost: Cost, response: Response) -> Report:
    """Return the report of mode 'answer' for the composed ``text``."""
    tree = state.tree
    if tree is None:
        raise ValueError("an answer has a tree once it is composed")
    quoted = {one.key: one for one in response.evidence}
    evidence = (*(quoted.pop(node.evidence.key, node.evidence) for node in tree.kept), *quoted.values())
    by_key = {one.key: one for one in evidence}
    attributed: Attributed = await asyncio.to_thread(Attributor(work.kb, by_key, tree.language).run, text)
    claims = claims_to_weigh(attributed, lambda key: _text(work, by_key[key]))
    support, weak = await weigh(work.reasoner, claims, work.research.support_threshold)
    editions = await asyncio.to_thread(editions_said, work.kb, response.evidence, tree.language)
    citations = await asyncio.to_thread(with_sources, work.kb, attributed.citations, work.research.report_paths)
    verbatim = sum(claim.verbatim for claim in attributed.claims)
    metrics = Metrics(
        by_purpose=cost.by_purpose,
        model_seconds=round(cost.model_seconds, 3),
        wall_seconds=round(cost.seconds, 3),
        followed=sum(one.action == "follow" for one in tree.trace),
        triad=triad(evidence, [*support, *[1.0] * verbatim], 0),
    )
    named = await mentions(work.kb, [node.evidence for node in tree.kept], tree.collections, work.research)
    report = Report(
        run_id=state.run_id,
        mode="answer",
        query=state.query,
        language=tree.language,
        markdown="",
        citations=citations,
        todo=tuple(_task(tree, number, text) for number, text in enumerate(tree.subqueries)),
        evidence=by_tier(evidence),
        missing=missing_of(named, named),
        weak=weak,
        checks=checks_of(attributed, response),
        warnings=(
            *day_said(work.kb, tree.language),
            *(MARKER.sub("", text) for text in contradictions(evidence, tree.language)),
            *editions,
            *attribution_warnings(attributed, tree.language),
            *state.warnings,
            *cost.notes,
        ),
        metrics=metrics.model_copy(update={"addresses": addresses(named)}),
        anchor=state.anchor,
        collections=tree.collections,
        scope=await asyncio.to_thread(scope_of, work.kb, state, tree.collections),
        reasoner=work.reasoner.availability.title,
    )
    return await finished(report, response, attributed, work.reasoner, work.research)


async def answered(
    reasoner: Reasoner, tree: Tree, evidence: Sequence[Evidence], chosen: str, beside: str
) -> AsyncIterator[str]:
    """Yield the answer piece by piece: the reasoner's sentences, the chosen passages, then what qualifies them.

    ``chosen`` and ``beside`` are skipped when empty; ``chosen`` also when the reasoner already wrote it.
    """
    unique = tuple({one.key: one for one in evidence}.values())
    text = ""
    async for piece in reasoner.compose(tree.question, tree.language, tree.facts(), unique, chosen):
        text += piece
        yield piece
    if chosen.strip() and chosen.strip() not in text:
        yield f"\n\n{chosen.strip()}\n"
    if beside.strip():
        yield f"\n\n{beside.strip()}\n"


def _text(work: Answering, evidence: Evidence) -> str:
    return work.kb.text(evidence.document, evidence.start, evidence.end)


def _task(tree: Tree, number: int, text: str) -> TaskReport:
    from_tree = [node for node in tree.kept if node.subquery == text]
    summary = TaskSummary(
        task=number,
        text="",
        findings=tuple(f"{node.evidence.info} [{node.evidence.key}]" for node in from_tree if node.evidence.info),
        relevance=round(100 * max((node.confidence for node in from_tree), default=0.0)),
    )
    todo = todo_of(tree, text).model_copy(update={"status": "done" if from_tree else "failed"})
    return TaskReport(todo=todo, queries=tree.queries, summary=summary)
