"""Runs outlive their viewers: answered once, stopped at once, continued, restored from the record."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from chat.scripted import Scripted, ScriptedLaunch
from workflows import Context, step
from workflows.handler import WorkflowHandler

from rabbithole.kb.errors import RabbitholeError
from rabbithole.steps.models import Answer
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.loop_thread import LoopThread
from rabbithole.workflow.chat.runs.manager import RunManager
from rabbithole.workflow.chat.runs.run_view import Ask
from rabbithole.workflow.events import (
    ClarificationAnswered,
    ClarificationRequested,
    PlanApproved,
    ResearchRequest,
)

ANSWER = ClarificationAnswered(id="q1", answers=[Answer(question="scope", text="Filters")])


async def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    for _ in range(int(seconds / 0.01)):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen in time")


def begin(manager: RunManager, question: str = "filters of laboratories", user: str = "ann") -> LiveRun:
    manager.history.open_thread("t1", user, question)
    run = manager.get(manager.start(Ask(query=question), user=user, thread="t1"), user)
    assert run is not None
    return run


def approval(run: LiveRun) -> PlanApproved:
    assert run.view.plan is not None
    return PlanApproved(id=run.view.plan.id, todos=list(run.view.plan.todos))


async def to_plan(manager: RunManager, run: LiveRun) -> None:
    await until(lambda: run.view.question)
    assert manager.answer(run, ANSWER)
    await until(lambda: run.view.plan)


def played(play: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(_awaited(play), 60))


async def _awaited(play: Callable[[], Awaitable[None]]) -> None:
    await play()


def test_a_run_goes_from_question_to_report(manager: RunManager) -> None:
    async def play() -> None:
        run = begin(manager)
        await to_plan(manager, run)
        assert manager.answer(run, approval(run))
        await until(lambda: run.view.status == "done")
        assert run.view.report is not None
        assert manager.history.run(run.row.id).status == "done"  # type: ignore[union-attr]

    played(play)


def test_an_answer_is_taken_once(manager: RunManager) -> None:
    async def play() -> None:
        run = begin(manager)
        await until(lambda: run.view.question)
        taken = [manager.answer(run, ANSWER) for _ in range(3)]
        assert taken == [True, False, False]
        await until(lambda: run.view.plan)
        assert not manager.answer(run, ANSWER)
        assert len(run.view.rounds[0].answers) == 1
        await manager.stop_all()

    played(play)


def test_stopping_is_quick_and_the_run_can_be_continued(manager: RunManager) -> None:
    async def play() -> None:
        run = begin(manager)
        await until(lambda: run.view.question)
        started = asyncio.get_running_loop().time()
        assert await manager.stop(run)
        assert asyncio.get_running_loop().time() - started < 1.0
        assert run.view.status == "stopped"
        assert not await manager.stop(run)
        assert manager.continue_run(run)
        await to_plan(manager, run)
        manager.answer(run, approval(run))
        await until(lambda: run.view.status == "done")
        assert not manager.continue_run(run)

    played(play)


class SlowStart(Scripted):
    """A run that takes a while to ask."""

    @step
    async def begin(self, ctx: Context, ev: ResearchRequest) -> ClarificationRequested:
        await asyncio.sleep(0.3)
        return await super().begin(ctx, ev)


class SlowLaunch(ScriptedLaunch):
    launched = 0

    async def __call__(self, run_id: str, ask: Ask, *, resume: bool) -> WorkflowHandler:
        handler = SlowStart(self.kb, self.evidence).run(start_event=ResearchRequest(query=ask.query, run_id=run_id))
        self.launched += 1
        return handler


def test_an_answer_waits_until_a_continued_run_asks_again(launch: ScriptedLaunch, tmp_path: Path) -> None:
    slow = SlowLaunch(launch.kb)

    async def play() -> None:
        manager = RunManager(History(tmp_path / "chat.sqlite"), slow)
        run = begin(manager)
        await to_plan(manager, run)
        await manager.stop(run)
        assert manager.continue_run(run)
        await until(lambda: slow.launched == 2)
        assert manager.answer(run, approval(run))
        await until(lambda: run.view.status != "running")
        assert (run.view.status, run.view.error) == ("done", "")
        await manager.close()

    played(play)


def test_another_process_shows_the_same_and_goes_on(launch: ScriptedLaunch, tmp_path: Path) -> None:
    path, loop_thread = tmp_path / "chat.sqlite", LoopThread()

    async def first() -> tuple[str, object]:
        manager = RunManager(History(path), launch, loop_thread)
        run = begin(manager)
        await to_plan(manager, run)
        return run.row.id, run.view  # left as a killed process would leave it

    async def second(run_id: str, before: object) -> None:
        manager = RunManager(History(path), launch)
        run = manager.get(run_id, "ann")
        assert run is not None
        assert run.view.status == "interrupted"
        assert run.view.plan == before.plan  # type: ignore[attr-defined]
        assert run.view.rounds == before.rounds  # type: ignore[attr-defined]
        # The plan is approved while nothing runs: the run goes on by itself, and what was answered is not asked again.
        assert manager.answer(run, approval(run))
        await until(lambda: run.view.status == "done")
        assert run.view.question is None
        await manager.close()

    run_id, before = asyncio.run(first())
    asyncio.run(asyncio.wait_for(second(run_id, before), 60))
    asyncio.run(loop_thread.close())


def test_a_finished_run_is_restored_exactly(launch: ScriptedLaunch, tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"

    async def play() -> LiveRun:
        manager = RunManager(History(path), launch)
        run = begin(manager)
        await to_plan(manager, run)
        manager.answer(run, approval(run))
        await until(lambda: run.view.status == "done")
        await manager.close()
        return run

    before = asyncio.run(play())
    again = RunManager(History(path), launch).get(before.row.id, "ann")
    assert again is not None
    assert again.view == before.view


def test_a_run_belongs_to_its_person(manager: RunManager) -> None:
    async def play() -> None:
        run = begin(manager)
        assert manager.get(run.row.id, "bob") is None
        assert manager.get("nothing", "ann") is None
        await manager.stop_all()

    played(play)


def test_a_failing_model_is_one_sentence(manager: RunManager) -> None:
    async def play() -> None:
        run = begin(manager, "a broken question")
        await until(lambda: run.view.status == "failed")
        assert run.view.error == (
            "The model server at http://127.0.0.1:9 does not answer: start it and press Continue."
        )

    played(play)


def test_a_full_disk_is_one_sentence(manager: RunManager, tmp_path: Path) -> None:
    async def play() -> None:
        run = begin(manager)
        await until(lambda: run.view.question)
        blocker = sqlite3.connect(tmp_path / "chat.sqlite")
        blocker.execute("drop table events")
        with pytest.raises(RabbitholeError, match="cannot be written"):
            manager.answer(run, ANSWER)
        assert run.view.question is not None  # nothing was taken that was not written
        await manager.stop_all()
        assert run.view.status == "failed"
        assert "free disk space" in run.view.error

    played(play)
