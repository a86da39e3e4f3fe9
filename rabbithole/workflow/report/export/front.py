"""What stands below the title of an exported report: the day, what was searched, and how."""

from __future__ import annotations

import html

from rabbithole.kb.notation.months import day_name
from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import Report

SHOWN = 5
"""Most collections or documents named; the others are counted."""


def front_lines(report: Report) -> tuple[str, ...]:
    """Return the statements about day, collections and scope, those the report knows."""
    scope, language = report.scope, report.language
    lines = []
    if scope.day:
        lines.append(phrase(language, f"report.front.{report.mode}", day=day_name(scope.day, language)))
    if collections := scope.collections or report.collections:
        key = "report.front.collection" if len(collections) == 1 else "report.front.collections"
        lines.append(phrase(language, key, names=_listed(collections, language)))
    if scope.documents:
        lines.append(phrase(language, "report.front.documents", names=_listed(scope.documents, language)))
    if scope.as_of:
        lines.append(phrase(language, "report.front.as_of", day=day_name(scope.as_of, language)))
    if scope.unread:
        lines.append(phrase(language, "report.front.unread", names=_listed(scope.unread, language)))
    return tuple(lines)


def front_html(report: Report) -> str:
    """Return the statements as one paragraph of HTML, or '' if there are none."""
    lines = front_lines(report)
    return f"<p class='front'>{html.escape(' · '.join(lines))}</p>" if lines else ""


def _listed(names: tuple[str, ...], language: str) -> str:
    shown, more = ", ".join(names[:SHOWN]), len(names) - SHOWN
    return shown if more <= 0 else phrase(language, "report.front.more", names=shown, count=more)
