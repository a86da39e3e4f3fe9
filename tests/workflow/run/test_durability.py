"""A run survives being killed at any moment, and two processes cannot work on it at once.

``RABBITHOLE_KILL_ROUNDS`` says how often a run is killed (3; a release is tried with 100).
"""

import asyncio
import collections
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from flows import QUESTION, answer_all, finish, settings
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.workflow.events import ClarificationRequested, PlanProposed, ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.database import RunError
from rabbithole.workflow.run.store import RunStore

ROUNDS = int(os.environ.get("RABBITHOLE_KILL_ROUNDS", "3"))
SECONDS = 0.03  # of every call of the model server
SLOTS = 4
RUN = """
    import asyncio, sys
    sys.path.insert(0, {tests!r})
    from test_durability import research_with_model
    from rabbithole.kb import KnowledgeBase
    from rabbithole.kb.settings import KbSettings
    kb = KnowledgeBase.open({kb!r}, KbSettings(_env_file=None, embedding_model="hash"))
    print("ready", flush=True)
    research_with_model(kb, {path!r}, {url!r}, wait={wait!r})
"""


def research_with_model(kb, path, url, *, resume=False, wait=False):
    """One sitting of the run 'killed' against a model server; with ``wait`` nobody answers its questions."""
    runs = RunStore(path)
    reasoner = make_reasoner(settings_for(url, llm_concurrency=SLOTS, llm_idle_timeout=20.0), kb)
    flow = ResearchWorkflow(kb, settings(initial_todo_items=3), reasoner, runs)
    request = ResearchRequest(query="" if resume else QUESTION, run_id="killed", resume=resume)
    try:
        return asyncio.run(finish(flow, request, None if wait else answer_all))
    finally:
        runs.close()


@contextmanager
def process(kb, path, url, *, wait=False):
    """The same in a process of its own, past its start."""
    folder = Path(__file__).resolve().parent
    values = {"tests": str(folder), "kb": str(kb.folder), "path": str(path), "url": url, "wait": wait}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder.parent), *sys.path])}
    script = textwrap.dedent(RUN).format(**values)
    started = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert started.stdout.readline() == "ready\n"
        yield started
    finally:
        started.kill()
        started.wait()
        started.stdout.close()


def kill(started):
    os.kill(started.pid, signal.SIGKILL)
    started.wait()


def prompts(server):
    """How often each prompt was answered to the end."""
    ended = [call for call in server.calls if call.ended and call.ended - call.started >= SECONDS]
    return collections.Counter(json.dumps(call.body["messages"]) for call in ended)


@pytest.fixture(scope="module")
def undisturbed(sample_kb, tmp_path_factory):
    """The report, the seconds from its first call to its last (loading libraries aside), and the prompts it asks."""
    with running(Behaviour(seconds=SECONDS)) as server:
        path = tmp_path_factory.mktemp("runs") / "runs.sqlite"
        report, _ = research_with_model(sample_kb, path, server.url)
        seconds = max(call.ended for call in server.calls) - min(call.started for call in server.calls)
        return report, seconds, prompts(server)


@pytest.mark.slow
@pytest.mark.timeout(120 + 60 * ROUNDS)
def test_killed_at_any_moment_it_ends_with_the_same_report_and_asks_nothing_finished_again(
    undisturbed, sample_kb, tmp_path
):
    expected, seconds, asked = undisturbed
    moments = random.Random(ROUNDS)
    phases = collections.Counter()
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.sqlite"
        with running(Behaviour(seconds=SECONDS)) as server:
            with process(sample_kb, path, server.url) as started:
                while not server.calls:
                    time.sleep(0.005)
                time.sleep(moments.uniform(0, seconds))
                kill(started)
            store = RunStore(path)
            (info,) = store.list()
            phases[info.phase] += 1
            store.close()
            report, _ = research_with_model(sample_kb, path, server.url, resume=True)
            assert report.markdown == expected.markdown, f"round {number}, killed in phase {info.phase}"
            assert report.references == expected.references
            again = prompts(server)
        assert set(again) <= set(asked), f"round {number}: a prompt the undisturbed run never asked"
        # Asked twice is only what was answered in the very moment of the kill, before it could be kept.
        assert sum(again.values()) - len(again) <= SLOTS, f"round {number}, killed in phase {info.phase}"
    print(f"{ROUNDS} kills, by phase: {dict(phases)}")


@pytest.mark.slow
def test_a_question_open_when_killed_is_asked_again_once_and_another_process_may_not_take_the_run(sample_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    with running(Behaviour()) as server:
        with process(sample_kb, path, server.url, wait=True) as started:
            store = RunStore(path)
            while not (store.list() and store.list()[0].status == "waiting"):
                time.sleep(0.02)
            store.close()
            with pytest.raises(RunError, match="being worked on"):
                research_with_model(sample_kb, path, server.url, resume=True)
            kill(started)
        _, events = research_with_model(sample_kb, path, server.url, resume=True)
    asked = [event.id for event in events if isinstance(event, ClarificationRequested | PlanProposed)]
    assert asked[0] == "q1"
    assert len(asked) == len(set(asked))
