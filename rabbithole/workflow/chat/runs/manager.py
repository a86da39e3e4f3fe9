"""The run manager: it starts, answers, stops and continues runs by id, independently of any browser connection."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Callable
from typing import NamedTuple, Protocol

from workflows.errors import WorkflowCancelledByUser
from workflows.events import Event
from workflows.handler import WorkflowHandler

from rabbithole.kb.errors import RabbitholeError, UsageError, without_paths
from rabbithole.workflow.answer_events import AnswerClarification, AnswerClarified
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    PlanApproved,
    PlanProposed,
    QuestionsReopened,
)

from .codec import ChatRunStatus, encode
from .failures import FailureKind, kind_of
from .history import History, KeptReply
from .live import Answer, LiveRun
from .loop_thread import LoopThread, RunHandle
from .run_view import Ask, RunView
from .stored import Adopted

log = logging.getLogger(__name__)
KEPT_IN_MEMORY = 200
STOP_SECONDS = 5.0


class Ended(NamedTuple):
    """How a run ended, and why if it failed."""

    status: ChatRunStatus
    error: str = ""
    kind: FailureKind = ""


class Launcher(Protocol):
    """Starts or resumes the workflow of a run. Raises ``RabbitholeError`` if it cannot."""

    async def __call__(self, run_id: str, ask: Ask, *, resume: bool) -> WorkflowHandler: ...


class RunManager:
    """All runs of this process and, loaded on demand, of earlier ones. Used from one event loop.

    ``launch`` is called in the loop thread, where the workflows run. ``other`` returns whether a name is that of
    another live server, whose runs are shown here but not touched.
    """

    def __init__(
        self,
        history: History,
        launch: Launcher,
        loop_thread: LoopThread | None = None,
        other: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.history = history
        self._other = other
        self.loop_thread = loop_thread or LoopThread()
        self._launch = launch
        self._live: dict[str, LiveRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, ask: Ask, *, user: str, thread: str) -> str:
        """Start a run in a conversation and return its id; if it fails to start, the run itself shows that."""
        run_id = uuid.uuid4().hex[:12]
        self.history.add_run(run_id, thread, user, ask.query, ask.model_dump_json())
        self.history.add_item(thread, run_id, "run", run_id)
        self._begin(self._load(run_id), resume=False)
        return run_id

    def adopt(self, run_id: str, adopted: Adopted, *, user: str, thread: str) -> None:
        """Adopt a run from the run store into a conversation, with its events so far."""
        rows = [row for row in map(encode, adopted.events) if row is not None]
        self.history.open_thread(thread, user, adopted.ask.query)
        self.history.add_item(thread, f"{run_id}-ask", "user", adopted.ask.query)
        self.history.add_run(run_id, thread, user, adopted.ask.query, adopted.ask.model_dump_json())
        self.history.append(run_id, 0, rows)
        self.history.add_item(thread, run_id, "run", run_id)
        self.history.set_status(run_id, adopted.status)

    def get(self, run_id: str, user: str) -> LiveRun | None:
        """Return the run if it belongs to this user."""
        row = self._live[run_id].row if run_id in self._tasks else self.history.run(run_id)
        return self._load(run_id) if row is not None and row.user == user else None

    def shared(self, token: str) -> LiveRun | None:
        """Return the run of a share link for any user, or None if its report is not shared (any more)."""
        run_id = self.history.shared(token)
        return self._load(run_id) if run_id and self.history.run(run_id) is not None else None

    def is_elsewhere(self, run_id: str) -> bool:
        """Return whether another server is working on the run."""
        row = None if run_id in self._tasks else self.history.run(run_id)
        return row is not None and row.status == "running" and self._other(row.server)

    def reply(self, thread: str, item: str, user: str) -> KeptReply | None:
        """Return a reply if its conversation belongs to this user."""
        found, kept = self.history.thread(thread), self.history.item(thread, item)
        if found is None or found.user != user or kept is None or kept.kind != "reply":
            return None
        return KeptReply.model_validate_json(kept.body)

    def of_thread(self, thread: str) -> list[LiveRun]:
        return [self._load(row.id) for row in self.history.runs_of_thread(thread)]

    def is_running(self, run_id: str) -> bool:
        return run_id in self._tasks

    def is_waiting(self, run_id: str) -> bool:
        """Return whether a run of this process is waiting for its user."""
        return run_id in self._live and self._live[run_id].view.waiting

    def continue_run(self, run: LiveRun) -> bool:
        """Continue a run that was stopped, interrupted or failed. Return False if it is running or done."""
        if run.row.id in self._tasks or run.view.status == "done" or self.is_elsewhere(run.row.id):
            return False
        self._begin(run, resume=True)
        return True

    def answer(self, run: LiveRun, answer: Answer) -> bool:
        """Record a user's answer once. Return False, changing nothing, if the question is not open.

        A run that is not running is continued and gets the answer when it asks again, as does one that was continued
        a moment ago and has not asked again yet.
        """
        if not is_open(run, answer) or self.is_elsewhere(run.row.id):
            return False
        run.record(answer)
        if run.running and run.handle is not None:
            if answer.id in run.handle.asked:
                run.handle.send(in_its_words(run, answer))
        else:
            self.continue_run(run)
        return True

    async def stop(self, run: LiveRun) -> bool:
        """Stop a run at once; it keeps what was committed and can be continued. Return False if it is not running."""
        task = self._tasks.get(run.row.id)
        if task is None or run.handle is None:
            return False
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(run.handle.stop(), STOP_SECONDS)
        await asyncio.wait({task}, timeout=STOP_SECONDS)
        return True

    async def stop_all(self) -> None:
        await asyncio.gather(*(self.stop(self._live[run_id]) for run_id in list(self._tasks)))

    async def forget(self, thread: str) -> list[str]:
        """Stop the runs of a conversation, delete it and return the runs' ids.

        Raises ``UsageError`` if another server is working on one of them.
        """
        gone = [row.id for row in self.history.runs_of_thread(thread)]
        if any(map(self.is_elsewhere, gone)):
            raise UsageError("This research is running in another Rabbithole server: stop it there before deleting it.")
        for run_id in gone:
            run = self._live.get(run_id)
            if run is not None:
                await self.stop(run)
                self._live.pop(run_id, None)
        self.history.delete_thread(thread)
        return gone

    async def close(self) -> None:
        """Stop every run and close the history."""
        await self.stop_all()
        await self.loop_thread.close()
        self.history.close()

    def _load(self, run_id: str) -> LiveRun:
        known = self._live.get(run_id)
        if known is not None and run_id not in self._tasks and self.history.event_count(run_id) != known.recorded:
            del self._live[run_id]  # another server has continued it
        if run_id not in self._live:
            row = self.history.run(run_id)
            if row is None:
                raise RabbitholeError(f"There is no run {run_id}: it may have been deleted.")
            self._forget_oldest()
            run = self._live[run_id] = LiveRun(row, self.history)
            if row.status == "running" and run.view.started and not self._other(row.server):
                run.set_status("interrupted")
        self._live[run_id].touched = time.monotonic()
        return self._live[run_id]

    def _forget_oldest(self) -> None:
        idle = [run for run in self._live.values() if run.row.id not in self._tasks]
        for run in sorted(idle, key=lambda run: run.touched)[: max(0, len(self._live) - KEPT_IN_MEMORY)]:
            del self._live[run.row.id]

    def _begin(self, run: LiveRun, *, resume: bool) -> None:
        run.set_status("running")
        task = asyncio.create_task(self._follow(run, resume), name=f"run {run.row.id}")
        self._tasks[run.row.id] = task

    async def _follow(self, run: LiveRun, resume: bool) -> None:
        handle = run.handle = RunHandle(self.loop_thread, lambda: self._launch(run.row.id, run.ask, resume=resume))
        try:
            await handle.begin()
            ended = await self._record_all(run, handle)
        except RabbitholeError as failure:
            run.handle = None
            ended = Ended("failed", without_paths(str(failure)), kind_of(failure))
            await handle.stop()  # nobody would see what it does
        finally:
            del self._tasks[run.row.id]
        self._end(run, ended)  # only now: whoever reads that it ended may continue it at once

    async def _record_all(self, run: LiveRun, handle: RunHandle) -> Ended:
        while (events := await handle.batch()) is not None:
            run.record(*events)
            for event in events:
                if isinstance(event, ClarificationRequested | PlanProposed | AnswerClarification):
                    handle.asked.add(event.id)
                    self._answer_again(run, handle, event.id)
        run.flush()
        failure = await handle.outcome()
        if isinstance(failure, WorkflowCancelledByUser):
            return Ended("stopped")
        if failure is not None:
            return Ended("failed", sentence_of(failure), kind_of(known_cause(failure)))
        return Ended("done")

    def _answer_again(self, run: LiveRun, handle: RunHandle, question: str) -> None:
        """Send the recorded answer to a question that is asked again after a restart."""
        answer = run.answers.get(question)
        if answer is not None:
            run.record(answer)
            handle.send(in_its_words(run, answer))

    def _end(self, run: LiveRun, ended: Ended) -> None:
        try:
            run.set_status(ended.status, ended.error, ended.kind)
        except RabbitholeError as unwritten:
            run.show_failure(unwritten)


def in_its_words(run: LiveRun, answer: Answer) -> Event:
    """Return the answer in the form this run's workflow expects."""
    if run.ask.mode == "answer" and isinstance(answer, ClarificationAnswered):
        return AnswerClarified(id=answer.id, text=" ".join(one.text for one in answer.answers))
    return answer


