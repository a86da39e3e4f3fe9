"""A readable report of a stopped run: what had been found by then, cited and verified as in any report."""

from __future__ import annotations

import asyncio

from rabbithole.kb.as_of import on_day
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.state import ResearchState

from .assemble import Reporting

PARTIAL_ATTEMPT = -1  # apart from the writer's attempts, with which a resumed run continues


async def partial_report(runs: RunStore, kb: KnowledgeBase, settings: ResearchSettings, run_id: str) -> Report:
    """Return the finished report if there is one, else a report of the evidence so far, written without a model."""
    finished = await asyncio.to_thread(runs.report, run_id)
    if finished is not None:
        return finished
    state: ResearchState = await asyncio.to_thread(runs.load, run_id)
    reporting = Reporting(on_day(kb, state.as_of), ExtractiveReasoner(), settings, runs)
    text = "".join([piece async for piece in reporting.drafts.write(state)])
    _keep(runs, run_id, text)
    state = state.model_copy(update={"attempt": PARTIAL_ATTEMPT})
    return await reporting.report(state, await reporting.drafts.weigh(state), partial=True)


def _keep(runs: RunStore, run_id: str, text: str) -> None:
    """Store the draft under the lease of the run, which the session just stopped may still hold."""
    held = runs.holds(run_id)
    if not held:
        runs.acquire(run_id)
    try:
        runs.put_draft(run_id, PARTIAL_ATTEMPT, text)
    finally:
        if not held:
            runs.release(run_id)
