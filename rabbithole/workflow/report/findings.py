"""What a report says about its own run: question, tasks, scope, costs, and warnings of the checks."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.distinct_names import name_in, names_in
from rabbithole.steps.editions import edition_notes
from rabbithole.steps.follow_limits import LIMITS
from rabbithole.steps.models import Anchor, Evidence, TaskSummary, Todo
from rabbithole.steps.phases.attribute import Attributed
from rabbithole.steps.phrases import counted, phrase
from rabbithole.steps.reasoning.text.citation_markers import MARKER
from rabbithole.steps.report_models import Metrics, Scope, TaskReport
from rabbithole.workflow.run.state import AnswerState, ResearchState

from .missing_works import addresses

LEFT_OUT_SHOWN = 10


def metrics_of(state: ResearchState) -> Metrics:
    """Return what a research run has cost and found. A place that several references lead to is followed once."""
    followed = {
        (one.mention.resolution.document, one.mention.resolution.section or one.mention.label)
        for one in state.ledger.values()
        if one.decision == "follow"
    }
    decisions = [entry.decision for entry in state.ledger.values()]
    return Metrics(
        by_purpose=state.cost.by_purpose,
        wall_seconds=round(state.cost.seconds, 3),
        model_seconds=round(state.cost.model_seconds, 3),
        dropped=state.cost.dropped,
        followed=len(followed),
        skipped=sum(one == "skip" or one in LIMITS for one in decisions),
        missing=decisions.count("missing"),
        addresses=addresses(entry.mention for entry in state.ledger.values()),
    )


def said_by_us(state: ResearchState) -> frozenset[str]:
    """Return the sentences on contradictions that we wrote ourselves; no single source can support them."""
    return frozenset(" ".join(MARKER.sub("", text).split()) for text in state.contradictions)


def attribution_warnings(attributed: Attributed, language: str) -> tuple[str, ...]:
    """Return warnings about invalid and unverified citations."""
    counts = (
        ("report.warning.unknown_keys", attributed.unknown_keys),
        ("report.warning.unverified", len(attributed.unverified)),
    )
    return tuple(counted(language, key, count) for key, count in counts if count)


def scope_of(
    kb: KnowledgeBase, state: ResearchState | AnswerState, collections: Sequence[str], documents: Sequence[str] = ()
) -> Scope:
    """Return what was searched, by names; ``documents`` are ids."""
    known = kb.day
    every = kb.collections()
    held = [one for one in every if one.documents and (not collections or one.name in collections)]
    unread = () if documents else kb.unread(collections)
    places = {(one.collection, one.file) for one in unread}
    without_text = sum((one.collection, one.file) in places for one in kb.documents()) if unread else 0
    return Scope(
        day=state.day,
        collections=tuple(collections) or tuple(one.name for one in held),
        documents=tuple(name_in(kb, one) for one in map(kb.held, documents) if one is not None),
        searched=len(documents) or sum(one.documents for one in held) - without_text,
        as_of=known.day if known else "",
        unread=tuple(one.file for one in unread),
    )


def editions_said(kb: KnowledgeBase, quoted: Sequence[Evidence], language: str) -> tuple[str, ...]:
    """Return notes on the quoted documents that are not the newest edition held, or not in force. Blocking."""
    documents = [kb.document(one) for one in dict.fromkeys(item.document for item in quoted if not item.external)]
    validity = {one.id: kb.validity_note(one.id) for one in documents}
    return edition_notes(documents, kb.documents(), names_in(kb), validity, language)


def day_said(kb: KnowledgeBase, language: str) -> tuple[str, ...]:
    """Return notes on the day the report is limited to and the documents left out; empty if no day was given."""
    known = kb.day
    if known is None:
        return ()
    more = " ..." if len(known.left_out) > LEFT_OUT_SHOWN else ""
    files = ", ".join(known.left_out[:LEFT_OUT_SHOWN]) + more
    said = [phrase(language, "report.as_of", day=known.day, count=len(known.left_out), files=files or "–")]
    if known.undated:
        said.append(phrase(language, "report.undated", count=known.undated))
    return tuple(said)


def anchor_of(state: ResearchState) -> Anchor:
    """Return the question that the run answers; before it is understood, as it was asked."""
    return state.anchor or Anchor(query=state.understood, language=state.language)


def summary_of(state: ResearchState, task: int) -> TaskSummary:
    """Return the summary of a task, an empty one if it has none."""
    found = state.tasks[task].summary
    return found or TaskSummary(task=task, text="", relevance=0, degraded=bool(state.tasks[task].error))


def task_report_of(state: ResearchState, todo: Todo) -> TaskReport:
    """Return what the report says about one item of the plan."""
    task = state.tasks.get(todo.id)
    return TaskReport(todo=todo, queries=task.queries if task else (), summary=task.summary if task else None)
