"""Suggest follow-up questions that a report leaves open."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rabbithole.steps.follow_limits import LIMITS
from rabbithole.steps.phrases import filled_in, phrase
from rabbithole.steps.reasoning.text.aspects import Aspect, says
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.report_models import GraphEdge, GraphNode, Report

from .context import context_of, place_name

WANTED = 3
_PLACES = 2
LONGEST_PLACE = 50
"""Maximum length, in characters, of a place in a suggested question."""
_UNREAD = frozenset(("skip", "failed", *LIMITS))
_RULES: tuple[Aspect, ...] = ("duties", "values")
"""Aspects that are stated by rules, which may have exceptions; a definition has none."""
_SECTION = re.compile(r", (?P<section>(?:§|Art|Anhang|Anlage|Annex|Appendix|\d+(?:\.\d+)*\s|[A-Z](?:\.\d+)+\s).*)\Z")


def suggestions(report: Report, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return up to three questions: on what was not found, on references not followed, then general ones.

    ``names`` maps document ids to names.
    """
    language = report.language
    found = [*_gaps(report), *_not_followed(report, names)[:_PLACES]]
    context = context_of(report)
    points = context.points
    if report.answer.status == "answered" and any(says(one, point.text) for one in _RULES for point in points):
        found.append(phrase(language, "follow_up.next.exceptions"))
    if points:
        found.append(phrase(language, "follow_up.next.explain"))
    if len(points) > 1:
        found.append(phrase(language, "follow_up.next.table"))
    asked = _letters(context.question)
    return tuple(one for one in dict.fromkeys(found) if _letters(one) != asked)[:WANTED]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _gaps(report: Report) -> list[str]:
    """Return a question for the first gap of the tasks that the report's question does not name itself."""
    gaps = [gap for task in report.todo if task.summary for gap in task.summary.gaps]
    known = stem_set(report.query, report.language)
    for gap in gaps:
        term = filled_in(report.language, "reasoning.open_gap", gap)
        if term and not stem_set(term, report.language) <= known:
            return [phrase(report.language, "follow_up.next.gap", term=term)]
    return []


def _not_followed(report: Report, names: Mapping[str, str]) -> list[str]:
    """Return questions for unread places that what is cited refers to, or whose heading has words of the question.

    Places of both kinds come first, then those that cited sections refer to.
    """
    graph = report.references
    cited = {(one.document, one.section) for one in report.answer.citations}
    documents = {one.document for one in report.answer.citations}
    read = {edge.target for edge in graph.edges if edge.decision in ("follow", "seen")}
    open_edges = [
        edge
        for edge in graph.edges
        if edge.decision in _UNREAD and edge.target not in read
        if graph.nodes[edge.target].document and graph.nodes[edge.source].document in documents
    ]
    asked = stem_set(report.query, report.language)

    def bearing(edge: GraphEdge) -> tuple[bool, bool]:
        heading = _SECTION.search(graph.nodes[edge.target].label)
        shares = bool(heading and stem_set(heading["section"], report.language) & asked)
        return shares, _key(graph.nodes[edge.source]) in cited

    near = [(bearing(edge), edge) for edge in open_edges]
    ranked = sorted(
        ((bears, edge) for bears, edge in near if any(bears)),
        key=lambda one: (-sum(one[0]), not one[0][1], one[1].depth),
    )
    places = dict.fromkeys(_place(graph.nodes[edge.target], names, report.language) for _, edge in ranked)
    return [
        phrase(report.language, "follow_up.next.place", place=place)
        for place in places
        if 0 < len(place) <= LONGEST_PLACE
    ]


def _key(node: GraphNode) -> tuple[str, str | None]:
    return node.document or "", node.section


def _place(node: GraphNode, names: Mapping[str, str], language: str) -> str:
    """Return a name of the place for a question, or '' if it has no number."""
    name = names.get(node.document or "", "")
    found = _SECTION.search(node.label)
    if not name or found is None:
        return ""
    place = place_name(found["section"], name, language)
    return place if place != name else ""
