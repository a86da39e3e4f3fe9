"""Complete a report: check a model's sentences, write body, answer, appendix and Markdown, mask personal data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.citation_links import cited_path
from rabbithole.steps.citation_styles import cited_source
from rabbithole.steps.models import Evidence, Tier
from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.redact import personal, redact, redact_values
from rabbithole.steps.report_models import Citation, MissingDocument, Report, ReportAnswer
from rabbithole.steps.response import Response
from rabbithole.steps.settings import Redaction, ReportPaths, ResearchSettings

from .appendix import in_short, plain_part
from .followed_graph import NotLooked
from .markdown import answer_of, body_markdown, render, with_note
from .model_answer import checked
from .unread import near_first, relevant_unread, unread_said

TIERS: tuple[Tier, ...] = ("primary", "secondary", "tertiary")


def by_tier(evidence: Iterable[Evidence]) -> Mapping[Tier, tuple[Evidence, ...]]:
    """Return the evidence of each tier, in the order given."""
    listed = tuple(evidence)
    return {tier: tuple(one for one in listed if one.tier == tier) for tier in TIERS}


def claims_to_weigh(
    attributed: Attributed, text_of: Callable[[str], str], ours: Collection[str] = ()
) -> list[tuple[str, str, str]]:
    """Return (marker, sentence, source text) of each cited sentence whose support has to be checked.

    Verified quotations and the sentences in ``ours``, which no single source can support, are left out. ``text_of``
    returns the text behind an evidence key.
    """
    return [
        (claim.marker, claim.text, "\n".join(text_of(key) for key in claim.keys))
        for claim in attributed.claims
        if not claim.verbatim and " ".join(claim.text.split()) not in ours
    ]


def with_sources(kb: KnowledgeBase, citations: Sequence[Citation], paths: ReportPaths) -> tuple[Citation, ...]:
    """Return the citations with the bibliographic data and paths of their documents. Blocking."""
    held = {one.document: kb.held(one.document) for one in citations if not one.external}
    return tuple(
        cited_source(one, document).model_copy(update={"path": cited_path(document, paths)})
        if (document := held.get(one.document)) is not None
        else one
        for one in citations
    )


async def finished(
    report: Report,
    response: Response,
    attributed: Attributed,
    reasoner: Reasoner,
    settings: ResearchSettings,
    *,
    external: Sequence[Evidence] = (),
    appended: str = "",
    quoted: Collection[str] | None = None,
    skipped: Sequence[NotLooked] = (),
    left: int = 0,
) -> Report:
    """Return the report with all its texts, redacted as REDACT says.

    ``appended`` is the attributed part of the appendix; ``left`` the number of places read but not cited. ``quoted``
    are the labels of the quoted places, if known: what they lack comes first.
    """
    if reasoner.availability.name != "extractive":
        words = [one.text for one in response.passages]
        attributed = await checked(reasoner, attributed, words, report.language)
    language = report.language
    body = body_markdown(report, attributed, external)
    found = response.status != "none"
    unread = report.scope.unread
    near = relevant_unread(unread, report.query, language, answered=response.status == "answered")
    unread = near_first(unread, near)
    # Nothing was looked up for a greeting; a file that was not read may have what was not found, or an absent word.
    if near or response.absent or (response.blocks and not found):
        body = with_note(body, unread_said(unread, language))
    missing = nearest_first(report.missing, quoted)
    rest = plain_part(
        missing, report.metrics.addresses if found else 0, skipped if found else (), report.weak, language
    )
    tasks = sum(one.todo.id > 0 for one in report.todo) if found else 0
    whole = report.model_copy(
        update={
            "scope": report.scope.model_copy(update={"unread": unread}),
            "body": body,
            "answer": answer_of(body, report.citations, response),
            "appendix": "\n\n".join(part for part in (appended, rest) if part),
            "outlook": in_short(tasks, left, skipped if found else (), len(report.missing), language),
        }
    )
    return redacted(whole.model_copy(update={"markdown": render(whole)}), settings.redact)


def nearest_first(missing: Sequence[MissingDocument], quoted: Collection[str] | None) -> tuple[MissingDocument, ...]:
    """Return the missing documents, first those that the quoted places cite."""
    cited = [one for one in missing if quoted is not None and not set(quoted).isdisjoint(one.cited_by)]
    return (*cited, *(one for one in missing if one not in cited))


def redacted(report: Report, redaction: Redaction) -> Report:
    """Return the report with personal data masked: nowhere, in its texts (``report``) or in every field (``all``)."""
    if redaction == "none":
        return report
    surnames = personal(f"{report.query}\n{report.markdown}\n{report.appendix}")[1]
    texts = {name: redact(getattr(report, name), surnames) for name in ("markdown", "body", "appendix", "outlook")}
    answer = ReportAnswer.model_validate(redact_values(report.answer.model_dump(), surnames))
    report = report.model_copy(update={**texts, "answer": answer})
    return Report.model_validate(redact_values(report.model_dump(), surnames)) if redaction == "all" else report
