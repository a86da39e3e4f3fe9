"""A person stops a run: the model is idle at once, and what was found can be read."""

import asyncio
import time

import pytest
from flows import QUESTION, settings
from servers.model_server import Behaviour, running
from servers.settings import settings_for
from workflows.errors import WorkflowCancelledByUser

from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.report.partial import partial_report
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

pytestmark = pytest.mark.slow

SLOTS = 4


@pytest.mark.parametrize("calls", [1, 3, 9])
def test_stopped_the_model_is_idle_within_two_seconds_and_what_was_found_can_be_read(sample_kb, tmp_path, calls):
    runs = SqliteRunStore(tmp_path / "runs.sqlite")

    async def stop(server):
        reasoner = make_reasoner(settings_for(server.url, llm_concurrency=SLOTS, llm_idle_timeout=25.0), sample_kb)
        flow = ResearchWorkflow(sample_kb, settings(initial_todo_items=3), reasoner, runs)
        handler = flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
        while len(server.calls) < calls or not server.busy:
            assert not handler.is_done(), (await handler).report.warnings
            await asyncio.sleep(0.005)
        server.behaviour.seconds = 30.0
        while not any(not call.ended for call in server.calls[calls:]):
            assert not handler.is_done(), (await handler).report.warnings
            await asyncio.sleep(0.005)
        begun = time.monotonic()
        await handler.cancel_run()
        while server.busy:
            assert time.monotonic() - begun < 2.0
            await asyncio.sleep(0.01)
        with pytest.raises(WorkflowCancelledByUser):
            await handler
        await flow.settled()
        await asyncio.sleep(0.3)  # what reached the server in the moment of the stop is over as soon as it is read
        while server.busy:
            assert time.monotonic() - begun < 3.0, "something went on asking"
            await asyncio.sleep(0.01)
        quiet = len(server.calls)
        await asyncio.sleep(0.3)
        assert len(server.calls) == quiet, "something went on asking"
        await reasoner.close()
        return handler.run_id

    with running(Behaviour(seconds=0.1)) as server:
        run_id = asyncio.run(stop(server))
    (info,) = runs.list()
    assert info.status == "stopped"
    assert info.calls > 0
    report = asyncio.run(partial_report(runs, sample_kb, settings(), run_id))
    assert report.partial
    assert report.markdown.startswith("# ")
    runs.close()
