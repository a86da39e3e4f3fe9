"""Runs started outside the chat, such as on the command line, as events for the chat's history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import islice

from workflows.events import Event

from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import Model
from rabbithole.steps.models import TodoStatus
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer_events import ToolUsed
from rabbithole.workflow.events import MetricsUpdated, PlanApproved, ReportReady, RetrievalDone, TaskProgress, Warned
from rabbithole.workflow.run.progress_events import seen_events
from rabbithole.workflow.run.run_store import RunInfo, RunStore
from rabbithole.workflow.run.state import ResearchState, Stage

from .codec import ChatRunStatus, StatusChanged
from .run_view import Ask

STATUS: dict[str, ChatRunStatus] = {"done": "done", "failed": "failed", "stopped": "stopped"}
TASK_STATUS: dict[Stage, TodoStatus] = {"waiting": "pending", "done": "done", "failed": "failed"}


class Adopted(Model):
    """A run in the form in which the chat adopts it."""

    ask: Ask
    status: ChatRunStatus
    events: tuple[Event, ...]


class StoredRuns:
    """Reads the run store for the chat; safe to call from a worker thread. Raises ``RabbitholeError``."""

    def __init__(self, runs: RunStore) -> None:
        self._runs = runs

    def others(
        self, known: Collection[str], held: Callable[[str], bool], most: int
    ) -> list[tuple[RunInfo, ChatRunStatus]]:
        """Return up to ``most`` runs not in ``known``, newest first; unfinished ones may be running elsewhere.

        ``held`` returns whether the knowledge base has a document; runs with evidence only from others are left out.
        """
        listed = (one for one in self._runs.list() if one.id not in known and self._is_about(one.id, held))
        return [(one, STATUS.get(one.status, "interrupted")) for one in islice(listed, most)]

    def _is_about(self, run_id: str, held: Callable[[str], bool]) -> bool:
        found = self._runs.documents(run_id)
        return not found or any(map(held, found))

    def adopt(self, run_id: str) -> Adopted | None:
        info = next((one for one in self._runs.list() if one.id == run_id), None)
        if info is None:
            return None
        if info.mode == "answer":
            return self._adopt_answer(info)
        state, report = self._runs.load(run_id), self._runs.report(run_id)
        ask = Ask(
            query=state.query, mode=state.mode, collections=state.collections, language=state.language,
            depth=state.depth, parent_run=state.parent_run,
        )  # fmt: skip
        status = STATUS.get(info.status, "interrupted")
        return Adopted(ask=ask, status=status, events=(*told(state, info, report), ended(info, status)))

    def _adopt_answer(self, info: RunInfo) -> Adopted:
        state = self._runs.load_answer(info.id)
        report, status = self._runs.report(info.id), STATUS.get(info.status, "interrupted")
        steps = [ToolUsed(**entry.model_dump()) for entry in state.tree.trace] if state.tree else []
        ask = Ask(query=state.query, mode="answer", collections=tuple(state.tree.collections) if state.tree else ())
        events: list[Event] = [StatusChanged(status="running", at=info.created), *steps]
        if report is not None:
            events.append(ReportReady(report=report))
        return Adopted(ask=ask, status=status, events=(*events, ended(info, status)))

    def report(self, run_id: str) -> Report | None:
        """Return the finished report of a run, or None if there is no report or no such run."""
        try:
            return self._runs.report(run_id)
        except UsageError:
            return None

    def delete(self, run_id: str) -> None:
        """Delete a run from the store, unless another process is working on it."""
        self._runs.delete(run_id)


def told(state: ResearchState, info: RunInfo, report: Report | None) -> Iterator[Event]:
    """Yield the events that the chat would have recorded for a run so far."""
    yield StatusChanged(status="running", at=info.created)
    for one in state.rounds:
        yield RetrievalDone(round=one)
    planned = state.question is not None and state.question.kind == "plan"
    if state.todos and not planned:
        yield PlanApproved(id="stored", todos=list(state.todos))
    for task in state.tasks.values():
        yield TaskProgress(
            task=task.id, text=state.todo(task.id).text, status=TASK_STATUS.get(task.stage, "running"),
            queries=list(task.queries), evidence=list(state.evidence_keys(task.id)), depth=task.depth,
            tokens=task.tokens,
        )  # fmt: skip
        for entry in state.entries(task.id):
            yield from seen_events(state, entry)
    for text in state.warnings:
        yield Warned(text=text)
    yield MetricsUpdated(calls=info.calls, output_tokens=info.tokens, seconds=info.seconds)
    if report is not None:
        yield ReportReady(report=report)


def ended(info: RunInfo, status: ChatRunStatus) -> StatusChanged:
    return StatusChanged(status=status, error=info.error, at=info.created + info.seconds)
