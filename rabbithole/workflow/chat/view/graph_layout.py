"""The layout of the reference graph: places as nodes, references as edges by decision, arranged by depth.

Columns are depths and rows the order of appearance, so that the map grows without being rearranged. In a column, places
that were read or are missing come first, places that were only mentioned after them. Once there is an answer, the
places it cites stand first, and places that no reference connects with its documents stand aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from rabbithole.kb.models import Model
from rabbithole.steps.models import Decision
from rabbithole.steps.report_models import ReferenceGraph
from rabbithole.workflow.chat.runs.run_view import ReferenceView

NodeStatus = Literal["read", "known", "missing"]
Line = Literal["follow", "skip", "missing"]

COLUMN, ROW, WIDTH, HEIGHT, MARGIN = 264, 62, 208, 44, 16
_LINES: dict[Decision, Line] = {"follow": "follow", "seen": "follow", "missing": "missing", "ambiguous": "missing"}
_RANK: dict[NodeStatus, int] = {"known": 0, "missing": 1, "read": 2}


class MapNode(Model):
    document: str | None
    section: str | None
    label: str
    status: NodeStatus
    depth: int
    page: int | None = None
    answers: bool = Field(default=False, description="whether the answer cites this place")
    aside: bool = Field(default=False, description="whether no reference connects it with a document the answer cites")
    x: int = 0
    y: int = 0


class MapEdge(Model):
    source: int
    target: int
    text: str
    decision: Decision
    line: Line
    reason: str
    task: int
    depth: int


class GraphLayout(Model):
    """A laid-out graph. ``height`` leaves out places only mentioned or aside; ``full_height`` includes them."""

    nodes: tuple[MapNode, ...] = ()
    edges: tuple[MapEdge, ...] = ()
    width: int = 0
    height: int = 0
    full_height: int = 0


class _Places:
    """The nodes by identity, while edges are added."""

    def __init__(self) -> None:
        self.nodes: list[MapNode] = []
        self._index: dict[tuple[str, str], int] = {}

    def add(self, node: MapNode) -> int:
        key = (node.document or node.label, node.section or "")
        index = self._index.setdefault(key, len(self.nodes))
        if index == len(self.nodes):
            self.nodes.append(node)
        else:
            known = self.nodes[index]
            status = max(known.status, node.status, key=_RANK.__getitem__)
            page = known.page if known.page is not None else node.page
            self.nodes[index] = known.model_copy(update={"status": status, "page": page})
        return index


def from_references(references: Iterable[ReferenceView]) -> GraphLayout:
    """Return the map of the references found so far, in the order they were decided."""
    places = _Places()
    edges: dict[tuple[int, int, Line], MapEdge] = {}  # several tasks may find the same reference
    for seen in references:
        source = places.add(
            MapNode(
                document=seen.source_document or None,
                section=seen.source_section,
                label=seen.source or "?",
                status="read",
                depth=max(0, seen.depth - 1),
            )
        )
        line = _LINES.get(seen.decision, "skip")
        status: NodeStatus = "missing" if line == "missing" else "read" if seen.decision == "follow" else "known"
        target = places.add(
            MapNode(
                document=seen.target_document,
                section=seen.target_section,
                label=seen.target or seen.text,
                status=status,
                depth=seen.depth,
                page=seen.page,
            )
        )
        if source != target:
            edge = MapEdge(
                source=source, target=target, text=seen.text, decision=seen.decision, line=line,
                reason=seen.reason, task=seen.task, depth=seen.depth,
            )  # fmt: skip
            edges.setdefault((source, target, line), edge)
    followed = {(source, target) for source, target, line in edges if line == "follow"}
    kept = [edge for (*ends, line), edge in edges.items() if line != "skip" or tuple(ends) not in followed]
    return _laid_out(places.nodes, kept)


def places_read(references: Iterable[ReferenceView], cited: Iterable[MapNode] = ()) -> int:
    """Return how many places the map of these references and of the answer's citations shows as read."""
    read = {(one.document or one.label, one.section or "") for one in cited}
    for seen in references:
        read.add((seen.source_document or seen.source or "?", seen.source_section or ""))
        if seen.decision == "follow":
            read.add((seen.target_document or seen.target or seen.text, seen.target_section or ""))
    return len(read)


def from_graph(graph: ReferenceGraph) -> GraphLayout:
    """Return the map of a finished report's references."""
    depths = dict.fromkeys(range(len(graph.nodes)), 0)
    for edge in sorted(graph.edges, key=lambda edge: edge.depth):
        if depths[edge.target] == 0 and edge.target != edge.source:
            depths[edge.target] = max(1, edge.depth)
    nodes = [
        MapNode(document=node.document, section=node.section, label=node.label, status=node.status, depth=depths[index])
        for index, node in enumerate(graph.nodes)
    ]
    edges = [
        MapEdge(
            source=edge.source, target=edge.target, text=edge.text, decision=edge.decision,
            line=_LINES.get(edge.decision, "skip"), reason=edge.reason, task=edge.task, depth=edge.depth,
        )
        for edge in graph.edges
        if edge.source != edge.target
    ]  # fmt: skip
    return _laid_out(nodes, edges)


def with_answer(drawn: GraphLayout, cited: Sequence[MapNode]) -> GraphLayout:
    """Return the map with the places that the answer cites, which may have no references of their own."""
    if not cited:
        return drawn
    places = _Places()
    for node in (*drawn.nodes, *cited):
        places.add(node)
    wanted = {(node.document, node.section) for node in cited}
    answers = {at for at, node in enumerate(places.nodes) if (node.document, node.section) in wanted}
    documents = {node.document for node in cited}
    near = _connected((at for at, node in enumerate(places.nodes) if node.document in documents), drawn.edges)
    nodes = [
        node.model_copy(update={"answers": at in answers, "aside": at not in near})
        for at, node in enumerate(places.nodes)
    ]
    return _laid_out(nodes, drawn.edges)


def _connected(start: Iterable[int], edges: Sequence[MapEdge]) -> set[int]:
    """Return the places that references connect with these, in whatever direction."""
    beside: dict[int, list[int]] = {}
    for edge in edges:
        beside.setdefault(edge.source, []).append(edge.target)
        beside.setdefault(edge.target, []).append(edge.source)
    reached = set(start)
    pending = list(reached)
    while pending:
        new = [one for one in beside.get(pending.pop(), ()) if one not in reached]
        reached.update(new)
        pending += new
    return reached


def _laid_out(nodes: Sequence[MapNode], edges: Sequence[MapEdge]) -> GraphLayout:
    rows: dict[int, int] = {}
    placed = list(nodes)
    heights: list[int] = []
    for group in range(3):
        for index, node in enumerate(nodes):
            if _group(node) == group:
                row = rows.get(node.depth, 0)
                rows[node.depth] = row + 1
                x, y = MARGIN + node.depth * COLUMN, MARGIN + row * ROW
                placed[index] = node.model_copy(update={"x": x, "y": y})
        heights.append(max(rows.values(), default=0) * ROW + 2 * MARGIN)
    columns = max((node.depth for node in nodes), default=0) + 1
    width = (columns - 1) * COLUMN + WIDTH + 2 * MARGIN
    return GraphLayout(nodes=tuple(placed), edges=tuple(edges), width=width, height=heights[1], full_height=heights[2])


def _group(node: MapNode) -> int:
    """Return 0 for a place that answers, 1 for one that was read or is missing, 2 for one that need not be shown."""
    return 0 if node.answers else 2 if node.status == "known" or node.aside else 1
