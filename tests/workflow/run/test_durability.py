"""A run survives being killed at any moment, and two processes cannot work on it at once.

``RABBITHOLE_KILL_ROUNDS`` says how often a run is killed (3; a release is tried with 100).
"""

import collections
import json
import os
import random
import time

import pytest
from forked import forked
from servers.model_server import Behaviour, running
from work import SLOTS, model_research, research_with_model

from rabbithole.workflow.events import ClarificationRequested, PlanProposed
from rabbithole.workflow.run.run_store import RunError
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

ROUNDS = int(os.environ.get("RABBITHOLE_KILL_ROUNDS", "3"))
SECONDS = 0.03  # of every call of the model server


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
            with forked(model_research, sample_kb.folder, path, server.url, False):
                while not server.calls:
                    time.sleep(0.005)
                time.sleep(moments.uniform(0, seconds))
            store = SqliteRunStore(path)
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
        with forked(model_research, sample_kb.folder, path, server.url, True):
            store = SqliteRunStore(path)
            while not (store.list() and store.list()[0].status == "waiting"):
                time.sleep(0.02)
            store.close()
            with pytest.raises(RunError, match="being worked on"):
                research_with_model(sample_kb, path, server.url, resume=True)
        _, events = research_with_model(sample_kb, path, server.url, resume=True)
    asked = [event.id for event in events if isinstance(event, ClarificationRequested | PlanProposed)]
    assert asked[0] == "q1"
    assert len(asked) == len(set(asked))
