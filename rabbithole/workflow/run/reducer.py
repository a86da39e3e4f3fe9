"""What the one writer of the digging phase does with each result: pure functions from a draft to the next events."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from workflows.events import Event

from rabbithole.steps.models import TaskSummary
from rabbithole.steps.phases.plan import fold, gap_task, spawn
from rabbithole.steps.phrases import phrase
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import (
    BranchFailed,
    ChunksFound,
    DigFinished,
    FollowRefEvent,
    PhaseChanged,
    PlanMade,
    Reached,
    RefResolved,
    TaskDug,
    TaskFinished,
    TaskProgress,
    TaskStarted,
    WaveOpened,
    WavePlanned,
)

from .progress_events import seen_events
from .state import ResearchState, TaskState
from .state_update import Draft

ENDED = ("done", "failed")
MOST_SHOWN = 50  # keys of evidence a progress event carries
Result = PlanMade | ChunksFound | WavePlanned | RefResolved | TaskFinished | BranchFailed


def take(draft: Draft, result: Result, settings: ResearchSettings) -> list[Event]:
    """Note one result, and what follows from it. A result that came twice changes nothing."""
    match result:
        case PlanMade():
            events = _plan_made(draft, result, settings)
        case ChunksFound():
            events = _found(draft, result)
        case WavePlanned():
            events = _planned(draft, result, settings)
        case RefResolved():
            events = _resolved(draft, result, settings)
        case TaskFinished():
            events = _finished(draft, result, settings)
        case BranchFailed():
            events = _failed(draft, result, settings)
    return [*events, *_follow_on(draft, settings)]


def _plan_made(draft: Draft, result: PlanMade, settings: ResearchSettings) -> list[Event]:
    """Start what is planned beside the question itself."""
    if draft.state.phase != "plan":
        return []
    begun = {todo.id: todo for todo in draft.state.todos if todo.id in draft.tasks}
    draft.set(todos=tuple(begun.get(todo.id, todo) for todo in result.todos), phase="dig")
    new = [todo.id for todo in result.todos if todo.id not in begun]
    return [PhaseChanged(phase="dig"), *start(draft, new), *_after(draft, settings)]


def _found(draft: Draft, result: ChunksFound) -> list[Event]:
    task = draft.tasks[result.task]
    if task.stage != "searching":
        return []
    sections = tuple(result.sections)
    evidence = tuple(result.evidence)
    draft.task(task.id, queries=tuple(result.queries), evidence=evidence, sections=sections, best=result.best)
    draft.set(seen={**draft.state.seen, task.id: frozenset(sections)})
    return [_next_wave(draft, task.id, 1), progress(draft, task.id)]


def _next_wave(draft: Draft, task: int, depth: int) -> WaveOpened:
    draft.task(task, stage="gating", depth=depth, cursor=0, next=0)
    return WaveOpened(task=task, depth=depth)


def _planned(draft: Draft, result: WavePlanned, settings: ResearchSettings) -> list[Event]:
    task = draft.tasks[result.task]
    if task.stage != "gating" or task.depth != result.depth:
        return []
    draft.open_wave(task.id, result.depth, result.entries)
    shown = [event for entry in result.entries if not entry.wanted for event in seen_events(draft.state, entry)]
    return [*shown, *_settle(draft, task.id, settings)]


def _resolved(draft: Draft, result: RefResolved, settings: ResearchSettings) -> list[Event]:
    """Take what one batch brought; a batch that came twice changes nothing."""
    taken = False
    for reached in result.reached:
        entry = draft.ledger.get(reached.key)
        if entry is None or entry.status != "running":
            continue
        failed = {"decision": "failed", "reason": reached.error} if reached.error else {}
        found = {"evidence": reached.evidence, "sections": reached.sections, "tokens": reached.tokens}
        draft.put(entry.model_copy(update={"status": "resolved", **found, **failed}))
        taken = True
    return _settle(draft, result.task, settings) if taken else []


def _settle(draft: Draft, task: int, settings: ResearchSettings) -> list[Event]:
    """Settle as far as possible; when the wave is done, open the next one or end the digging of this task."""
    language = draft.state.language
    before = draft.tasks[task].cursor
    draft.settle_wave(task, settings, language)
    state = draft.state
    wave = draft.wave(task)
    settled = wave[before : draft.tasks[task].cursor]
    events: list[Event] = [event for key in settled for event in seen_events(state, draft.ledger[key])]
    if settled:
        events.append(progress(draft, task))
    if not draft.wave_done(task):
        return events
    if any(draft.ledger[key].evidence for key in wave):
        return [*events, _next_wave(draft, task, draft.tasks[task].depth + 1)]
    draft.task(task, stage="summarising")
    return [*events, TaskDug(task=task)]


def _finished(draft: Draft, result: TaskFinished, settings: ResearchSettings) -> list[Event]:
    task = draft.tasks[result.task]
    if task.stage != "summarising":
        return []
    draft.task(task.id, stage="done", summary=result.summary)
    draft.mark(task.id, "done")
    return [progress(draft, task.id), *_after(draft, settings)]


def _failed(draft: Draft, result: BranchFailed, settings: ResearchSettings) -> list[Event]:
    """A failed follow is settled as such; a failed search, gate or summary ends its task and says so."""
    if result.entries:
        depth = draft.ledger[result.entries[0]].depth
        reached = [Reached(key=key, error=result.error) for key in result.entries]
        return _resolved(draft, RefResolved(task=result.task, depth=depth, reached=reached), settings)
    if draft.tasks[result.task].stage in ENDED:
        return []
    text = draft.state.todo(result.task).text
    draft.task(result.task, stage="failed", error=result.error)
    draft.mark(result.task, "failed")
    draft.warn(phrase(draft.state.language, "report.warning.task_failed", task=text, error=result.error))
    return [progress(draft, result.task), *_after(draft, settings)]


def _after(draft: Draft, settings: ResearchSettings) -> list[Event]:
    """After a task has ended: tasks from gaps, or the end of digging; not before the plan is there."""
    if draft.state.phase == "plan":
        return []
    events = _spawn(draft, settings)
    if any(task.stage not in ENDED for task in draft.tasks.values()):
        return events
    draft.set(phase="validate")
    return [*events, DigFinished()]


def _spawn(draft: Draft, settings: ResearchSettings) -> list[Event]:
    """New tasks from the gaps of tasks that have ended, as soon as all tasks before them have.

    Taken in the order of the tasks, so which tasks there are, and their numbers, do not depend on who ended first.
    Each round (the plan, what its gaps lead to...) may add so many.
    """
    events: list[Event] = []
    while (task := draft.tasks.get(draft.state.considered)) is not None and task.stage in ENDED:
        state = draft.state
        draft.set(considered=task.id + 1)
        used = sum(one.round == task.round + 1 for one in draft.tasks.values())
        left = settings.spawned_todo_items - used
        if task.round >= settings.max_iterations or left <= 0:
            continue
        new = spawn(state.todos, spawnable_gaps(state, task.summary), settings.todo_max_items, left)
        draft.set(todos=(*state.todos, *new))
        events += start(draft, [todo.id for todo in new], task.round + 1)
    return events


def spawnable_gaps(state: ResearchState, summary: TaskSummary | None) -> list[str]:
    """Gaps of a task as new tasks. What the question itself names was searched already."""
    asked = fold(state.query)
    wanted = [gap_task(gap, state.language) for gap in summary.gaps] if summary else []
    known = " ".join(fold(todo.text) for todo in state.todos)
    return [task for term, task in dict.fromkeys(wanted) if fold(term) not in asked and fold(term) not in known]


def start(draft: Draft, tasks: Sequence[int], round_: int = 1) -> list[Event]:
    """Start these tasks, all at once."""
    for task in tasks:
        draft.tasks[task] = TaskState(id=task, stage="searching", round=round_)
        draft.mark(task, "running")
    return [*(progress(draft, task) for task in tasks), *(TaskStarted(task=task) for task in tasks)]


def _follow_on(draft: Draft, settings: ResearchSettings) -> list[Event]:
    sent = draft.send_out(settings.reference_window)
    return [
        FollowRefEvent(entries=[entry.key for entry in batch], task=batch[0].task, depth=batch[0].depth)
        for batch in sent
    ]


def resumed(draft: Draft, settings: ResearchSettings) -> list[Event]:
    """The events that set a restored state going again: each task from its stage."""
    events: list[Event] = []
    for task in sorted(draft.tasks):
        state = draft.tasks[task]
        match state.stage:
            case "waiting" | "searching":
                events.append(TaskStarted(task=task))
            case "gating":
                events.append(WaveOpened(task=task, depth=state.depth))
            case "following":
                events += _settle(draft, task, settings)
            case "summarising":
                events.append(TaskDug(task=task))
    return [*events, *(_follow_on(draft, settings)), *([] if events else _after(draft, settings))]


def progress(draft: Draft, task: int) -> TaskProgress:
    """How a task stands, for the person."""
    state = draft.tasks[task]
    todo = next(one for one in draft.state.todos if one.id == task)
    wave = itertools.islice(draft.wave(task), state.cursor)
    found = (key for entry in wave for key in draft.ledger[entry].evidence)
    return TaskProgress(
        task=task,
        text=todo.text,
        status=todo.status,
        queries=list(state.queries),
        evidence=list(dict.fromkeys((*state.evidence, *itertools.islice(found, MOST_SHOWN)))),
        depth=state.depth,
        tokens=state.tokens,
    )
