import re
from pathlib import Path

import pytest
from flows import research

from rabbithole.workflow.observability.visualize import flow_html, flow_mermaid, run_html, run_mermaid
from rabbithole.workflow.run.store import RunStore

ARCHITECTURE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"


def test_the_drawn_flow_in_the_docs_is_true():
    drawn = re.search(r"```mermaid\n(.*?)```", ARCHITECTURE.read_text(encoding="utf-8"), re.DOTALL)
    assert drawn is not None
    assert drawn.group(1) == flow_mermaid(), "run: python -m bench.draw_flow"


@pytest.mark.slow
def test_pictures_load_nothing_from_anywhere(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite")
    runs = RunStore(tmp_path / "runs.sqlite")
    for page in (flow_html(), run_html(runs, report.run_id)):
        assert not re.search(r"<(?:link|script|img)[^>]+(?:href|src)=[\"']https?:", page)
        assert "vis-network" in page or "vis.Network" in page
    drawn = run_mermaid(runs, report.run_id)
    assert drawn.startswith("flowchart LR")
    assert "§ 17" in drawn
    runs.close()
