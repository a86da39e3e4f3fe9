"""A finished run as a file: the report in its export formats, the map as SVG."""

from __future__ import annotations

import re
from collections.abc import Callable

from rabbithole.kb.models import Model
from rabbithole.workflow.chat.runs.run_view import RunView
from rabbithole.workflow.chat.view.graph_layout import MapNode
from rabbithole.workflow.chat.view.graph_svg import to_svg
from rabbithole.workflow.chat.view.run_map import map_of
from rabbithole.workflow.report.export.report_files import FORMATS
from rabbithole.workflow.report.markdown import at_length

MEDIA = {
    "md": "text/markdown",
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}


class Export(Model):
    name: str
    media: str
    data: bytes


def export(view: RunView, form: str, named: Callable[[MapNode], MapNode]) -> Export | None:
    """Return the file, or None if the format is unknown or has no content yet. ``named`` labels the map's places."""
    if form == "svg":
        return _map(view, named)
    write = FORMATS.get(f".{form}")
    if view.report is None or write is None or form not in MEDIA:
        return None
    # Only HTML can fold the appendix; in the other files the chat has no option to ask for it, so they contain it.
    report = view.report if form in ("html", "json") else at_length(view.report, "full")
    return Export(name=f"{stem(view)}.{form}", media=MEDIA[form], data=write(report))


def stem(view: RunView) -> str:
    """Return a file name made from the question, in plain letters."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", view.query)[:48].strip("-")
    return f"{words or 'report'}-{view.run}"


def _map(view: RunView, named: Callable[[MapNode], MapNode]) -> Export | None:
    drawn = map_of(view)
    if not drawn.nodes:
        return None
    drawn = drawn.model_copy(update={"nodes": tuple(map(named, drawn.nodes))})
    return Export(name=f"{stem(view)}.svg", media="image/svg+xml", data=to_svg(drawn, view.query).encode())
