"""The reducer: (state, result of a step) -> (state, events). The only code that changes the state while digging.

Pure functions, tested as a table: nothing here awaits, reads or stores anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from workflows.events import Event

from rabbithole.steps.models import TaskSummary
from rabbithole.steps.phases.plan import fold, gap_task, spawn
from rabbithole.steps.phrases import phrase
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.events import (
    BatchExtracted,
    BranchFailed,
    ChunksFound,
    DigFinished,
    EntryExtracted,
    ExtractBatch,
    FollowRefEvent,
    PhaseChanged,
    PlanMade,
    RefsOpened,
    TaskDug,
    TaskFinished,
    TaskStarted,
    WaveOpened,
    WavePlanned,
)
from rabbithole.workflow.ledger import LedgerEntry

from .edit import StateEdit
from .progress_events import progress, seen_events
from .state import AnswerState, ResearchState, TaskState

ENDED = ("done", "failed")
State = TypeVar("State", ResearchState, AnswerState)
Result = PlanMade | ChunksFound | WavePlanned | RefsOpened | BatchExtracted | TaskFinished | BranchFailed


class Change(NamedTuple, Generic[State]):
    """The new state, the events to send and the ledger entries that changed."""

    state: State
    events: list[Event]
    entries: Sequence[LedgerEntry]


def reduce(state: ResearchState, result: Result, settings: ResearchSettings) -> Change[ResearchState]:
    """Apply the result of a step and return the change. Applying the same result twice changes nothing."""
    edit = StateEdit(state)
    match result:
        case PlanMade():
            events = _plan_made(edit, result, settings)
        case ChunksFound():
            events = _found(edit, result)
        case WavePlanned():
            events = _planned(edit, result, settings)
        case RefsOpened():
            events = _opened(edit, result, settings)
        case BatchExtracted():
            events = _extracted(edit, result, settings)
        case TaskFinished():
            events = _finished(edit, result, settings)
        case BranchFailed():
            events = _failed(edit, result, settings)
    events += _send_out(edit, settings)
    return Change(edit.state, events, edit.entries)


def started(state: ResearchState, tasks: Sequence[int]) -> Change[ResearchState]:
    """Return the change that starts these tasks of the plan."""
    edit = StateEdit(state)
    events = _start(edit, tasks)
    return Change(edit.state, events, edit.entries)


def resumed(state: ResearchState, settings: ResearchSettings) -> Change[ResearchState]:
    """Return the change that resumes a restored state, each task from its stage."""
    edit = StateEdit(state)
    events: list[Event] = []
    for task in sorted(edit.tasks):
        one = edit.tasks[task]
        match one.stage:
            case "waiting" | "searching":
                events.append(TaskStarted(task=task))
            case "gating":
                events.append(WaveOpened(task=task, depth=one.depth))
            case "following":
                events += _advance(edit, task, settings)
            case "summarising":
                events.append(TaskDug(task=task))
    events += _send_out(edit, settings)
    if all(one.stage in ENDED for one in edit.tasks.values()):
        events += _after(edit, settings)
    return Change(edit.state, events, edit.entries)


# --- what each result changes ----------------------------------------------------------------------------------------
def _plan_made(edit: StateEdit, result: PlanMade, settings: ResearchSettings) -> list[Event]:
    """Take over the plan and start its tasks, except those already running (the question itself)."""
    if edit.state.phase != "plan":
        return []
    begun = {todo.id: todo for todo in edit.state.todos if todo.id in edit.tasks}
    edit.set(todos=tuple(begun.get(todo.id, todo) for todo in result.todos), phase="dig")
    new = [todo.id for todo in result.todos if todo.id not in begun]
    return [PhaseChanged(phase="dig"), *_start(edit, new), *_after(edit, settings)]


def _found(edit: StateEdit, result: ChunksFound) -> list[Event]:
    task = edit.tasks[result.task]
    if task.stage != "searching":
        return []
    sections = tuple(result.sections)
    found = {"queries": tuple(result.queries), "evidence": tuple(result.evidence), "best": result.best}
    edit.task(task.id, sections=sections, **found)
    edit.set(seen={**edit.state.seen, task.id: frozenset(sections)})
    return [_next_wave(edit, task.id, 1), progress(edit, task.id)]


def _next_wave(edit: StateEdit, task: int, depth: int) -> WaveOpened:
    edit.task(task, stage="gating", depth=depth, next=0, counted=0, batched=0, cursor=0)
    return WaveOpened(task=task, depth=depth)


def _planned(edit: StateEdit, result: WavePlanned, settings: ResearchSettings) -> list[Event]:
    task = edit.tasks[result.task]
    if task.stage != "gating" or task.depth != result.depth:
        return []
    edit.open_wave(task.id, result.depth, result.entries)
    shown = [event for entry in result.entries if not entry.wanted for event in seen_events(edit.state, entry)]
    return [*shown, *_advance(edit, task.id, settings)]


def _opened(edit: StateEdit, result: RefsOpened, settings: ResearchSettings) -> list[Event]:
    tasks = set()
    for one in result.opened:
        entry = edit.ledger[one.key]
        if entry.status == "opening":
            found = {"places": one.places, "sections": one.sections, "tokens": one.tokens}
            failed = {"decision": "failed", "reason": one.error} if one.error else {}
            edit.put(entry.model_copy(update={"status": "opened", **found, **failed}))
            tasks.add(entry.task)
    return [event for task in sorted(tasks) for event in _advance(edit, task, settings)]


def _extracted(edit: StateEdit, result: BatchExtracted, settings: ResearchSettings) -> list[Event]:
    for one in result.extracted:
        entry = edit.ledger[one.key]
        if entry.status == "extracting":
            failed = {"decision": "failed", "reason": one.error} if one.error else {}
            settled = {"status": "settled", "places": (), "evidence": one.evidence}
            edit.put(entry.model_copy(update={**settled, **failed}))
    return _advance(edit, result.task, settings)


def _advance(edit: StateEdit, task: int, settings: ResearchSettings) -> list[Event]:
    """Count and settle as far as possible.

    When the wave is done, open the next one if it brought evidence, else summarise the task.
    """
    if edit.tasks[task].stage != "following":
        return []
    before = edit.tasks[task].cursor
    edit.count(task, settings)
    edit.settle(task)
    wave, cursor = edit.wave(task), edit.tasks[task].cursor
    state = edit.state
    events: list[Event] = [event for key in wave[before:cursor] for event in seen_events(state, edit.ledger[key])]
    if cursor > before:
        events.append(progress(edit, task, settings.reference_token_budget))
    if cursor < len(wave):
        return events
    if any(edit.ledger[key].evidence for key in wave):
        return [*events, _next_wave(edit, task, edit.tasks[task].depth + 1)]
    edit.task(task, stage="summarising")
    return [*events, TaskDug(task=task)]


def _finished(edit: StateEdit, result: TaskFinished, settings: ResearchSettings) -> list[Event]:
    task = edit.tasks[result.task]
    if task.stage != "summarising":
        return []
    edit.task(task.id, stage="done", summary=result.summary)
    edit.mark(task.id, "done")
    return [progress(edit, task.id, settings.reference_token_budget), *_after(edit, settings)]


def _failed(edit: StateEdit, result: BranchFailed, settings: ResearchSettings) -> list[Event]:
    """Settle the entries of a failed extraction; end the task, with a warning, if search, gate or summary failed."""
    if result.entries:
        extracted = [EntryExtracted(key=key, error=result.error) for key in result.entries]
        return _extracted(edit, BatchExtracted(task=result.task, extracted=extracted), settings)
    if edit.tasks[result.task].stage in ENDED:
        return []
    text = edit.state.todo(result.task).text
    edit.task(result.task, stage="failed", error=result.error)
    edit.mark(result.task, "failed")
    edit.warn(phrase(edit.state.language, "report.warning.task_failed", task=text, error=result.error))
    return [progress(edit, result.task, settings.reference_token_budget), *_after(edit, settings)]


# --- tasks -----------------------------------------------------------------------------------------------------------
def _start(edit: StateEdit, tasks: Sequence[int], round_: int = 1) -> list[Event]:
    """Start all these tasks at once."""
    for task in tasks:
        edit.tasks[task] = TaskState(id=task, stage="searching", round=round_)
        edit.mark(task, "running")
    return [*(progress(edit, task) for task in tasks), *(TaskStarted(task=task) for task in tasks)]


def _after(edit: StateEdit, settings: ResearchSettings) -> list[Event]:
    """After a task has ended, start tasks from its gaps or end the digging phase; do nothing before there is a plan."""
    if edit.state.phase == "plan":
        return []
    events = _spawn(edit, settings)
    if any(task.stage not in ENDED for task in edit.tasks.values()):
        return events
    edit.set(phase="validate")
    return [*events, DigFinished()]


def _spawn(edit: StateEdit, settings: ResearchSettings) -> list[Event]:
    """Start new tasks from the gaps of finished tasks.

    Finished tasks are considered in order, each after all tasks before it, so the new tasks and their numbers do not
    depend on which task finished first. ``settings.spawned_todo_items`` limits the new tasks of each round.
    """
    events: list[Event] = []
    while (task := edit.tasks.get(edit.state.considered)) is not None and task.stage in ENDED:
        state = edit.state
        edit.set(considered=task.id + 1)
        used = sum(one.round == task.round + 1 for one in edit.tasks.values())
        left = settings.spawned_todo_items - used
        if task.round >= settings.max_iterations or left <= 0:
            continue
        new = spawn(state.todos, spawnable_gaps(state, task.summary), settings.todo_max_items, left)
        edit.set(todos=(*state.todos, *new))
        events += _start(edit, [todo.id for todo in new], task.round + 1)
    return events


def spawnable_gaps(state: ResearchState, summary: TaskSummary | None) -> list[str]:
    """Return the texts of new tasks for the gaps of a task, without terms the question or an earlier task names."""
    asked = fold(state.understood)
    wanted = [gap_task(gap, state.language) for gap in summary.gaps] if summary else []
    known = " ".join(fold(todo.text) for todo in state.todos)
    return [task for term, task in dict.fromkeys(wanted) if fold(term) not in asked and fold(term) not in known]


# --- what is sent out ------------------------------------------------------------------------------------------------
def _send_out(edit: StateEdit, settings: ResearchSettings) -> list[Event]:
    """Return the events for batches to extract and references to open now, in canonical order."""
    batches = [
        ExtractBatch(task=batch[0].task, depth=batch[0].depth, entries=[entry.key for entry in batch])
        for batch in edit.batches()
    ]
    follows = [
        FollowRefEvent(key=one.key, task=one.task, depth=one.depth, target=one.mention.label)
        for one in edit.to_open(settings.reference_window)
    ]
    return [*batches, *follows]
