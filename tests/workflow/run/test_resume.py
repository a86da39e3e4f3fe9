import asyncio
import random
import time

import pytest
from asking import UNDECIDED, AskingReasoner
from flows import QUESTION, CountingReasoner, answer_all, finish, research, workflow
from forked import forked
from work import slow_research

from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.workflow.events import (
    ClarificationRequested,
    PhaseChanged,
    PlanApproved,
    PlanProposed,
    ResearchRequest,
    Warned,
)
from rabbithole.workflow.run.run_store import RunError
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow


class Crash(BaseException):
    """Acts like a killed process: no code catches it."""


class CrashingStore(SqliteRunStore):
    """A store that fails after (or, every other time, in the middle of) the given number of commits."""

    def __init__(self, path, commits):
        super().__init__(path)
        self.left = commits

    def save(self, state, changed=()):
        self.left -= 1
        if self.left < 0:
            raise RunError("the process is gone")
        super().save(state, changed)


def resume(kb, path, run_id, reasoner=None):
    store = SqliteRunStore(path)
    try:
        request = ResearchRequest(run_id=run_id, resume=True)
        return asyncio.run(finish(workflow(kb, store, reasoner), request, answer_all))
    finally:
        store.close()


@pytest.fixture(scope="module")
def undisturbed(sample_kb, tmp_path_factory):
    store = SqliteRunStore(tmp_path_factory.mktemp("runs") / "runs.sqlite")
    reasoner = CountingReasoner()
    report, _ = asyncio.run(finish(workflow(sample_kb, store, reasoner), ResearchRequest(query=QUESTION), answer_all))
    store.close()
    return report, len(reasoner.calls)


def commits_of_a_run(kb, path):
    class Counting(SqliteRunStore):
        commits = 0

        def save(self, state, changed=()):
            Counting.commits += 1
            super().save(state, changed)

    store = Counting(path)
    asyncio.run(finish(workflow(kb, store), ResearchRequest(query=QUESTION), answer_all))
    store.close()
    return Counting.commits


def test_down_after_any_commit_ends_with_the_same_report_and_repeats_nothing_finished(undisturbed, sample_kb, tmp_path):
    expected, calls = undisturbed
    total = commits_of_a_run(sample_kb, tmp_path / "count.sqlite")
    for commits in random.Random(1).sample(range(1, total), 8):
        path = tmp_path / f"{commits}.sqlite"
        store, reasoner = CrashingStore(path, commits), CountingReasoner()
        with pytest.raises(RunError, match="gone"):
            asyncio.run(finish(workflow(sample_kb, store, reasoner), ResearchRequest(query=QUESTION), answer_all))
        run_id = store.list()[0].id
        store.close()
        report, _ = resume(sample_kb, path, run_id, reasoner)
        assert report.markdown == expected.markdown, f"after commit {commits}"
        assert report.references == expected.references
        # Only what was under way when it went down is asked again: at most one call a task and the window.
        assert len(reasoner.calls) <= calls + 16, f"after commit {commits}"


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.4, 1.2, 2.2])
def test_kill_9_then_resume(undisturbed, sample_kb, tmp_path, moment):
    expected, _ = undisturbed
    path = tmp_path / "runs.sqlite"
    with forked(slow_research, sample_kb.folder, path):
        time.sleep(moment)
    store = SqliteRunStore(path)
    if not store.list():
        pytest.skip("killed before the run had begun")
    store.close()
    report, _ = resume(sample_kb, path, "killed")
    assert report.markdown == expected.markdown


def test_an_open_question_is_asked_again_once(sample_kb, tmp_path):
    async def leave_at_plan():
        store = SqliteRunStore(tmp_path / "runs.sqlite")
        flow = workflow(sample_kb, store, AskingReasoner())
        handler = flow.run(start_event=ResearchRequest(query=UNDECIDED))
        async for event in handler.stream_events():
            if isinstance(event, PlanProposed):
                await handler.cancel_run()
            else:
                await answer_all(handler, event)
        await flow.settled()
        store.close()
        return handler.run_id

    run_id = asyncio.run(leave_at_plan())
    _, events = resume(sample_kb, tmp_path / "runs.sqlite", run_id, AskingReasoner())
    asked = [event for event in events if isinstance(event, (PlanProposed, ClarificationRequested))]
    assert len(asked) == 1
    assert isinstance(asked[0], PlanProposed)


