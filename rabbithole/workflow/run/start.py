"""Start and resume research and answers: check the request, report what has changed, choose the next events."""

from __future__ import annotations

import asyncio
import datetime
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from workflows.errors import WorkflowCancelledByUser
from workflows.events import Event

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import KnowledgeBaseError, UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.filters import parse_filter
from rabbithole.steps.answering import decompose
from rabbithole.steps.follow_up import context_of, resolve
from rabbithole.steps.language import Supported, detect_language, identify_language
from rabbithole.steps.models import Evidence
from rabbithole.steps.phrases import phrase
from rabbithole.steps.question import read_as
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.searched_collections import searched
from rabbithole.steps.settings import ResearchSettings
from rabbithole.version import installed_version
from rabbithole.workflow.answer_events import (
    AnswerClarification,
    AnswerRequest,
    AnswerStarted,
    EvidenceSufficient,
)
from rabbithole.workflow.events import (
    ClarificationRequested,
    DigFinished,
    DraftAccepted,
    DraftWritten,
    EvidenceValidated,
    PlainRequested,
    PlanProposed,
    PlanSettled,
    QueryUnderstood,
    ReportReady,
    ResearchRequest,
    RoundStarted,
)

from .reducer import Change, resumed
from .run_store import RunError, RunStatus, RunStore
from .state import AnswerState, Fingerprint, ResearchState

LONGEST_QUESTION_TOKENS = 4_000
INHERITED = 12
_WORD = re.compile(r"[^\W\d_]{2,}")
State = TypeVar("State", ResearchState, AnswerState)


def fingerprint(kb: KnowledgeBase, reasoner: Reasoner, collections: Sequence[str]) -> Fingerprint:
    """Return what a run depends on: version, reasoner and model, documents."""
    ids = sorted(one.id for one in kb.documents() if not collections or one.collection in collections)
    return Fingerprint(
        version=installed_version(),
        reasoner=reasoner.availability.title,
        documents=hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16],
    )


async def begin_state(
    runs: RunStore, kb: KnowledgeBase, reasoner: Reasoner, settings: ResearchSettings, request: ResearchRequest
) -> ResearchState:
    """Check the request, take the lease of the new run and return its first state."""
    query = decompose.checked(request.query, LONGEST_QUESTION_TOKENS)
    if request.depth is not None and request.depth < 0:
        raise UsageError(f"A depth of {request.depth} makes no sense; 0 follows nothing, 2 is the default.")
    kb = on_day(kb, request.as_of)
    collections = await asyncio.to_thread(kb.require, request.collections)
    await asyncio.to_thread(searched, kb, collections)
    parent = runs.report(request.parent_run) if request.parent_run else None
    follow = resolve(query, context_of(parent) if parent else None)
    inherited: tuple[str, ...] = ()
    if parent is not None and follow.kind != "new":
        query = follow.query or query
    if parent is not None and follow.documents:  # none for a question about another name
        inherited = tuple(dict.fromkeys(citation.key for citation in parent.citations))[:INHERITED]
    language = follow.language if follow.kind == "language" else request.language
    spoken, notes = await asyncio.to_thread(spoken_in, kb, query, collections, language)
    state = ResearchState(
        run_id=request.run_id,
        query=query,
        read_as=await asyncio.to_thread(read_as, kb, query, spoken, collections),
        collections=collections,
        documents=await asyncio.to_thread(_held, kb, request.documents),
        mode=request.mode,
        language=spoken,
        warnings=notes,
        depth=settings.reference_follow_depth if request.depth is None else request.depth,
        as_of=request.as_of,
        day=today(),
        auto_approve=request.auto_approve,
        parent_run=request.parent_run,
        leading=follow.documents,
        inherited=inherited,
        fingerprint=await asyncio.to_thread(fingerprint, kb, reasoner, collections),
    )
    runs.acquire(state.run_id)
    return state


def spoken_in(
    kb: KnowledgeBase, query: str, collections: Sequence[str], wanted: Supported | Literal["auto"]
) -> tuple[Supported, tuple[str, ...]]:
    """Return the language to answer in, and a warning if the question is in one whose words are not understood.

    Such a question, or one without words, is answered in the language of most documents unless ``wanted`` says. Blocks.
    """
    foreign = identify_language(query) == "other"
    language = detect_language(query) if wanted == "auto" else wanted
    if wanted == "auto" and (foreign or not _WORD.search(query)):
        held = Counter(one.language for one in kb.documents() if not collections or one.collection in collections)
        language = "en" if held["en"] > held["de"] else "de"
    return language, (phrase(language, "report.warning.language"),) if foreign else ()


def today() -> str:
    """Return the day on this machine's calendar, as '2026-11-23'."""
    return datetime.date.today().isoformat()


def _held(kb: KnowledgeBase, documents: Sequence[str]) -> tuple[str, ...]:
    """Return the documents a question is restricted to. Raises UsageError if one is not in the knowledge base."""
    gone = [one for one in documents if kb.held(one) is None]
    if gone:
        raise UsageError(f"The knowledge base does not hold {len(gone)} of the documents chosen; choose them again.")
    return tuple(documents)


