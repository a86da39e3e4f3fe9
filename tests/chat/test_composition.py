"""The chat on the real workflow: settings reach the run, runs begun elsewhere are taken over, no run is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from asking import UNDECIDED, AskingReasoner
from chat.test_manager import until

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.chat.conversation.composition import Launch, Reasoners
from rabbithole.workflow.chat.conversation.services import LOCAL_USER, Services
from rabbithole.workflow.chat.runs.history import History
from rabbithole.workflow.chat.runs.live import LiveRun
from rabbithole.workflow.chat.runs.loop_thread import LoopThread
from rabbithole.workflow.chat.runs.preferences import preferences_of
from rabbithole.workflow.chat.runs.run_view import Ask, Mode
from rabbithole.workflow.chat.runs.servers import Servers
from rabbithole.workflow.chat.runs.stored import StoredRuns
from rabbithole.workflow.chat.settings import ChatSettings
from rabbithole.workflow.events import ClarificationAnswered, PlanApproved, ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore
from rabbithole.workflow.settings import Settings

QUESTION = "How often are filters of laboratories tested?"


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RunStore]:
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    yield store
    store.close()


def services_of(kb: KnowledgeBase, runs: RunStore, folder: Path, **reasoner: str) -> Services:
    settings = Settings(
        kb=KbSettings(_env_file=None),
        reasoner=ReasonerSettings(_env_file=None, **{"reasoner": "extractive", **reasoner}),
        research=ResearchSettings(_env_file=None),
    )
    loop_thread, reasoners = LoopThread(), Reasoners(settings.reasoner, kb)
    return Services(
        kb=kb,
        settings=ChatSettings(_env_file=None),
        history=History(folder / "chat.sqlite"),
        evidence=runs.evidence,
        launch=Launch(kb, settings, runs, reasoners),
        availability=lambda: loop_thread.run(reasoners.availability),
        models=lambda: loop_thread.run(reasoners.models),
        servers=Servers(folder / "servers"),
        stored=StoredRuns(runs),
        loop_thread=loop_thread,
    )


@pytest.fixture
def services(small_kb: KnowledgeBase, runs: RunStore, tmp_path: Path) -> Services:
    return services_of(small_kb, runs, tmp_path)


def played(services: Services, play: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        try:
            await asyncio.wait_for(play(), 60)
        finally:
            await services.manager.close()

    asyncio.run(whole())


async def finished(services: Services, ask: Ask, thread: str = "t1") -> LiveRun:
    """A research with every question answered by 'start now' and the plan approved as it is."""
    services.history.open_thread(thread, LOCAL_USER, ask.query)
    run = services.manager.get(services.manager.start(ask, user=LOCAL_USER, thread=thread), LOCAL_USER)
    assert run is not None
    await until(lambda: run.view.question or run.view.plan or run.view.status != "running")
    if run.view.question is not None:
        services.manager.answer(run, ClarificationAnswered(id=run.view.question.id, end=True))
    await until(lambda: run.view.plan or run.view.status != "running")
    if run.view.plan is not None:
        services.manager.answer(run, PlanApproved(id=run.view.plan.id, todos=list(run.view.plan.todos[:1])))
    await until(lambda: run.view.status != "running")
    assert run.view.status == "done", run.view.error
    return run


@pytest.mark.slow
def test_what_a_person_set_reaches_the_run(services: Services, runs: RunStore) -> None:
    stored = {"mode": "research", "collections": ["Rules"], "depth": 1, "language": "de", "model": "default"}

    async def play() -> None:
        run = await finished(services, preferences_of(stored).ask(QUESTION))
        state = runs.load(run.row.id)
        assert (state.mode, state.collections, state.depth, state.language) == ("research", ("Rules",), 1, "de")
        assert run.view.report is not None
        assert run.view.report.language == "de"
        plain = await finished(services, preferences_of({**stored, "mode": "plain"}).ask(QUESTION))
        assert runs.load(plain.row.id).mode == "plain"
        answer = await finished(services, preferences_of({**stored, "mode": "answer"}).ask(QUESTION))
        assert answer.view.report is not None
        assert answer.view.report.mode == "answer"

    played(services, play)


@pytest.mark.slow
def test_a_chosen_model_is_the_one_asked(small_kb: KnowledgeBase) -> None:
    settings = ReasonerSettings(_env_file=None, ollama_model="small")
    chosen = Reasoners(settings, small_kb)._for("large")
    assert (chosen.ollama_model, chosen.openai_model) == ("large", "large")
    assert Reasoners(settings, small_kb)._for("").ollama_model == "small"


def test_a_follow_up_starts_from_the_evidence_gathered(services: Services, runs: RunStore) -> None:
    async def play() -> None:
        first = await finished(services, Ask(query=QUESTION))
        assert first.view.report is not None
        cited = {one.key for one in first.view.report.citations}
        second = await finished(services, Ask(query="And how long are records kept?", parent_run=first.row.id), "t1")
        state = runs.load(second.row.id)
        assert state.parent_run == first.row.id
        assert state.inherited
        assert set(state.inherited) <= cited
        before = {(row.document, row.start, row.end) for row in runs.evidence(first.row.id, state.inherited)}
        found = {(row.document, row.start, row.end) for row in runs.evidence(second.row.id, state.evidence_keys(0))}
        assert before <= found

    played(services, play)


@pytest.mark.slow
def test_a_follow_up_of_an_answer_is_understood_from_its_report(services: Services) -> None:
    async def play() -> None:
        first = await finished(services, Ask(query=QUESTION, mode="answer"))
        again = await finished(
            services, Ask(query="And how long are they kept?", mode="answer", parent_run=first.row.id), "t1"
        )
        assert again.view.report is not None
        assert again.view.report.query != "And how long are they kept?"

    played(services, play)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["research", "answer"])
def test_a_follow_up_of_something_that_is_gone_is_a_question_of_its_own(services: Services, mode: Mode) -> None:
    async def play() -> None:
        run = await finished(services, Ask(query=QUESTION, mode=mode, parent_run="nothing"))
        assert run.view.report is not None
        assert run.view.report.query == QUESTION

    played(services, play)


def test_a_run_of_the_command_line_is_listed_and_taken_over(
    services: Services, runs: RunStore, small_kb: KnowledgeBase
) -> None:
    async def play() -> None:
        workflow = ResearchWorkflow(small_kb, ResearchSettings(_env_file=None), AskingReasoner(), runs)
        done = await workflow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True, run_id="abc"))
        asked = workflow.run(start_event=ResearchRequest(query=UNDECIDED, run_id="def"))
        async for event in asked.stream_events():
            if type(event).__name__ in ("ClarificationRequested", "PlanProposed"):
                break
        await asked.cancel_run()
        lines = {line["id"]: line for line in (await services.start_screen(LOCAL_USER, "en"))["runs"]}
        assert {key: (line["status"], line["thread"]) for key, line in lines.items()} == {
            "abc": ("done", ""),
            "def": ("stopped", ""),
        }
        thread = await services.adopt("abc", LOCAL_USER)
        run = services.manager.get("abc", LOCAL_USER)
        assert run is not None
        assert run.row.thread == thread
        assert run.view.report == done.report
        assert run.view.status == "done"
        assert run.view.tasks
        part = services.presenter.part(run.view, "task.0")
        assert any(part["evidence"].values())  # type: ignore[index]
        assert await services.adopt("abc", LOCAL_USER) == ""  # once

        await services.adopt("def", LOCAL_USER)
        open_run = services.manager.get("def", LOCAL_USER)
        assert open_run is not None
        assert open_run.view.rounds
        assert services.manager.continue_run(open_run)
        await until(lambda: open_run.view.question or open_run.view.plan)  # asked again from where it was
        await services.manager.stop_all()

    played(services, play)


def test_who_logs_in_sees_no_run_of_the_command_line(small_kb: KnowledgeBase, runs: RunStore, tmp_path: Path) -> None:
    services = services_of(small_kb, runs, tmp_path)
    services.settings = ChatSettings(_env_file=None, chainlit_auth_secret="s" * 64)

    async def play() -> None:
        workflow = ResearchWorkflow(small_kb, ResearchSettings(_env_file=None), ExtractiveReasoner(), runs)
        await workflow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True, run_id="abc", mode="plain"))
        assert (await services.start_screen("ann", "en"))["runs"] == []
        assert await services.adopt("abc", "ann") == ""

    played(services, play)


def test_a_deleted_conversation_leaves_nothing(services: Services, runs: RunStore, tmp_path: Path) -> None:
    async def play() -> None:
        run = await finished(services, Ask(query=QUESTION), "t1")
        other = await finished(services, Ask(query=QUESTION), "t2")
        await services.forget("t1")
        assert [one.id for one in runs.list()] == [other.row.id]
        assert services.manager.get(run.row.id, LOCAL_USER) is None
        for store in (runs._db, services.history._db):
            tables = [row[0] for row in store.execute("select name from sqlite_master where type = 'table'")]
            for table in tables:
                rows = [tuple(row) for row in store.execute(f"select * from {table}")]
                assert not any(run.row.id in str(value) for row in rows for value in row), table

    played(services, play)


def test_a_model_server_that_is_gone_is_one_sentence(small_kb: KnowledgeBase, runs: RunStore, tmp_path: Path) -> None:
    services = services_of(small_kb, runs, tmp_path, reasoner="ollama", ollama_base_url="http://127.0.0.1:9")

    async def play() -> None:
        services.history.open_thread("t1", LOCAL_USER, QUESTION)
        run = services.manager.get(
            services.manager.start(Ask(query=QUESTION), user=LOCAL_USER, thread="t1"), LOCAL_USER
        )
        assert run is not None
        await until(lambda: run.view.status != "running")
        assert run.view.status == "failed"
        assert "http://127.0.0.1:9" in run.view.error
        assert "Traceback" not in run.view.error
        assert len(run.view.error) < 400
        assert services.manager.continue_run(run)  # once the server is back
        await until(lambda: run.view.status == "failed")

    played(services, play)


def test_an_answer_goes_on_after_being_stopped_and_can_be_taken_over(
    services: Services, runs: RunStore, small_kb: KnowledgeBase
) -> None:
    async def play() -> None:
        services.history.open_thread("t1", LOCAL_USER, QUESTION)
        ask = Ask(query=QUESTION, mode="answer")
        run = services.manager.get(services.manager.start(ask, user=LOCAL_USER, thread="t1"), LOCAL_USER)
        assert run is not None
        await until(lambda: run.view.trace)
        await services.manager.stop(run)
        before = run.view.trace
        if run.view.status != "done":  # it is quick
            assert services.manager.continue_run(run)
            await until(lambda: run.view.status != "running")
        assert run.view.status == "done", run.view.error
        assert run.view.trace[: len(before)] == before
        assert len({one.step for one in run.view.trace}) == len(run.view.trace)

        workflow = AnswerWorkflow(small_kb, reasoner=ExtractiveReasoner(), runs=runs)
        done = await workflow.run(start_event=AnswerRequest(question=QUESTION, run_id="abc"))
        await workflow.settled()
        assert await services.adopt("abc", LOCAL_USER)
        other = services.manager.get("abc", LOCAL_USER)
        assert other is not None
        assert other.view.status == "done"
        assert other.view.trace
        assert other.view.report == done.report

    played(services, play)
