"""Answers resume after interruptions, are listed with research runs, and are refused if they cannot resume."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from workflows.errors import WorkflowCancelledByUser

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerClarification, AnswerClarified, AnswerRequest
from rabbithole.workflow.run.run_store import RunError, RunStore
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow

QUESTION = "Welcher Grenzwert der effektiven Dosis gilt für beruflich exponierte Personen?"


class Failing(SqliteRunStore):
    """A store that fails at the given commit of an answer, counted from 0, or never if it is negative."""

    def __init__(self, path: Path, at: int = -1) -> None:
        super().__init__(path)
        self.at, self.commits = at, 0

    def save(self, *given: Any, **named: Any) -> None:
        self.commits += 1
        if self.commits - 1 == self.at:
            raise RunError("the process is gone")
        super().save(*given, **named)


def run(kb: KnowledgeBase, store: RunStore, request: AnswerRequest) -> Report:
    async def work() -> Report:
        workflow = AnswerWorkflow(kb, reasoner=ExtractiveReasoner(kb.embed), runs=store)
        handler = workflow.run(start_event=request)
        try:
            return (await handler).report
        finally:
            await workflow.settled()

    return asyncio.run(asyncio.wait_for(work(), 60))


def test_down_at_any_commit_ends_with_the_same_answer(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    whole = Failing(tmp_path / "whole.sqlite")
    expected = run(sample_kb, whole, AnswerRequest(question=QUESTION, as_of="2013", run_id="one"))
    assert "IsoLV.pdf" not in {citation.file for citation in expected.citations}
    assert whole.list()[0].status == "done"
    assert whole.list()[0].mode == "answer"
    assert whole.list()[0].seconds > 0
    for at in range(1, whole.commits, 4):
        store = Failing(tmp_path / f"{at}.sqlite", at)
        with pytest.raises(RunError):
            run(sample_kb, store, AnswerRequest(question=QUESTION, as_of="2013", run_id="one"))
        assert store.list()[0].status == "failed"
        report = run(sample_kb, store, AnswerRequest(run_id="one", resume=True))
        assert report.markdown == expected.markdown
        assert store.list()[0].status == "done"
        store.close()
    whole.close()


def test_a_finished_answer_resumes_to_its_report(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    first = run(sample_kb, store, AnswerRequest(question=QUESTION, run_id="one"))
    assert run(sample_kb, store, AnswerRequest(run_id="one", resume=True)) == first
    assert store.prune() == ("one",)
    store.close()


def stopped(
    kb: KnowledgeBase, store: RunStore, request: AnswerRequest, then: Callable[[Any], Awaitable[None]]
) -> list[AnswerClarification]:
    """Run until a question is asked, then do something else instead of answering it, and stop."""

    async def work() -> list[AnswerClarification]:
        workflow = AnswerWorkflow(kb, reasoner=ExtractiveReasoner(kb.embed), runs=store)
        handler = workflow.run(start_event=request)
        asked = []
        async for event in handler.stream_events():
            if isinstance(event, AnswerClarification):
                asked.append(event)
                await then(handler)
        with pytest.raises(WorkflowCancelledByUser):
            await handler
        await workflow.settled()
        return asked

    return asyncio.run(asyncio.wait_for(work(), 60))


def test_an_open_question_is_asked_again(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    request = AnswerRequest(question=QUESTION, filters=["file=nowhere.pdf"], interactive=True, run_id="one")

    async def cancel(handler: Any) -> None:
        await handler.cancel_run()

    first = stopped(sample_kb, store, request, cancel)
    assert store.list()[0].status == "stopped"
    again = AnswerRequest(run_id="one", resume=True, interactive=True)
    assert stopped(sample_kb, store, again, cancel) == first
    report = run(sample_kb, store, AnswerRequest(run_id="one", resume=True))  # nobody is there: left open, and said
    assert not report.citations
    assert "nowhere.pdf" in report.markdown
    store.close()


def test_a_late_reply_to_a_question_no_longer_open_is_ignored(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    store = SqliteRunStore(tmp_path / "runs.sqlite")

    async def work() -> Report:
        workflow = AnswerWorkflow(sample_kb, reasoner=ExtractiveReasoner(sample_kb.embed), runs=store)
        request = AnswerRequest(question=QUESTION, filters=["file=nowhere.pdf"], interactive=True)
        handler = workflow.run(start_event=request)
        async for event in handler.stream_events():
            if isinstance(event, AnswerClarification) and handler.ctx is not None:
                for text in ("", "Grenzwert", "noch etwas"):
                    handler.ctx.send_event(AnswerClarified(id=event.id, text=text))
        report: Report = (await handler).report
        await workflow.settled()
        return report

    assert not asyncio.run(asyncio.wait_for(work(), 60)).citations
    store.close()


def test_two_cannot_work_on_one_answer(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    first, second = (SqliteRunStore(tmp_path / "runs.sqlite") for _ in range(2))
    run(sample_kb, first, AnswerRequest(question=QUESTION, run_id="one"))
    first.acquire("one")
    with pytest.raises(RunError, match="worked on"):
        run(sample_kb, second, AnswerRequest(run_id="one", resume=True))
    first.close()
    second.close()


def test_what_is_no_answer_is_said(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    store = SqliteRunStore(tmp_path / "runs.sqlite")
    with pytest.raises(UsageError, match="no run 'none'"):
        run(sample_kb, store, AnswerRequest(run_id="none", resume=True))
    run(sample_kb, store, AnswerRequest(question=QUESTION, run_id="one"))
    with pytest.raises(UsageError, match="is an answer"):
        store.load("one")
    store.close()
