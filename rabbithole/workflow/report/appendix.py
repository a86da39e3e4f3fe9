"""The appendix: tasks, evidence read but not cited, missing documents and references not followed."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.steps.models import MissingDocument, TaskReport, WeakSentence
from rabbithole.steps.phases.unused import Left, unused_section
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.extractive.wording import flat

from .followed_graph import NotLooked
from .plain_text import plain, short_name

MOST_CITED_BY = 3
MOST_REASONS = 12
MOST_PLACES = 8
MOST_WEAK = 10
FINDINGS = 2
GAPS = 8


def cited_part(tasks: Sequence[TaskReport], left: Sequence[Left], language: str) -> str:
    """Return the tasks with their findings and the uncited passages, as Markdown with evidence keys."""
    return "\n\n".join(part for part in (_tasks(tasks, language), unused_section(left, language)) if part.strip())


def plain_part(
    missing: Sequence[MissingDocument],
    addresses: int,
    skipped: Sequence[NotLooked],
    weak: Sequence[WeakSentence],
    language: str,
) -> str:
    """Return the part without citations: missing documents, references not followed, poorly supported sentences.

    ``addresses`` is the number of web addresses named.
    """
    parts = [_missing(missing, addresses, language), _skipped(skipped, language), _weak(weak, language)]
    return "\n\n".join(part for part in parts if part)


def in_short(report_tasks: int, left: int, skipped: Sequence[NotLooked], missing: int, language: str) -> str:
    """Return one line on what the appendix contains, or '' if it is empty."""
    places = sum(len(one.places) for one in skipped)
    counts = (("tasks", report_tasks), ("unused", left), ("skipped", places), ("missing", missing))
    parts = [
        phrase(language, f"report.appendix.count_{name}{'.one' if count == 1 else ''}", count=count)
        for name, count in counts
        if count
    ]
    return phrase(language, "report.appendix.short", parts=", ".join(parts)) if parts else ""


def _heading(key: str, language: str) -> str:
    return f"### {phrase(language, key)}\n\n"


def _tasks(tasks: Sequence[TaskReport], language: str) -> str:
    lines = []
    for one in tasks:
        if one.todo.id == 0:
            continue
        findings = " ".join(flat(finding) for finding in (one.summary.findings if one.summary else ())[:FINDINGS])
        text = findings or phrase(language, "reasoning.task_none")
        lines.append(f"- **{plain(one.todo.text).rstrip('.:')}:** {text}")
    gaps = dict.fromkeys(flat(gap) for one in tasks if one.summary for gap in one.summary.gaps)
    found = _heading("report.appendix.tasks", language) + "\n".join(lines) if lines else ""
    if gaps:
        named = "\n".join(f"- {plain(gap)}" for gap in list(gaps)[:GAPS])
        found += f"\n\n{_heading('report.appendix.open', language)}{named}"
    return found.strip()


def _missing(missing: Sequence[MissingDocument], addresses: int, language: str) -> str:
    lines = []
    for one in missing:
        cited = "; ".join(plain(label) for label in one.cited_by[:MOST_CITED_BY])
        if len(one.cited_by) > MOST_CITED_BY:
            cited += "; " + phrase(language, "report.more", count=len(one.cited_by) - MOST_CITED_BY)
        lines.append(f"- {phrase(language, 'report.missing.item', name=plain(short_name(one.name)), cited_by=cited)}")
    lead = phrase(language, "report.missing.lead")
    parts = [f"{lead}\n\n" + "\n".join(lines)] if missing else []
    if addresses:
        key = "report.missing.addresses.one" if addresses == 1 else "report.missing.addresses"
        parts.append(phrase(language, key, count=addresses))
    return _heading("report.missing.title", language) + "\n\n".join(parts) if parts else ""


def _skipped(skipped: Sequence[NotLooked], language: str) -> str:
    if not skipped:
        return ""
    lines = []
    for one in skipped[:MOST_REASONS]:
        places = "; ".join(plain(place) for place in one.places[:MOST_PLACES])
        if len(one.places) > MOST_PLACES:
            places += "; " + phrase(language, "report.more", count=len(one.places) - MOST_PLACES)
        lines.append(f"- {plain(one.reason).rstrip('.:')}: {places}")
    rest = sum(len(one.places) for one in skipped[MOST_REASONS:])
    if rest:
        lines.append(f"- {phrase(language, 'report.skipped.rest', count=rest)}")
    return _heading("report.skipped.title", language) + "\n".join(lines)


def _weak(weak: Sequence[WeakSentence], language: str) -> str:
    if not weak:
        return ""
    lines = [f"- {one.marker} {plain(one.text)[:300]}" for one in weak[:MOST_WEAK]]
    return f"{phrase(language, 'report.checks.weak', count=len(weak))}\n\n" + "\n".join(lines)