async def begin_answer(
    runs: RunStore, kb: KnowledgeBase, reasoner: Reasoner, request: AnswerRequest
) -> tuple[AnswerState, AnswerStarted]:
    """Check the request, take the lease of the new answer and return its first state and first event."""
    question = decompose.checked(request.question, LONGEST_QUESTION_TOKENS)
    filters = [parse_filter(one) for one in request.filters]
    parent = runs.report(request.parent_run) if request.parent_run else None
    if parent is not None:
        question = resolve(question, context_of(parent)).query or question
    kb = on_day(kb, request.as_of)
    collections = await asyncio.to_thread(kb.require, request.collections)
    spoken, notes = await asyncio.to_thread(spoken_in, kb, question, collections, request.language)
    state = AnswerState(
        run_id=request.run_id,
        query=question,
        interactive=request.interactive,
        as_of=request.as_of,
        day=today(),
        warnings=notes,
        fingerprint=await asyncio.to_thread(fingerprint, kb, reasoner, collections),
    )
    runs.acquire(state.run_id)
    return state, AnswerStarted(language=spoken, collections=list(collections), filters=filters)


async def resume_state(
    runs: RunStore, load: Callable[[str], State], kb: KnowledgeBase, reasoner: Reasoner, run_id: str
) -> tuple[State, tuple[str, ...]]:
    """Take the lease of a stored run and return its state and notes on what has changed since it was started.

    Raises ``UsageError``, ``RunError`` or ``KnowledgeBaseError``, with the lease released, if it cannot be continued.
    """
    runs.acquire(run_id)
    state: State
    try:
        state = await asyncio.to_thread(load, run_id)
        kb = on_day(kb, state.as_of)
        now = await asyncio.to_thread(fingerprint, kb, reasoner, state.collections)
        await asyncio.to_thread(_require_documents, kb, state, runs)
    except (UsageError, RunError, KnowledgeBaseError):
        runs.release(run_id)
        raise
    started = state.fingerprint
    notes: tuple[str, ...] = tuple(
        phrase(state.language, f"report.warning.changed_{field}", before=before, now=after)
        for field, before, after in (
            ("version", started.version, now.version),
            ("reasoner", started.reasoner, now.reasoner),
            ("documents", started.documents, now.documents),
        )
        if before and before != after
    )
    if state.phase != "done":
        warnings = tuple(dict.fromkeys((*state.warnings, *notes)))
        state = state.model_copy(update={"fingerprint": now, "warnings": warnings})
    return state, notes


def _require_documents(kb: KnowledgeBase, state: ResearchState | AnswerState, runs: RunStore) -> None:
    if state.phase == "done":
        return
    known = {document.id for document in kb.documents()}
    gone = {item.file for item in _evidence(state, runs) if not item.external and item.document not in known}
    if gone:
        names = ", ".join(sorted(gone)[:5])
        raise RunError(
            f"Run {state.run_id} has evidence from documents that are no longer in the knowledge base ({names}); "
            "ingest them again, or start a new run."
        )


def _evidence(state: ResearchState | AnswerState, runs: RunStore) -> Sequence[Evidence]:
    if isinstance(state, AnswerState):
        return [node.evidence for node in state.tree.nodes] if state.tree else []
    return runs.evidence(state.run_id, [key for task in state.tasks for key in state.evidence_keys(task)])


def asked_again(state: ResearchState) -> ClarificationRequested | PlanProposed:
    """Return the open question of a restored state as an event."""
    question = state.question
    if question is None:
        raise RunError(f"Run {state.run_id} has no open question.")
    if question.kind == "plan":
        return PlanProposed(id=question.id, todos=list(state.todos))
    return ClarificationRequested(id=question.id, round=state.rounds[-1], questions=list(question.questions))


def can_reopen(state: ResearchState, index: int) -> bool:
    """Return whether the questions of round ``index`` can be asked again: they come before the open question."""
    if state.question is None:
        return False
    earlier = state.rounds if state.question.kind == "plan" else state.rounds[:-1]
    return 0 <= index < len(earlier) and bool(earlier[index].questions)


def next_events(state: ResearchState, settings: ResearchSettings, runs: RunStore) -> Change[ResearchState]:
    """Return the change that resumes a stored state, by its phase."""
    if state.question is not None:
        return Change(state, [asked_again(state)], ())
    event: Event
    match state.phase:
        case "understand":
            event = PlainRequested() if state.mode == "plain" else RoundStarted()
        case "plan":
            if state.auto_approve:
                change = resumed(state, settings)
                return change._replace(events=[*change.events, QueryUnderstood()])
            event = PlanSettled() if state.todos else QueryUnderstood()
        case "dig":
            return resumed(state, settings)
        case "validate":
            event = DigFinished()
        case "write":
            event = EvidenceValidated()
        case "check":
            event = DraftWritten(attempt=state.attempt)
        case _:
            finished = runs.report(state.run_id)
            event = ReportReady(report=finished) if finished else DraftAccepted()
    return Change(state, [event], ())


def next_answer_events(state: AnswerState, runs: RunStore) -> Change[AnswerState]:
    """Return the change that resumes a stored answer.

    If it is not interactive, an open question is skipped and recorded as unanswered.
    """
    event = state.next_event()
    if event is None:
        report = runs.report(state.run_id)
        if report is not None:
            return Change(state, [ReportReady(report=report)], ())
        event = EvidenceSufficient()
    elif isinstance(event, AnswerClarification) and not state.interactive:
        state = state.model_copy(update={"unanswered": event.type, "question": ""})
        event = EvidenceSufficient(reason=state.note)
    return Change(state.going_on_with(event), [event], ())


def ended_as(task: asyncio.Task[object]) -> tuple[RunStatus, str]:
    """Return the status and error of an ended run, for the list of runs."""
    if task.cancelled():
        return "stopped", ""
    error = task.exception()
    if error is None:
        return "done", ""
    return ("stopped", "") if isinstance(error, WorkflowCancelledByUser) else ("failed", str(error))
