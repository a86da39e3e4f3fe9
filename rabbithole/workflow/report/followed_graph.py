"""The ledger in readable form: the graph of references, and places not read and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rabbithole.kb.models import Model
from rabbithole.steps.follow_limits import LIMITS
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.steps.report_models import GraphEdge, GraphNode, ReferenceGraph
from rabbithole.workflow.ledger import LedgerEntry

_STATUS = {"read": 2, "known": 1, "missing": 0}


def reference_graph(entries: Sequence[LedgerEntry], evidence: Sequence[Evidence]) -> ReferenceGraph:
    """Return the graph of places (document, section) as nodes and references as edges, in canonical order."""
    nodes: dict[tuple[str | None, str | None, str], GraphNode] = {}

    def node(document: str | None, section: str | None, label: str, status: str) -> tuple[str | None, str | None, str]:
        key = (document, section, "" if document else label)
        known = nodes.get(key)
        if known is None or _STATUS[status] > _STATUS[known.status]:
            nodes[key] = GraphNode.model_validate(
                {"document": document, "section": section, "label": known.label if known else label, "status": status}
            )
        return key

    for item in evidence:
        if not item.external:
            node(item.document, item.section, _label(item), "read")
    pairs = []
    for entry in entries:
        mention = entry.mention
        source = node(mention.source_document, mention.source_section, mention.source_label, "read")
        status = "read" if entry.decision in ("follow", "seen") else "known"
        status = "missing" if mention.resolution.document is None else status
        target = node(mention.resolution.document, mention.resolution.section, mention.label, status)
        pairs.append((entry, source, target))
    position = {key: number for number, key in enumerate(nodes)}
    edges = tuple(
        GraphEdge(
            source=position[source],
            target=position[target],
            text=entry.mention.reference.text,
            kind=entry.mention.reference.kind,
            depth=entry.depth,
            task=entry.task,
            decision=entry.decision,
            reason=entry.reason,
        )
        for entry, source, target in pairs
    )
    return ReferenceGraph(nodes=tuple(nodes.values()), edges=edges)


def _label(item: Evidence) -> str:
    return ", ".join(part for part in (item.title or item.file, item.section_label) if part)


def _without_name(reason: str, label: str, there: str) -> str:
    for quoted in quotations(reason):
        if label.startswith(quoted.text.rstrip("…").rstrip()) or quoted.text in label:
            return reason[: quoted.start] + there + reason[quoted.end :]
    return reason.replace(label, there)


class NotLooked(Model):
    """References not followed for one reason."""

    decision: str
    reason: str
    places: tuple[str, ...]


def not_looked_at(entries: Sequence[LedgerEntry], language: str) -> tuple[NotLooked, ...]:
    """Return the places that were found but not read, grouped by reason; places read for another reference are omitted.

    Web addresses are only counted: see ``addresses``.

    In a reason, the place's own name is replaced by 'the place', so that equal reasons are grouped together.
    """
    there = phrase(language, "report.skipped.there")
    read = {entry.mention.place for entry in entries if entry.decision in ("follow", "seen")}
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for entry in entries:
        listed = entry.decision in ("skip", "failed", "ambiguous", *LIMITS)
        outside = entry.mention.reference.kind == "external"
        if listed and not outside and entry.mention.place not in read:
            reason = _without_name(entry.reason, entry.mention.label, there)
            groups.setdefault((entry.decision, reason), {})[entry.mention.label] = None
    found = [NotLooked(decision=key[0], reason=key[1], places=tuple(places)) for key, places in groups.items()]
    order = Counter({"failed": 6, "ambiguous": 5, "budget": 4, "converged": 3, "skip": 2, "depth": 1})
    return tuple(sorted(found, key=lambda one: (-order[one.decision], one.reason)))
