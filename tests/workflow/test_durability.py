"""A run survives what machines do: killed at any moment, a disk that is full, other documents, two at once, stopped.

``RABBITHOLE_KILL_ROUNDS`` says how often a run is killed (4; a release is tried with 100).
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
from flows import QUESTION, answer_all, finish, research, settings, workflow
from pdfs import write_pdf
from rabbithole.kb import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.workflow import export as export_module
from rabbithole.workflow.events import ClarificationRequested, PlanProposed, ResearchRequest, Warned
from rabbithole.workflow.export import ExportError, export
from rabbithole.workflow.partial import partial_report
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.runs import RunError, RunStore
from servers.model_server import Behaviour, running
from servers.settings import settings_for
from workflows.errors import WorkflowCancelledByUser

ROUNDS = int(os.environ.get("RABBITHOLE_KILL_ROUNDS", "4"))
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
    """The report, the seconds it takes, and the prompts it asks."""
    with running(Behaviour(seconds=SECONDS)) as server:
        begun = time.monotonic()
        path = tmp_path_factory.mktemp("runs") / "runs.sqlite"
        report, _ = research_with_model(sample_kb, path, server.url)
        return report, time.monotonic() - begun, prompts(server)


@pytest.mark.slow
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
                time.sleep(moments.uniform(0, 1.2 * seconds))
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


# --- a full disk -----------------------------------------------------------------------------------------------------
class Filling(RunStore):
    """A store on a disk that fills up after so many commits: SQLite itself says so."""

    def __init__(self, path, commits):
        super().__init__(path)
        self.left = commits

    def save(self, state, changed=()):
        self.left -= 1
        if self.left == 0:
            pages = self._db.execute("PRAGMA page_count").fetchone()[0]
            self._db.execute(f"PRAGMA max_page_count={pages}")
        super().save(state, changed)


@pytest.mark.parametrize("commits", [2, 6, 12])
def test_a_disk_that_fills_up_ends_the_run_in_one_sentence_and_it_goes_on_later(sample_kb, tmp_path, commits):
    small = {"initial_todo_items": 2, "max_iterations": 1}
    expected = research(sample_kb, tmp_path / "whole.sqlite", **small)
    store = Filling(tmp_path / "runs.sqlite", commits)

    async def fill():
        flow = workflow(sample_kb, store, **small)
        try:
            await finish(flow, ResearchRequest(query=QUESTION, auto_approve=True))
        finally:
            await flow.settled()

    with pytest.raises(RunError, match=r"could not be saved in .*full.*resume") as caught:
        asyncio.run(fill())
    assert "\n" not in str(caught.value)
    (info,) = store.list()
    store.close()
    again = RunStore(tmp_path / "runs.sqlite")
    request = ResearchRequest(run_id=info.id, resume=True)
    report, _ = asyncio.run(finish(workflow(sample_kb, again, **small), request))
    again.close()
    assert report.markdown == expected.markdown


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_under_the_report_is_one_sentence_and_leaves_nothing_half_written(sample_kb, tmp_path, monkeypatch):
    report = research(sample_kb, tmp_path / "runs.sqlite", initial_todo_items=1, max_iterations=1)

    def full(handle, mode):
        os.close(handle)
        return Path("/dev/full").open(mode)

    monkeypatch.setattr(export_module.os, "fdopen", full)
    target = tmp_path / "out" / "report.md"
    with pytest.raises(ExportError, match=r"No space left on device.*rabbithole resume"):
        export(report, target)
    assert list(target.parent.iterdir()) == []


# --- what changed in between -----------------------------------------------------------------------------------------
class Stopping(RunStore):
    """Gone as soon as some task has found evidence."""

    found = False

    def save(self, state, changed=()):
        if self.found:
            raise RunError("the process is gone")
        super().save(state, changed)
        self.found = any(task.evidence for task in state.tasks.values())


LAW = """Hausgesetz

§ 1 Ruhe
Nachts ist Ruhe zu halten. Ausnahmen regelt § 2.

§ 2 Ausnahmen
Feste sind zweimal im Jahr erlaubt."""
ORDER = """Gartenordnung

