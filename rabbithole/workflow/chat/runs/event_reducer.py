"""The reducer of the view: a pure function of view and event, so that replaying a log restores the view exactly."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from workflows.events import Event

from rabbithole.steps.models import ClarifyingQuestion, Round
from rabbithole.workflow.answer_events import AnswerClarification, ToolUsed
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    MetricsUpdated,
    PhaseChanged,
    PlanApproved,
    PlanProposed,
    QuestionsReopened,
    ReferenceFollowed,
    ReferenceSeen,
    ReferenceSkipped,
    ReportReady,
    ReportToken,
    RetrievalDone,
    TaskProgress,
    Warned,
)

from .codec import StatusChanged
from .run_view import Counters, Draft, PlanView, QuestionView, ReferenceView, RunView, StepView, TaskView, WarningView


def replay(view: RunView, events: Iterable[Event]) -> RunView:
    return reduce(apply, events, view)


def apply(view: RunView, event: Event) -> RunView:
    """Return the view after one event. An event applied twice has no second effect if what it shows has an identity."""
    match event:
        case StatusChanged():
            return _status(view, event)
        case PhaseChanged():
            return view.model_copy(update={"phase": event.phase, "detail": event.detail})
        case RetrievalDone():
            return view.model_copy(update={"rounds": _with_round(view.rounds, event.round)})
        case ClarificationRequested():
            question = QuestionView(id=event.id, round=event.round, questions=tuple(event.questions))
            earlier = tuple(one for one in view.rounds if one.index < event.round.index)
            current = event.round.model_copy(update={"questions": tuple(event.questions)})
            return view.model_copy(update={"question": question, "rounds": (*earlier, current), "plan": None})
        case AnswerClarification():
            asked = ClarifyingQuestion(id="answer", text=event.text)
            nothing = Round(index=len(view.rounds), queries=(), chunks=())
            return view.model_copy(update={"question": QuestionView(id=event.id, round=nothing, questions=(asked,))})
        case ToolUsed():
            done = StepView(step=event.step, action=event.action, detail=event.detail, reason=event.reason)
            kept = tuple(one for one in view.trace if one.step != done.step)
            return view.model_copy(update={"trace": (*kept, done)})
        case ClarificationAnswered():
            return _answered(view, event)
        case QuestionsReopened():
            return view.model_copy(update={"question": None, "plan": None})
        case PlanProposed():
            return view.model_copy(update={"plan": PlanView(id=event.id, todos=tuple(event.todos)), "question": None})
        case PlanApproved():
            # Tasks appear when they start, because the workflow itself numbers an edited plan.
            return view.model_copy(update={"plan": PlanView(id=event.id, todos=tuple(event.todos), approved=True)})
        case TaskProgress():
            return _progress(view, event)
        case ReferenceSeen():
            return _reference(view, event)
        case ReportToken():
            text = event.text if event.attempt > view.draft.attempt else view.draft.text + event.text
            return view.model_copy(update={"draft": Draft(text=text, attempt=event.attempt)})
        case Warned():
            warning = WarningView(text=event.text, degraded=event.degraded)
            return view if warning in view.warnings else view.model_copy(update={"warnings": (*view.warnings, warning)})
        case MetricsUpdated():
            return view.model_copy(update={"counters": view.counters.model_copy(update=event.model_dump())})
        case ReportReady():
            return _reported(view, event)
        case _:
            return view


def _status(view: RunView, event: StatusChanged) -> RunView:
    changed: dict[str, object] = {
        "status": event.status,
        "started": view.started or event.status == "running",
        "error": event.error,
        "failure": event.kind,
        "counters": view.counters.model_copy(update=_times(view.counters, event)),
    }
    if event.status == "running":
        changed["draft"] = Draft()  # an unfinished draft is written again
        changed["report"] = None  # it can only be partial, because a finished run is never started again
    return view.model_copy(update=changed)


def _times(counters: Counters, event: StatusChanged) -> dict[str, float]:
    """Return the working time after a change of status; nobody knows when a server was killed."""
    if event.status == "running":
        return {"at": event.at}
    known = counters.at and event.status != "interrupted"
    return {"seconds": counters.seconds + (max(0.0, event.at - counters.at) if known else 0.0), "at": 0.0}


def _reported(view: RunView, event: ReportReady) -> RunView:
    """Show the report; the time is that which the finished report names."""
    changed: dict[str, object] = {"report": event.report, "question": None, "language": event.report.language}
    if not event.report.partial:
        times = {"seconds": event.report.metrics.wall_seconds, "at": 0.0}
        changed["counters"] = view.counters.model_copy(update=times)
    return view.model_copy(update=changed)


def _with_round(rounds: tuple[Round, ...], new: Round) -> tuple[Round, ...]:
    kept = tuple(known for known in rounds if known.index != new.index)
    return (*kept, new)


def _answered(view: RunView, event: ClarificationAnswered) -> RunView:
    if view.question is None or view.question.id != event.id:
        return view
    if not view.question.round.queries:  # the answer workflow has no retrieval round to show
        return view.model_copy(update={"question": None})
    answered = view.question.round.model_copy(
        update={"answers": tuple(event.answers), "questions": view.question.questions}
    )
    return view.model_copy(update={"question": None, "rounds": _with_round(view.rounds, answered)})


def _progress(view: RunView, event: TaskProgress) -> RunView:
    known = view.tasks.get(event.task) or TaskView(id=event.task, text=event.text)
    task = known.model_copy(
        update={
            "status": event.status,
            "note": event.text if event.text != known.text else known.note,
            "queries": tuple(event.queries) or known.queries,
            "evidence": tuple(dict.fromkeys((*known.evidence, *event.evidence))),
            "depth": max(known.depth, event.depth),
            "tokens": max(known.tokens, event.tokens),
            "budget": event.budget or known.budget,
        }
    )
    return view.model_copy(update={"tasks": {**view.tasks, event.task: task}})


_COUNTER_OF: dict[type[ReferenceSeen], str] = {ReferenceFollowed: "followed", ReferenceSkipped: "skipped"}
"""Missing documents are counted by the report, because several references may name one."""


def _reference(view: RunView, event: ReferenceSeen) -> RunView:
    seen = ReferenceView.of(event)
    place = _place(seen)
    known = view.tasks.get(event.task) or TaskView(id=event.task, text="")
    if place in view.places and seen in known.references:
        return view
    task = known.model_copy(update={"references": (*known.references, seen), "depth": max(known.depth, seen.depth)})
    counters = _counted(view.counters, event, new=place not in view.places)
    tasks = {**view.tasks, event.task: task}
    return view.model_copy(update={"tasks": tasks, "counters": counters, "places": view.places | {place}})


def _counted(counters: Counters, event: ReferenceSeen, *, new: bool) -> Counters:
    """Count a place once, however many tasks find it."""
    field = _COUNTER_OF.get(type(event))
    deeper = max(counters.depth, event.depth) if isinstance(event, ReferenceFollowed) else counters.depth
    count = {field: getattr(counters, field) + new} if field else {}
    return counters.model_copy(update={**count, "depth": deeper})


def _place(one: ReferenceView) -> tuple[str, str, str]:
    group = {"follow": "followed", "missing": "missing", "ambiguous": "missing"}.get(one.decision, "skipped")
    return group, one.target_document or "", one.target_section or one.target or one.text
