import asyncio
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flows import QUESTION, finish, workflow
from llama_index.utils.workflow import draw_most_recent_execution_mermaid

from rabbithole.workflow.events import ReferenceFollowed, ResearchRequest
from rabbithole.workflow.observability.picture import COLUMN, MARGIN, laid_out
from rabbithole.workflow.observability.visualize import (
    flow_html,
    flow_mermaid,
    run_html,
    run_mermaid,
    steps_html,
    steps_mermaid,
)

ARCHITECTURE = Path(__file__).resolve().parents[3] / "docs" / "architecture.md"


def test_the_drawn_flow_in_the_docs_is_true():
    drawn = re.search(r"```mermaid\n(.*?)```", ARCHITECTURE.read_text(encoding="utf-8"), re.DOTALL)
    assert drawn is not None
    assert drawn.group(1) == flow_mermaid(), "run: python -m bench.running.draw_flow"


@pytest.mark.parametrize(
    ("edges", "columns"),
    [
        ([("a", "b"), ("b", "c"), ("c", "d")], {"a": 0, "b": 1, "c": 2, "d": 3}),
        ([("a", "b"), ("b", "c"), ("c", "b"), ("a", "d")], {"a": 0, "b": 1, "c": 2, "d": 1}),
        ([("b", "c"), ("c", "b"), ("d", "d")], {"a": 0, "b": 0, "c": 1, "d": 0}),
        ([], dict.fromkeys("abcd", 0)),
    ],
    ids=["a chain", "a loop on the way", "loops alone", "no arrow"],
)
def test_nodes_stand_in_columns_from_where_the_drawing_begins(edges, columns):
    places = laid_out("abcd", edges)
    assert {one: (x - MARGIN) // COLUMN for one, (x, _) in places.items()} == columns
    assert len(set(places.values())) == len(places)


@pytest.mark.slow
def test_pictures_load_nothing_from_anywhere(sample_kb, runs):
    async def whole():
        flow = workflow(sample_kb, runs)
        report, _ = await finish(flow, ResearchRequest(query=QUESTION, auto_approve=True))
        await flow.settled()
        return report

    report = asyncio.run(whole())
    for page in (flow_html(), run_html(runs, report.run_id), steps_html(runs, report.run_id)):
        assert not re.search(r"<(?:link|script|img|iframe|image|use)\b|url\((?!#)|\b(?:href|src)=", page)
        ElementTree.fromstring(page[page.index("<svg") : page.index("</body>")])
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
