"""A report, its evidence and its citations as JSON for the browser. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import Citation, Report, ReportAnswer, TaskReport
from rabbithole.steps.response.caveat import Certainty, certainty

from .markup import MARKER, plain_html, report_html, with_anchors, without_sections
from .short_labels import place

Json = dict[str, Any]
SNIPPET = 600
"""Most characters shown of a passage."""
_UNCERTAIN: Mapping[Certainty, str] = {
    "likely": "answer.likely",
    "closest": "answer.none",
    "none": "answer.none",
    "unlikely": "answer.unlikely",
}


def evidence(row: Evidence) -> Json:
    return {
        "key": row.key,
        "document": row.document,
        "title": row.title or row.file,
        "where": place(row.title or row.file, row.section_label, row.short),
        "page": row.page,
        "label": row.page_label or str(row.page + 1),
        "info": row.info[:SNIPPET],
        "quotes": [
            {"text": quote.text, "verified": quote.verified, "page": quote.place.page if quote.place else row.page}
            for quote in row.quotes
        ],
        "depth": row.depth,
        "chain": [link.reference for link in row.chain],
        "external": row.external,
    }


def summary(done: TaskReport) -> Json | None:
    if done.summary is None:
        return None
    return {
        "html": plain_html(done.summary.text),
        "gaps": done.summary.gaps,
        "degraded": done.summary.degraded,
    }


def report(finished: Report) -> Json:
    by_marker = {citation.marker: citation for citation in finished.citations}
    purposes = finished.metrics.by_purpose.values()
    shown = without_sections(beside(finished), shown_apart(finished.language))
    html, contents = with_anchors(report_html(shown, by_marker), f"r-{finished.run_id}")
    return {
        "html": html,
        "contents": contents,
        "sources": [number for number in cited_by_number(finished) if number in _numbers(finished.answer.text, shown)],
        "mode": finished.mode,
        "collections": finished.collections,
        "answer": {
            "status": finished.answer.status,
            "title": _answer_title(finished.answer),
            "html": report_html(finished.answer.text, by_marker),
            "absent": finished.answer.absent,
        },
        "appendix": report_html(finished.appendix, by_marker),
        "checks": finished.checks.model_dump(),
        "language": finished.language,
        "weak": [item.model_dump() for item in finished.weak],
        "warnings": finished.warnings,
        "reasoner": finished.reasoner,
        "partial": finished.partial,
        "calls": sum(one.calls for one in purposes),
        "tokens": sum(one.prompt_tokens + one.output_tokens for one in purposes),
        "seconds": finished.metrics.wall_seconds,
        "model_seconds": finished.metrics.model_seconds,
        "followed": finished.metrics.followed,
    }


def beside(finished: Report) -> str:
    """Return the body after the answer, or the whole report if it has no separate answer (from an older version)."""
    text = finished.answer.text
    if not finished.body or not text or text not in finished.body:
        return finished.body or finished.markdown
    rest = finished.body.split(text, 1)[1]
    return rest.strip()


def shown_apart(language: str) -> set[str]:
    """Return the titles of the sections that the chat shows separately below the report."""
    return {phrase(language, f"report.{name}.title") for name in ("missing", "sources", "checks")}


def cited_by_number(finished: Report) -> dict[str, Citation]:
    return {citation.marker.strip("[]"): citation for citation in finished.citations}


def answering(finished: Report) -> list[Citation]:
    """Return the citations of the answer itself, without those of the rest of the report."""
    numbers = _numbers(finished.answer.text)
    return [one for number, one in cited_by_number(finished).items() if number in numbers]


def _answer_title(answer: ReportAnswer) -> str:
    """Return the key of the words above an answer: how likely it is one, if it is not certain."""
    if answer.status != "none":
        return f"answer.{answer.status}"
    if not answer.citations:
        return "answer.nothing"
    if answer.probability is None:
        return "answer.none"
    least = certainty(answer.probability)
    most = least if answer.likeliest is None else certainty(answer.likeliest)
    return "answer.likely_in_part" if most == "likely" != least else _UNCERTAIN[most]


def _numbers(*texts: str) -> set[str]:
    """Return the numbers of the citations in these texts."""
    return {found[2] for text in texts for found in MARKER.finditer(text)}


def cited(citation: Citation, name: str = "") -> Json:
    return {
        "document": citation.document,
        "title": citation.title or citation.file,
        "where": place(citation.title or citation.file, citation.section_label, name),
        "page": citation.page,
        "label": citation.page_label or str(citation.page + 1),
        "last": "" if citation.last_page is None else citation.last_page_label or str(citation.last_page + 1),
        "quote": citation.quote,
        "verified": citation.verified,
        "tier": citation.tier,
        "depth": citation.depth,
    }