def is_open(run: LiveRun, answer: Answer) -> bool:
    """Return whether the answered question is still open."""
    if isinstance(answer, ClarificationAnswered):
        return run.view.question is not None and run.view.question.id == answer.id
    if isinstance(answer, PlanApproved):
        return run.view.plan is not None and not run.view.plan.approved and run.view.plan.id == answer.id
    return can_reopen(run.view, answer)


def can_reopen(view: RunView, wanted: QuestionsReopened) -> bool:
    """Return whether the question or plan is open and the wanted round, before it, has questions."""
    plan = view.plan.id if view.plan is not None and not view.plan.approved else ""
    if wanted.id != (view.question.id if view.question else plan):
        return False
    last = view.question.round.index if view.question else len(view.rounds)
    return any(one.index == wanted.round < last and one.questions for one in view.rounds)


def known_cause(error: BaseException) -> BaseException:
    """Return our own error inside the workflow's wrapper, or the error itself if there is none."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, RabbitholeError):
            return cause
        cause = cause.__cause__ or cause.__context__
    return error


def sentence_of(error: BaseException) -> str:
    """Return one sentence on the error for the user."""
    cause = known_cause(error)
    if isinstance(cause, RabbitholeError):
        return without_paths(str(cause))
    log.error("A run failed unexpectedly.", exc_info=error)
    what = without_paths(f"{type(error).__name__}: {error}".splitlines()[0].rstrip("."))
    return f"Something went wrong ({what}). Press Continue to try again; the server's log has the details."
