"""The references that research followed, as a tree in the terminal."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from rabbithole.steps.report_models import Report
from rabbithole.workflow.report.reference_tree import Branch, tree

from .console import one_line

STYLES = {"read": "green", "known": "", "missing": "red"}
TITLES = {"de": "Verfolgte Verweise", "en": "References followed"}
LACKING = {"de": "fehlt in der Sammlung", "en": "not in the collection"}


def reference_tree(report: Report) -> Tree | None:
    """Return the tree, whose roots are the places the search found; None if no reference was followed or missing."""
    roots = tree(report.references)
    if not roots:
        return None
    drawn = Tree(Text(TITLES[report.language], style="bold"))
    for root in roots:
        _grow(drawn, root, report.language)
    return drawn


def _grow(parent: Tree, branch: Branch, language: str) -> None:
    line = Text()
    if branch.via:
        line.append(f"{one_line(branch.via)} ", style="dim").append("→ ", style="dim")
    line.append(one_line(branch.label), style=STYLES.get(branch.status, ""))
    if branch.status == "missing":
        line.append(f"  ({LACKING[language]})", style="red")
    node = parent.add(line)
    for child in branch.branches:
        _grow(node, child, language)
