"""The map of a run: its references, with the places that the answer cites in front."""

from __future__ import annotations

from rabbithole.steps.report_models import Report
from rabbithole.workflow.chat.runs.run_view import RunView

from .graph_layout import GraphLayout, MapNode, from_graph, from_references, with_answer
from .report_json import answering


def map_of(view: RunView) -> GraphLayout:
    """Return the map of a run, with the names of places as they were recorded."""
    seen = [one for task in view.tasks.values() for one in task.references]
    drawn = from_references(seen) if seen or not view.report else from_graph(view.report.references)
    return with_answer(drawn, cited_places(view))


def cited_places(view: RunView) -> list[MapNode]:
    """Return the places that the answer cites, each passage one, or none while there is no report."""
    return _cited(view.report) if view.report else []


def _cited(report: Report) -> list[MapNode]:
    return [
        MapNode(
            document=one.document,
            section=one.section,
            label=", ".join(part for part in (one.title or one.file, one.section_label) if part),
            status="read",
            depth=0,
            page=one.page,
        )
        for one in answering(report)
        if one.document and not one.external
    ]
