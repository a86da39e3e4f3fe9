"""What the terminal says of references: each place once while research runs, and at its end the same number."""

from __future__ import annotations

import io
from typing import Literal

import pytest
from rich.console import Console

from rabbithole.kb.models import Reference, Resolution
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.report_models import GraphEdge, GraphNode, ReferenceGraph, Report
from rabbithole.workflow.cli import progress_view
from rabbithole.workflow.cli.followed_tree import reference_trees
from rabbithole.workflow.cli.progress_view import ProgressView
from rabbithole.workflow.events import ReferenceFollowed, ReferenceMissing, ReferenceSeen, ReferenceSkipped
from rabbithole.workflow.ledger import LedgerEntry
from rabbithole.workflow.report.findings import metrics_of
from rabbithole.workflow.run.state import ResearchState

Decision = Literal["follow", "skip", "missing"]
SEEN: tuple[tuple[int, str, Decision, str | None, str], ...] = (
    (1, "§ 5", "follow", "d", "s5"),
    (2, "§ 5", "follow", "d", "s5"),  # another task
    (2, "section 5", "follow", "d", "s5"),  # in other words
    (1, "§ 6", "follow", "d", "s6"),
    (1, "the Reed Act", "missing", None, ""),
    (2, "Reed Act", "missing", None, ""),
    (1, "§ 7", "skip", "d", "s7"),
)
KINDS: dict[str, type[ReferenceSeen]] = {
    "follow": ReferenceFollowed, "missing": ReferenceMissing, "skip": ReferenceSkipped,
}  # fmt: skip


def label(document: str | None, section: str) -> str:
    return f"Rules, {section}" if document else "Reed Act"


def test_steps_and_report_count_a_place_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(progress_view, "ERR", Console(file=out, width=200))
    view = ProgressView("extractive", "", "en")
    ledger = {}
    for order, (task, text, decision, document, section) in enumerate(SEEN):
        view.take(
            KINDS[decision](
                task=task, depth=1, text=text, kind="section", source="S", target=label(document, section),
                target_document=document, target_section=section or None, decision=decision,
            )
        )  # fmt: skip
        resolution = Resolution(
            status="resolved" if document else "missing", rule="", document=document, section=section or None
        )
        mention = Mention(
            reference=Reference(start=0, end=len(text), text=text, kind="section", target=text), source="e1",
            source_document="d", context="", resolution=resolution, place=section, label=label(document, section),
        )  # fmt: skip
        ledger[str(order)] = LedgerEntry(
            key=str(order), task=task, depth=1, order=order, mention=mention, status="settled", decision=decision
        )
    lines = [line.split()[0] for line in out.getvalue().splitlines()]
    assert (lines.count("followed"), lines.count("missing")) == (2, 1)
    assert metrics_of(ResearchState(run_id="r", query="q", language="en", ledger=ledger)).followed == 2
    screen = Console(file=io.StringIO(), width=200, record=True)
    screen.print(view)
    assert "references: 2 followed, 1 skipped, 1 missing" in screen.export_text()


def edge(target: int, text: str, decision: Literal["follow", "missing", "ambiguous"]) -> GraphEdge:
    return GraphEdge(source=0, target=target, text=text, kind="section", depth=1, task=1, decision=decision)


def test_references_that_lead_nowhere_stand_apart_with_the_reason() -> None:
    nodes = (
        GraphNode(document="d", section="s1", label="Rules, 1", status="read"),
        GraphNode(document="d", section="s5", label="Rules, 5", status="read"),
        GraphNode(document=None, section=None, label="Reed Act", status="missing"),
        GraphNode(document="d", section=None, label="Rules section 99", status="known"),
        GraphNode(document="e", section=None, label="Statutes", status="known"),
    )
    edges = (
        edge(1, "section 5", "follow"),
        edge(2, "Reed Act", "missing"),
        edge(2, "the Reed Act", "missing"),
        edge(3, "section 99", "missing"),
        edge(4, "the statutes", "ambiguous"),
    )
    report = Report(run_id="r", mode="research", query="q", language="en", markdown="")
    screen = Console(file=io.StringIO(), width=200, record=True)
    for tree in reference_trees(report.model_copy(update={"references": ReferenceGraph(nodes=nodes, edges=edges)})):
        screen.print(tree)
    above, heading, below = screen.export_text().partition("References not followed")
    assert heading
    assert "section 5 → Rules, 5" in above
    assert "Reed" not in above
    assert [line.strip("├└─ ") for line in below.splitlines() if line.strip()] == [
        "Reed Act → Reed Act  (not in the collection)",
        "section 99 → Rules section 99  (the document has no such place)",
        "the statutes → Statutes  (several documents may be meant)",
    ]
    assert reference_trees(report) == ()
