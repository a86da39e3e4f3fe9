"""The ledger in readable form: the graph of references, missing documents, and places not read and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rabbithole.kb.models import Model
from rabbithole.kb.references.graph.missing import missing_kind
from rabbithole.kb.references.names.name_keys import NameKey, name_key
from rabbithole.kb.references.resolution.book_pages import PAGE_NOT_HELD
from rabbithole.steps.follow_limits import LIMITS
from rabbithole.steps.models import Evidence, GraphEdge, GraphNode, MissingDocument, ReferenceGraph
from rabbithole.steps.phases.mentions import Mention
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.text.quotations import quotations
from rabbithole.workflow.run.ledger import LedgerEntry

GAZETTE = re.compile(r"(?:R?GBl|BGBl|BAnz|ABl|OJ|Fed\. ?Reg|[A-Z]?GVBl)\b|\d+ Fed\. ?Reg")
_PAGES_NAMED = 3
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


def missing_documents(entries: Sequence[LedgerEntry]) -> tuple[MissingDocument, ...]:
    """Return the documents that references of the ledger name but the collection lacks."""
    return missing_of(entry.mention for entry in entries if entry.decision == "missing")


def missing_of(mentions: Iterable[Mention]) -> tuple[MissingDocument, ...]:
    """Return the documents these mentions name but the collection lacks, most cited first; each place counts once.

    Pages of one site are one entry. Other addresses of the web are only counted: see ``addresses``.
    """
    names: dict[NameKey, str] = {}
    pages: dict[NameKey, dict[str, None]] = {}
    kinds: dict[NameKey, MissingDocument] = {}
    cited: dict[NameKey, dict[str, None]] = {}
    for mention in mentions:
        of_site = mention.resolution.rule == PAGE_NOT_HELD
        work = missing_kind(mention.reference, mention.resolution) not in (None, "section")
        if not (of_site or work) or parallel(mention):
            continue
        name = mention.resolution.name
        key = name_key(name) or (name,)
        if of_site:
            key = ("", *key)
            pages.setdefault(key, {})[mention.resolution.note] = None
        if name.endswith(f" {names.setdefault(key, name)}"):
            names[key] = name  # "Verordnung (EU) 2017/745" says more than "(EU) 2017/745"
        cited.setdefault(key, {})[mention.source_label] = None
        kinds.setdefault(key, MissingDocument(name=name, kind=mention.reference.kind, cited_by=(), count=0))
    names |= {key: _with_pages(names[key], tuple(files)) for key, files in pages.items()}
    found = [
        kinds[key].model_copy(update={"name": names[key], "cited_by": tuple(cited[key]), "count": len(cited[key])})
        for key in names
        if not any(part_of(names[key], names[other]) and cited[key].keys() <= cited[other].keys() for other in names)
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, one.name.casefold())))


def addresses(mentions: Iterable[Mention]) -> int:
    """Return how many web addresses the mentions contain, apart from links to missing pages of their own site."""
    missing = (one for one in mentions if one.resolution.status == "missing")
    outside = (one for one in missing if one.resolution.rule != PAGE_NOT_HELD)
    return len({one.reference.target for one in outside if one.reference.kind == "external"})


def _with_pages(site: str, files: Sequence[str]) -> str:
    """Return the name of a site with the pages that are not held: 'Manual: backup.html, restore.html, …'."""
    more = ", …" if len(files) > _PAGES_NAMED else ""
    return f"{site}: {', '.join(files[:_PAGES_NAMED])}{more}"


def parallel(mention: Mention) -> bool:
    """Return whether the mention is a gazette cited in brackets after an act, as the place of its publication."""
    if not GAZETTE.match(mention.reference.text):
        return False
    before = mention.context[: max(0, mention.context.find(mention.reference.text))]
    return before.rfind("(") > before.rfind(")")


def part_of(name: str, other: str) -> bool:
    """Return whether ``other`` ends with ``name``, as 'Lebens- und Futtermittelgesetzbuch' does."""
    bare = other.split(" (")[0]
    return bare != name and bare.endswith((f" {name}", f"-{name}"))


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
