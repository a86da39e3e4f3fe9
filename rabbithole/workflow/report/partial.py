"""A readable report of a run that was stopped: what had been found by then, cited and verified as ever."""

from __future__ import annotations

import asyncio

from rabbithole.kb.as_of import on_day
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.models import Report
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.state import ResearchState
from rabbithole.workflow.run.store import RunStore

from .assemble import Reporting

PARTIAL_ATTEMPT = -1  # beside the attempts of the writer, which a resumed run goes on with


async def partial_report(runs: RunStore, kb: KnowledgeBase, settings: ResearchSettings, run_id: str) -> Report:
    """The finished report if there is one; else what the evidence so far says, put together without a model."""
    finished = await asyncio.to_thread(runs.report, run_id)
    if finished is not None:
        return finished
    state: ResearchState = await asyncio.to_thread(runs.load, run_id)
    reporting = Reporting(on_day(kb, state.as_of), ExtractiveReasoner(), settings, runs)
    text = "".join([piece async for piece in reporting.write(state)])
    runs.put_draft(run_id, PARTIAL_ATTEMPT, text)
    state = state.model_copy(update={"attempt": PARTIAL_ATTEMPT})
    return await reporting.report(state, await reporting.weigh(state), partial=True)
