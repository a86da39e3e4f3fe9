"""A run goes on in another process after its own was killed, or lost its lease, and ends with the same report."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from asking import UNDECIDED, AskingReasoner
from flows import QUESTION, DelayedReasoner, finish, workflow
from forked import forked
from work import research_of_replica

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import CatalogAway
from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.integrations.takeover import Takeover
from rabbithole.workflow.run.run_store import RunStore, RunTakenOver
from rabbithole.workflow.run.state import ResearchState, TaskState
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

if TYPE_CHECKING:
    from conftest import Replicas

pytestmark = pytest.mark.slow
SMALL: dict[str, Any] = {"initial_todo_items": 2, "max_iterations": 1}


@pytest.fixture(scope="module")
def undisturbed(sample_kb: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> Report:
    runs = SqliteRunStore(tmp_path_factory.mktemp("runs") / "runs.sqlite")
    request = ResearchRequest(query=QUESTION, auto_approve=True)
    report, _ = asyncio.run(finish(workflow(sample_kb, runs, **SMALL), request))
    runs.close()
    return report


async def take_over(kb: KnowledgeBase, runs: RunStore, reasoner: ExtractiveReasoner | None = None) -> None:
    """Look for orphans until one is found, as a server does, and continue it to its end."""
    flow = workflow(kb, runs, reasoner, **SMALL)
    takeover = Takeover(runs, flow, AnswerWorkflow(kb, runs=runs))
    async with asyncio.timeout(60):
        while not (begun := await takeover.look()):
            await asyncio.sleep(0.1)
        await asyncio.gather(*begun.values(), return_exceptions=True)
        await flow.settled()
        assert not await takeover.look()


def test_a_killed_process_loses_no_run(undisturbed: Report, replicas: Replicas, sample_kb: KnowledgeBase) -> None:
    runs = replicas.open()
    with forked(research_of_replica, sample_kb.folder, replicas.path, replicas.address, SMALL):
        while not any(task.evidence for one in runs.list() for task in runs.load(one.id).tasks.values()):
            time.sleep(0.02)
    assert runs.list()[0].phase == "dig"
    asyncio.run(take_over(sample_kb, runs))
    (info,) = runs.list()
    assert (info.status, runs.orphans()) == ("done", ())
    report = runs.report(info.id)
    assert report is not None
    assert report.markdown == undisturbed.markdown
    assert report.references == undisturbed.references


def test_whose_lease_ran_out_ends_and_the_other_finishes(
    undisturbed: Report, replicas: Replicas, sample_kb: KnowledgeBase
) -> None:
    first, second = replicas.open(), replicas.open()

    async def both() -> None:
        slow = workflow(sample_kb, first, DelayedReasoner(7, longest=0.1), **SMALL)
        handler = slow.run(start_event=ResearchRequest(query=QUESTION, run_id="one", auto_approve=True))
        async for event in handler.stream_events():
            if type(event).__name__ == "TaskProgress":
                replicas.lapse("one")
                break
        await take_over(sample_kb, second)
        with pytest.raises(RunTakenOver, match="Run one was taken over"):
            await handler
        await slow.settled()

    asyncio.run(both())
    (info,) = second.list()
    assert (info.status, info.error) == ("done", "")
    report = second.report("one")
    assert report is not None
    assert report.markdown == undisturbed.markdown


class AwayReasoner(ExtractiveReasoner):
    """Reads its passages from a catalog that has gone away."""

    def for_run(self, recorder: Any, cache: Any = None) -> AwayReasoner:
        return self

    async def summarise(self, *_: Any) -> Any:
        raise CatalogAway("The database cannot be reached.")


def test_a_catalog_that_is_away_fails_no_run(undisturbed: Report, replicas: Replicas, sample_kb: KnowledgeBase) -> None:
    runs, other = replicas.open(), replicas.open()

    async def session() -> None:
        flow = workflow(sample_kb, runs, AwayReasoner(), **SMALL)
        with pytest.raises(CatalogAway):
            await finish(flow, ResearchRequest(query=QUESTION, run_id="one", auto_approve=True))
        await flow.settled()

    asyncio.run(session())
    assert [(one.status, one.error) for one in runs.list()] == [("running", "")]
    asyncio.run(take_over(sample_kb, other))
    report = other.report("one")
    assert report is not None
    assert report.markdown == undisturbed.markdown


def test_a_run_that_asks_stops_and_one_that_cannot_go_on_is_left(replicas: Replicas, sample_kb: KnowledgeBase) -> None:
    runs, other = replicas.open(), replicas.open()
    runs.acquire("asks")
    runs.save(ResearchState(run_id="asks", query=UNDECIDED))
    replicas.lapse("asks")
    asyncio.run(take_over(sample_kb, other, AskingReasoner()))
    assert [(one.id, one.status) for one in other.list()] == [("asks", "stopped")]
    assert other.load("asks").question is not None
    runs.acquire("gone")
    runs.save(ResearchState(run_id="gone", query=QUESTION, phase="dig", tasks={0: TaskState(id=0, evidence=("e0",))}))
    runs.put_evidence("gone", [Evidence(key="e0", task=0, document="removed", file="removed.pdf", info="")])
    replicas.lapse("gone")
    asyncio.run(take_over(sample_kb, other))
    assert other.orphans() == ("gone",)
