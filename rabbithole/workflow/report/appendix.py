"""The appendix: tasks, evidence read but not cited, missing documents and references not followed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.models import Todo
from rabbithole.steps.page_names import letters_of
from rabbithole.steps.phases.unused import Left, unused_section
from rabbithole.steps.phrases import counted, filled_in, phrase
from rabbithole.steps.reasoning.extractive.sentence_scores import is_debris
from rabbithole.steps.reasoning.extractive.source_lines import clipped
from rabbithole.steps.reasoning.extractive.wording import flat
from rabbithole.steps.reasoning.text.citation_markers import KEY
from rabbithole.steps.reasoning.text.similarity import matched, same_word
from rabbithole.steps.reasoning.text.terms import stem_set, stems
from rabbithole.steps.report_models import AnswerStatus, MissingDocument, TaskReport, WeakSentence
from rabbithole.steps.response.caveat import caveat
from rabbithole.steps.response.models import Block, QuotedPassage

from .followed_graph import NotLooked
from .plain_text import plain, short_name

MOST_CITED_BY = 3
MOST_REASONS = 5
MOST_PLACES = 5
MOST_WEAK = 10
GAPS = 4
_FINDING = re.compile(rf"(?P<text>.*\S)\s+(?P<key>\[{KEY}\])", re.DOTALL)
_QUOTED = re.compile(r":\s*[„“\"](?P<words>[^„]{20,}?)(?:\s*…)?[“”\"]\s*\Z")
SHOWN = 280
"""Most characters shown of what a task found."""


def cited_part(
    tasks: Sequence[TaskReport],
    left: Sequence[Left],
    status: AnswerStatus,
    language: str,
    blocks: Sequence[Block] = (),
) -> str:
    """Return the tasks with their findings and the uncited passages, as Markdown with evidence keys.

    Of a part of the question that one of the ``blocks`` of the answer is about, only the place quoted there is named.
    Without an answer the tasks are left out: what counts then is what was read and what is missing. What is open is
    left out if every part is answered: the answer says it in other words. A word that is quoted is never open.
    """
    worked = _tasks(tasks, blocks, language) if status != "none" else ""
    gaps = _open(tasks, blocks, language) if status != "answered" else ""
    parts = (worked, gaps, unused_section(left, language))
    return "\n\n".join(part.strip() for part in parts if part.strip())


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
    parts = [counted(language, f"report.appendix.count_{name}", count) for name, count in counts if count]
    return phrase(language, "report.appendix.short", parts=", ".join(parts)) if parts else ""


def _heading(key: str, language: str) -> str:
    return f"### {phrase(language, key)}\n\n"


def _tasks(tasks: Sequence[TaskReport], blocks: Sequence[Block], language: str) -> str:
    """Return each task with the best finding that no task above it has, or where the answer quotes what it asks."""
    lines: list[str] = []
    shown: set[str] = set()
    for one in tasks:
        if one.todo.id == 0:
            continue
        if above := _above(one.todo, blocks, language):
            lines.append(f"- **{plain(one.todo.text).rstrip('.:')}:** {above}")
            continue
        findings = [
            flat(finding) for finding in (one.summary.findings if one.summary else ()) if not is_debris(finding)
        ]
        found = next((finding for finding in findings if finding not in shown), "")
        shown.add(found)
        text = _shortened(found) or phrase(language, "reasoning.task_none")
        lines.append(f"- **{plain(_named(one.todo.text, found)).rstrip('.:')}:** {text}")
    return _heading("report.appendix.tasks", language) + "\n".join(lines) if lines else ""


def _above(task: Todo, blocks: Sequence[Block], language: str) -> str:
    """Return where the answer quotes what a part of the question asks, with the key of that place; '' if nowhere.

    The finding of such a task was chosen by its words alone, and may contradict the answer.
    """
    if task.origin != "part":
        return ""
    asked = letters_of(task.text)
    block = next((one for one in blocks if any(letters_of(part) in asked for part in one.parts)), None)
    if block is None or not block.passages:
        return ""
    said = {"": "answered", "response.likely": "likely"}.get(caveat(block), "nearest")
    return phrase(language, f"report.appendix.{said}", key=f"[{block.passages[0].evidence.key}]")


def _named(task: str, finding: str) -> str:
    """Return the text of a task without the sentence it quotes at its end if that is what it found."""
    quoted = _QUOTED.search(task)
    said = letters_of(quoted["words"]) if quoted else ""
    return task[: quoted.start()] if quoted and said and said in letters_of(finding) else task


def _shortened(finding: str) -> str:
    """Return a finding cut at a word, with the evidence key at its end kept."""
    text, key = (found.group("text"), found.group("key")) if (found := _FINDING.fullmatch(finding)) else (finding, "")
    return f"{clipped(text, SHOWN)} {key}".strip()


def _open(tasks: Sequence[TaskReport], blocks: Sequence[Block], language: str) -> str:
    quoted = " ".join(_words(passage) for block in blocks for passage in (*block.passages, *block.others))
    gaps = dict.fromkeys(
        flat(gap)
        for one in tasks
        if one.summary
        for gap in one.summary.gaps
        if not _is_said(filled_in(language, "reasoning.open_gap", gap), quoted, language)
    )
    named = "\n".join(f"- {plain(gap)}" for gap in list(gaps)[:GAPS])
    return f"{_heading('report.appendix.open', language)}{named}" if gaps else ""


def _words(passage: QuotedPassage) -> str:
    """Return the words that a reader sees of a passage, with the name of its place."""
    item = passage.evidence
    return f"{item.title} {item.section_label} {passage.head} {passage.item} {passage.text}"


def _is_said(term: str | None, quoted: str, language: str) -> bool:
    """Return whether all words of a term, in any inflection, stand in what is quoted."""
    wanted = stems(term, language) if term else ()
    found = stem_set(quoted, language)
    return bool(wanted) and all(
        matched([one], found) or any(same_word(one, other) for other in found) for one in wanted
    )


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
        parts.append(counted(language, "report.missing.addresses", addresses))
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
        lines.append(f"- {counted(language, 'report.skipped.rest', rest)}")
    return _heading("report.skipped.title", language) + "\n".join(lines)


def _weak(weak: Sequence[WeakSentence], language: str) -> str:
    if not weak:
        return ""
    lines = [f"- {one.marker} {plain(one.text)[:300]}" for one in weak[:MOST_WEAK]]
    return f"{phrase(language, 'report.checks.weak', count=len(weak))}\n\n" + "\n".join(lines)
