import asyncio
import json
import re
from pathlib import Path

import pytest
from flows import QUESTION, finish, workflow
from llama_index.utils.workflow import draw_most_recent_execution_mermaid

from rabbithole.workflow.events import ReferenceFollowed, ResearchRequest
from rabbithole.workflow.observability.visualize import (
    flow_html,
    flow_mermaid,
    run_html,
    run_mermaid,
    steps_html,
    steps_mermaid,
)

ARCHITECTURE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"


def test_the_drawn_flow_in_the_docs_is_true():
    drawn = re.search(r"```mermaid\n(.*?)```", ARCHITECTURE.read_text(encoding="utf-8"), re.DOTALL)
    assert drawn is not None
    assert drawn.group(1) == flow_mermaid(), "run: python -m bench.draw_flow"


@pytest.mark.slow
def test_pictures_load_nothing_from_anywhere(sample_kb, runs):
    async def whole():
        flow = workflow(sample_kb, runs)
        report, _ = await finish(flow, ResearchRequest(query=QUESTION, auto_approve=True))
        await flow.settled()
        return report

    report = asyncio.run(whole())
    for page in (flow_html(), run_html(runs, report.run_id), steps_html(runs, report.run_id)):
        assert not re.search(r"<(?:link|script|img)[^>]+(?:href|src)=[\"']https?:", page)
        assert "vis-network" in page or "vis.Network" in page
    drawn = run_mermaid(runs, report.run_id)
    assert drawn.startswith("flowchart LR")
    assert "§ 17" in drawn
    steps = steps_mermaid(runs, report.run_id)
    assert re.search(r"FollowRefEvent: [^\"]+, §", steps)
    assert steps.count('["follow"]') == steps.count("FollowRefEvent: ") >= report.metrics.followed


def test_the_librarys_own_tools_show_every_reference_of_a_run(sample_kb, runs, tmp_path):
    """The record of ticks, the drawing made from it, and the state in the context."""

    async def watched():
        flow = workflow(sample_kb, runs, initial_todo_items=1, max_iterations=1)
        handler = flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
        held = []
        async for event in handler.stream_events():
            if isinstance(event, ReferenceFollowed):
                held.append(handler.ctx.to_dict())
        report = (await handler).report
        await flow.settled()
        drawn = draw_most_recent_execution_mermaid(handler, filename=str(tmp_path / "run.mermaid"))
        return report, drawn, held

    report, drawn, held = asyncio.run(watched())
    assert drawn.count('(["FollowRefEvent"])') >= report.metrics.followed > 0
    assert '"0000/01/00000' in json.dumps(held[-1]).replace("\\", "")
