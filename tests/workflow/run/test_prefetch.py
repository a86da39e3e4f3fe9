"""Prefetching: reading for tasks begins while the plan is streamed, and no result depends on it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from flows import QUESTION, settings
from servers.answers import GERMAN
from servers.model_server import Behaviour, Recorded, running
from servers.settings import settings_for

from rabbithole.kb import KnowledgeBase
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.workflow.events import ReportReady, ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow

FIRST_TASK = f"{GERMAN.rstrip('.')} 1."


def prompt_of(call: Recorded) -> str:
    return str(call.body["messages"][-1]["content"])


def plans(call: Recorded) -> bool:
    return prompt_of(call).startswith("### Task\nPlan a research")


def reads_for_the_first_task(call: Recorded) -> bool:
    return f"Task: {FIRST_TASK}" in prompt_of(call)


def plan_not_read_for(call: Recorded, calls: Sequence[Recorded]) -> bool:
    """The plan is not whole before somebody has begun to read for its first task."""
    return plans(call) and not any(map(reads_for_the_first_task, calls))


def researched(kb: KnowledgeBase, folder: Path, at_once: int) -> tuple[ReportReady, list[Recorded]]:
    runs = SqliteRunStore(folder / "runs.sqlite")

    async def play(url: str) -> ReportReady:
        reasoner = make_reasoner(
            settings_for(url, llm_concurrency=at_once, llm_idle_timeout=60.0, llm_total_timeout=100.0), kb
        )
        flow = ResearchWorkflow(kb, settings(initial_todo_items=3), reasoner, runs)
        try:
            report: ReportReady = await flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
            await flow.settled()
            return report
        finally:
            await reasoner.close()

    with running(Behaviour(holds=plan_not_read_for if at_once > 1 else None)) as server:
        report = asyncio.run(play(server.url))
    runs.close()
    return report, server.calls


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_task_is_read_for_while_the_rest_of_the_plan_comes(sample_kb, tmp_path, at_once):
    report, calls = researched(sample_kb, tmp_path, at_once)
    (planned,) = filter(plans, calls)
    early = [call for call in filter(reads_for_the_first_task, calls) if call.started < planned.ended]
    assert bool(early) == (at_once > 1)
    assert len(report.todo) > 3


def test_the_report_is_the_same_whether_tasks_were_read_for_before_their_turn(sample_kb, tmp_path):
    (tmp_path / "one").mkdir()
    one, _ = researched(sample_kb, tmp_path / "one", 1)
    many, _ = researched(sample_kb, tmp_path, 8)
    assert many.markdown == one.markdown
    assert many.todo == one.todo