§ 1 Garten
Im Garten gilt die Ruhe nach § 1 des Hausgesetzes. Das Mähen ist werktags erlaubt."""
ASKED = "Wann ist im Haus Ruhe zu halten und welche Ausnahmen gelten?"


@pytest.fixture
def small_kb(tmp_path):
    write_pdf(tmp_path / "pdf" / "hausgesetz.pdf", [LAW], title="Hausgesetz")
    write_pdf(tmp_path / "pdf" / "gartenordnung.pdf", [ORDER], title="Gartenordnung")
    chosen = KbSettings(_env_file=None, embedding_model="hash")
    with KnowledgeBase.open(tmp_path / "kb", chosen, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Haus")
        yield kb


def stopped_while_digging(kb, path):
    store = Stopping(path)
    with pytest.raises(RunError, match="gone"):
        asyncio.run(finish(workflow(kb, store), ResearchRequest(query=ASKED, auto_approve=True)))
    run_id = store.list()[0].id
    store.close()
    return run_id


def go_on(kb, path, run_id):
    store = RunStore(path)
    try:
        return asyncio.run(finish(workflow(kb, store), ResearchRequest(run_id=run_id, resume=True)))
    finally:
        store.close()


def test_documents_removed_between_stop_and_resume_are_named(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    store = RunStore(path)
    state = store.load(run_id)
    keys = [key for task in state.tasks for key in state.evidence_keys(task)]
    file = store.evidence(run_id, keys)[0].file
    store.close()
    small_kb.remove_files("Haus", [file])
    with pytest.raises(RunError, match=rf"no longer in the knowledge base \({file}\)"):
        go_on(small_kb, path, run_id)
    small_kb.ingest([tmp_path / "pdf"], "Haus")
    report, _ = go_on(small_kb, path, run_id)
    assert report.citations


def test_documents_added_between_stop_and_resume_are_said(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    write_pdf(tmp_path / "more" / "neu.pdf", ["Neue Ordnung\n\n§ 1 Neues\nAlles wird anders geregelt als bisher."])
    small_kb.ingest([tmp_path / "more"], "Haus")
    report, events = go_on(small_kb, path, run_id)
    said = [event.text for event in events if isinstance(event, Warned)]
    assert any("Dokumente" in text for text in said)
    assert set(said) <= set(report.warnings)


def test_another_version_is_said(small_kb, tmp_path, monkeypatch):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    monkeypatch.setattr("rabbithole.workflow.beginning.version", lambda name: "99.0")
    report, _ = go_on(small_kb, path, run_id)
    assert any("99.0" in warning for warning in report.warnings)


def test_a_state_no_version_can_read_is_one_clear_sentence(small_kb, tmp_path):
    path = tmp_path / "runs.sqlite"
    run_id = stopped_while_digging(small_kb, path)
    store = RunStore(path)
    store._db.execute("UPDATE runs SET state=json_set(state, '$.depth', 'deep')")
    with pytest.raises(RunError, match="another version"):
        store.load(run_id)
    store.close()


# --- stop ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("calls", [1, 3, 9])
def test_stopped_the_model_is_idle_within_two_seconds_and_what_was_found_can_be_read(sample_kb, tmp_path, calls):
    runs = RunStore(tmp_path / "runs.sqlite")

    async def stop(server):
        reasoner = make_reasoner(settings_for(server.url, llm_concurrency=SLOTS, llm_idle_timeout=25.0), sample_kb)
        flow = ResearchWorkflow(sample_kb, settings(initial_todo_items=3), reasoner, runs)
        handler = flow.run(start_event=ResearchRequest(query=QUESTION, auto_approve=True))
        while len(server.calls) < calls or not server.busy:
            await asyncio.sleep(0.005)
        server.behaviour.seconds = 30.0
        while not any(call.started and not call.ended for call in server.calls[calls:]):
            await asyncio.sleep(0.005)
        begun = time.monotonic()
        await handler.cancel_run()
        while server.busy:
            assert time.monotonic() - begun < 2.0
            await asyncio.sleep(0.01)
        with pytest.raises(WorkflowCancelledByUser):
            await handler
        await flow.settled()
        quiet = len(server.calls)
        await asyncio.sleep(0.3)
        assert len(server.calls) == quiet, "something went on asking"
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
