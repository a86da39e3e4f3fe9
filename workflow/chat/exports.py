"""A finished run as a file: report in four forms, map as SVG."""

from __future__ import annotations

from ...kb.models import Model
from .burrow import from_graph, from_references
from .burrow_svg import to_svg
from .view import RunView


class Export(Model):
    name: str
    media: str
    data: bytes


def export(view: RunView, form: str) -> Export | None:
    """The file, or None when there is no such form or nothing to put into it yet."""
    if form == "svg":
        return _map(view)
    if view.report is None:
        return None
    if form == "md":
        return Export(name=f"{view.run}.md", media="text/markdown", data=view.report.markdown.encode())
    if form == "json":
        return Export(name=f"{view.run}.json", media="application/json", data=view.report.model_dump_json().encode())
    return None


def _map(view: RunView) -> Export | None:
    seen = [one for task in view.tasks.values() for one in task.references]
    drawn = from_references(seen) if seen or view.report is None else from_graph(view.report.references)
    if not drawn.nodes:
        return None
    return Export(name=f"{view.run}.svg", media="image/svg+xml", data=to_svg(drawn, view.query).encode())
