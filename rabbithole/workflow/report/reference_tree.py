"""The references followed, as a readable tree: each place appears once, where it was first reached."""

from __future__ import annotations

from rabbithole.kb.models import Model
from rabbithole.steps.report_models import ReferenceGraph


class Branch(Model):
    """A place and the places it led to. ``via`` is the text of the reference; it is empty for search results."""

    label: str
    status: str
    via: str = ""
    reason: str = ""
    document: str | None = None
    section: str | None = None
    branches: tuple[Branch, ...] = ()


def tree(graph: ReferenceGraph) -> tuple[Branch, ...]:
    """Return the trees whose roots are the places no followed reference led to.

    What is missing or ambiguous is no part of them: the report lists it by itself.
    """
    edges = sorted((edge for edge in graph.edges if edge.decision == "follow"), key=lambda edge: edge.depth)
    children: dict[int, list[tuple[int, str, str]]] = {}
    reached: set[int] = set()
    for edge in edges:
        if edge.target in reached or edge.target == edge.source:
            continue
        if _leads_to(children, edge.target, edge.source):
            continue
        reached.add(edge.target)
        children.setdefault(edge.source, []).append((edge.target, edge.text, edge.reason))

    def grow(node: int, via: str = "", reason: str = "") -> Branch:
        place = graph.nodes[node]
        return Branch(
            label=place.label,
            status=place.status,
            via=via,
            reason=reason,
            document=place.document,
            section=place.section,
            branches=tuple(grow(*child) for child in children.get(node, [])),
        )

    return tuple(grow(node) for node in children if node not in reached)


def _leads_to(children: dict[int, list[tuple[int, str, str]]], start: int, goal: int) -> bool:
    """Return whether ``goal`` is already below ``start``."""
    open_nodes = [start]
    while open_nodes:
        node = open_nodes.pop()
        if node == goal:
            return True
        open_nodes += [child for child, _, _ in children.get(node, [])]
    return False