def test_two_cannot_work_on_one_run(sample_kb, tmp_path):
    async def hold():
        store = SqliteRunStore(tmp_path / "runs.sqlite")
        handler = workflow(sample_kb, store, AskingReasoner()).run(start_event=ResearchRequest(query=UNDECIDED))
        async for event in handler.stream_events():
            if isinstance(event, (ClarificationRequested, PlanProposed)):
                break
        other = SqliteRunStore(tmp_path / "runs.sqlite")
        request = ResearchRequest(run_id=handler.run_id, resume=True)
        with pytest.raises(RunError, match="being worked on"):
            await finish(workflow(sample_kb, other), request)
        await handler.cancel_run()

    asyncio.run(hold())


def test_a_finished_run_resumes_to_its_report(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite")
    again, _ = resume(sample_kb, tmp_path / "runs.sqlite", report.run_id)
    assert again == report


class Renamed(ExtractiveReasoner):
    def __init__(self):
        super().__init__()
        self.availability = self.availability.model_copy(update={"model": "another"})

    def for_run(self, recorder, cache=None):
        return self


def test_what_changed_since_the_run_began_is_said(sample_kb, tmp_path):
    store = CrashingStore(tmp_path / "runs.sqlite", 5)
    with pytest.raises(RunError):
        asyncio.run(finish(workflow(sample_kb, store), ResearchRequest(query=QUESTION, auto_approve=True)))
    run_id = store.list()[0].id
    store.close()
    report, events = resume(sample_kb, tmp_path / "runs.sqlite", run_id, Renamed())
    assert any(isinstance(event, Warned) and "extractive another" in event.text for event in events)
    assert any("extractive another" in warning for warning in report.warnings)


def test_an_unknown_run_is_one_clear_sentence(sample_kb, tmp_path):
    with pytest.raises(Exception, match="There is no run 'nope'"):
        resume(sample_kb, tmp_path / "runs.sqlite", "nope")


def test_listing_and_pruning(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite")
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    (info,) = store.list()
    assert info.id == report.run_id
    assert info.status == "done"
    assert info.query == QUESTION
    assert info.seconds > 0
    assert store.prune(older_than_days=1) == ()
    assert store.prune() == (report.run_id,)
    assert store.list() == ()
    assert store.evidence(report.run_id, [report.citations[0].key]) == ()
    store.close()


def test_a_newer_store_is_refused(tmp_path):
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    store._db.execute("PRAGMA user_version=99")
    store.close()
    with pytest.raises(RunError, match="newer version"):
        SqliteRunStore(tmp_path / "runs.sqlite")


def test_plan_approved_for_a_question_no_longer_open_is_ignored(sample_kb, runs):
    async def person(handler, event):
        await answer_all(handler, event)
        if isinstance(event, PlanProposed):
            handler.ctx.send_event(PlanApproved(id="q0", todos=[]))

    flow = workflow(sample_kb, runs, AskingReasoner())
    report, _ = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), person))
    assert len(report.todo) > 1


class Pondering(AskingReasoner):
    """A reasoner that takes a moment for the conversation summary, as a model does."""

    async def conversation(self, *args, **kwargs):
        await asyncio.sleep(0.2)
        return await super().conversation(*args, **kwargs)


def test_two_replies_at_the_same_moment_count_as_one(sample_kb, runs):
    async def person(handler, event):
        await answer_all(handler, event)
        await answer_all(handler, event)

    flow = workflow(sample_kb, runs, Pondering(), hitl_max_iterations=1)
    report, events = asyncio.run(finish(flow, ResearchRequest(query=UNDECIDED), person))
    assert sum(isinstance(event, PlanProposed) for event in events) == 1
    assert sum(isinstance(event, PhaseChanged) and event.phase == "dig" for event in events) == 1
    assert len({task.todo.id for task in report.todo}) == len(report.todo)
