"""Complete the report: body, answer, appendix, and the Markdown at normal length."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import Evidence, Report, ReportAnswer
from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.redact import redact, redact_values
from rabbithole.steps.response import Response

from .appendix import in_short, plain_part
from .followed_graph import NotLooked
from .markdown import answer_of, body_markdown, render, with_note
from .unread import unread_said


def finished(
    report: Report,
    response: Response,
    attributed: Attributed,
    *,
    external: Sequence[Evidence] = (),
    appended: str = "",
    skipped: Sequence[NotLooked] = (),
    left: int = 0,
) -> Report:
    """Return the report with all its texts.

    ``appended`` is the attributed part of the appendix; ``left`` the number of places read but not cited.
    """
    language = report.language
    body = body_markdown(report, attributed, external)
    unread = unread_said(report.scope.unread, language)
    if unread and response.status != "answered":
        body = with_note(body, unread)
    rest = plain_part(report.missing, report.metrics.addresses, skipped, report.weak, language)
    tasks = sum(one.todo.id > 0 for one in report.todo)
    whole = report.model_copy(
        update={
            "body": body,
            "answer": answer_of(body, report.citations, response),
            "appendix": "\n\n".join(part for part in (appended, rest) if part),
            "outlook": in_short(tasks, left, skipped, len(report.missing), language),
        }
    )
    return whole.model_copy(update={"markdown": render(whole)})


def redacted(report: Report, surnames: frozenset[str]) -> Report:
    """Return the report with personal data masked. ``surnames`` are names found next to such data in the report."""
    texts = {name: redact(getattr(report, name), surnames) for name in ("markdown", "body", "appendix", "outlook")}
    answer = ReportAnswer.model_validate(redact_values(report.answer.model_dump(), surnames))
    return report.model_copy(update={**texts, "answer": answer})
