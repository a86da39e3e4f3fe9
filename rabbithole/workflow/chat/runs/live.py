"""One run in memory: its log, its view, and the version of each part of the view."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from workflows.events import Event

from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.workflow.answer_events import ToolUsed
from rabbithole.workflow.events import (
    ClarificationAnswered,
    MetricsUpdated,
    PhaseChanged,
    PlanApproved,
    QuestionsReopened,
    ReferenceSeen,
    ReportToken,
    TaskProgress,
)

from .codec import ChatRunStatus, StatusChanged, decode, encode
from .event_reducer import apply, replay
from .failures import FailureKind, kind_of
from .history import History, RunRow
from .loop_thread import RunHandle
from .run_view import Ask, RunView

PARTS = ("head", "rounds", "question", "plan", "map", "draft", "report", "trace", "warnings")
GATHER_SECONDS = 0.1
PROGRESS = (MetricsUpdated, PhaseChanged, ReferenceSeen, ReportToken, TaskProgress, ToolUsed)

Answer = ClarificationAnswered | PlanApproved | QuestionsReopened


class LiveRun:
    """The view of a run with a version for each part. Used from the event loop only."""

    def __init__(self, row: RunRow, history: History, on_status: Callable[[LiveRun], None] | None = None) -> None:
        self.row = row
        self.ask = Ask.model_validate_json(row.request)
        self.handle: RunHandle | None = None
        self.touched = time.monotonic()
        self._history = history
        self._on_status = on_status
        events = [decode(name, data) for name, data in history.events(row.id)]
        self._count = len(events)
        self.answers: dict[str, Answer] = {one.id: one for one in events if isinstance(one, Answer)}
        self.view = replay(
            RunView(
                run=row.id, query=row.query, mode=self.ask.mode, language=self.ask.answered_in,
                documents=self.ask.documents,
            ),
            events,
        )  # fmt: skip
        self.version = max(self._count, 1)
        self.versions: dict[str, int] = dict.fromkeys((*PARTS, *map(_task_part, self.view.tasks)), self.version)
        self._gathered: list[Event] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def recorded(self) -> int:
        """How many of its events have been written."""
        return self._count

    @property
    def running(self) -> bool:
        return self.handle is not None and not self.handle.over

    def record(self, *events: Event) -> None:
        """Log the events, then show them. Progress is buffered briefly; everything else is written at once."""
        self._gathered.extend(events)
        if not all(isinstance(event, PROGRESS) for event in events):
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._flush_later)

    def flush(self) -> None:
        """Write the buffered events."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        gathered, self._gathered = self._gathered, []
        self._write(condensed(gathered))

    def _flush_later(self) -> None:
        try:
            self.flush()
        except RabbitholeError as error:
            self.show_failure(error)

    def set_status(self, status: ChatRunStatus, error: str = "", kind: FailureKind = "") -> None:
        self.record(StatusChanged(status=status, error=error, kind=kind, at=time.time()))
        self._history.set_status(self.row.id, status)
        if self._on_status is not None:
            self._on_status(self)

    def show_failure(self, error: BaseException) -> None:
        """Show a failure without logging it, when the log itself has failed."""
        self._show(StatusChanged(status="failed", error=without_paths(str(error)), kind=kind_of(error), at=time.time()))

    def _write(self, events: Sequence[Event]) -> None:
        rows = [row for row in map(encode, events) if row is not None]
        if not rows:
            return
        self._history.append(self.row.id, self._count, rows)
        self._count += len(rows)
        for event in events:
            self._show(event)

    def _show(self, event: Event) -> None:
        if isinstance(event, Answer):
            self.answers[event.id] = event
        before, self.view = self.view, apply(self.view, event)
        changed = changed_parts(before, self.view)
        if changed:
            self.version += 1
            self.versions.update(dict.fromkeys(changed, self.version))


def condensed(events: Sequence[Event]) -> list[Event]:
    """Return fewer events with the same effect: consecutive tokens are joined, and only the last total is kept."""
    kept: list[Event] = []
    last = next((event for event in reversed(events) if isinstance(event, MetricsUpdated)), None)
    for event in events:
        before = kept[-1] if kept else None
        if isinstance(event, ReportToken) and isinstance(before, ReportToken) and before.attempt == event.attempt:
            kept[-1] = ReportToken(text=before.text + event.text, attempt=event.attempt)
        elif not isinstance(event, MetricsUpdated) or event is last:
            kept.append(event)
    return kept


def changed_parts(before: RunView, after: RunView) -> set[str]:
    """Return the names of the parts that changed; unchanged parts are identical objects."""
    names: set[str] = {
        name
        for name in ("rounds", "question", "plan", "draft", "report", "trace", "warnings")
        if getattr(before, name) is not getattr(after, name)
    }
    if any(
        getattr(before, name) != getattr(after, name) for name in ("status", "error", "phase", "detail", "counters")
    ):
        names.add("head")
    if before.waiting != after.waiting:
        names.add("head")
    if before.report is not after.report:
        names |= {"head", "map"}  # what is missing is counted by the report, and the map shows what it cites
    for task, view in after.tasks.items():
        known = before.tasks.get(task)
        if view is not known:
            names.add(_task_part(task))
            if known is None or known.references is not view.references:
                names.add("map")
    return names


def _task_part(task: int) -> str:
    return f"task.{task}"
