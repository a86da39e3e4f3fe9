"""The references that research followed, as a tree in the terminal, and those that lead nowhere in the collection."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import GraphEdge, Report
from rabbithole.workflow.report.reference_tree import Branch, tree

from .console import one_line

STYLES = {"read": "green"}


def reference_trees(report: Report) -> tuple[Tree, ...]:
    """Return the tree of places followed, whose roots the search found, and the list of those that could not be."""
    drawn = []
    if roots := tree(report.references):
        followed = Tree(Text(phrase(report.language, "cli.tree.followed"), style="bold"))
        for root in roots:
            _grow(followed, root)
        drawn.append(followed)
    if lines := _not_followed(report):
        lacking = Tree(Text(phrase(report.language, "cli.tree.not_followed"), style="bold"))
        for line in lines:
            lacking.add(line)
        drawn.append(lacking)
    return tuple(drawn)


def _grow(parent: Tree, branch: Branch) -> None:
    node = parent.add(_line(branch.via, branch.label, STYLES.get(branch.status, "")))
    for child in branch.branches:
        _grow(node, child)


def _not_followed(report: Report) -> list[Text]:
    """Return a line for each place that is missing or ambiguous, with the reason."""
    first: dict[int, GraphEdge] = {}
    for edge in report.references.edges:
        if edge.decision in ("missing", "ambiguous"):
            first.setdefault(edge.target, edge)
    return [
        _line(edge.text, report.references.nodes[target].label, "red").append(f"  ({_why(report, edge)})", style="red")
        for target, edge in first.items()
    ]


def _why(report: Report, edge: GraphEdge) -> str:
    if edge.decision == "ambiguous":
        return phrase(report.language, "cli.tree.ambiguous")
    lacking = report.references.nodes[edge.target].document is None
    return phrase(report.language, "cli.tree.lacking" if lacking else "cli.tree.no_such_place")


def _line(via: str, label: str, style: str) -> Text:
    line = Text()
    if via:
        line.append(f"{one_line(via)} ", style="dim").append("→ ", style="dim")
    return line.append(one_line(label), style=style)
