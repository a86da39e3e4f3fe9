"""A hundred documents are ingested while everything that can die does, and replicas research and search meanwhile."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import lancedb
import pytest
from cluster.base import Base
from cluster.directives import write_directives
from cluster.nodes import RayNodes
from postgres import PostgresServer
from pydantic import SecretStr

from bench.running.takeover import QUESTION, Replica, answers, replica, until
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.report_models import Report
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.run.stores.run_store_choice import open_run_store

pytestmark = pytest.mark.cluster
DOCUMENTS, FIRST = 100, 60
AWAY_SECONDS = 20.0
AWAY = ("away", "away-too")
"""Runs under way when the database goes away."""
SEARCH = {"query": "effektive Dosis beruflich exponierter Personen", "collection": "Sample", "top_k": 5}


@dataclass
class Searching:
    """Searches both servers without a pause; ``wrong`` are answers that are neither right nor an error sentence."""

    servers: list[Replica]
    right: list[object]
    answered: int = 0
    refused: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def search(self, ended: threading.Event) -> None:
        with httpx.Client(timeout=60) as client:
            while not ended.is_set():
                for server in list(self.servers):
                    self._ask(client, server)

    def _ask(self, client: httpx.Client, server: Replica) -> None:
        try:
            answer = client.post(f"{server.url}/search", json=SEARCH)
        except httpx.TransportError as error:
            if server.process.poll() is None and server in self.servers:
                self.wrong.append(f"no answer: {error!r}")
            return
        if answer.status_code == 200 and answer.json()["hits"] == self.right:
            self.answered += 1
        elif answer.status_code >= 400 and str(answer.json().get("detail", "")).endswith("."):
            self.refused.append(answer.json()["detail"])
        else:
            self.wrong.append(f"{answer.status_code}: {answer.text[:300]}")


@contextmanager
def searching(servers: list[Replica], right: list[object]) -> Iterator[Searching]:
    work, ended = Searching(servers, right), threading.Event()
    thread = threading.Thread(target=work.search, args=(ended,))
    thread.start()
    try:
        yield work
    finally:
        ended.set()
        thread.join()


def start_research(server: Replica, run_id: str) -> None:
    event = {"query": QUESTION, "auto_approve": True, "run_id": run_id, "collections": ["Sample"]}
    httpx.post(
        f"{server.url}/workflows/research/run-nowait", json={"start_event": event}, timeout=60
    ).raise_for_status()


def report(runs: RunStore, run_id: str) -> Report:
    found = runs.report(run_id)
    assert found is not None, run_id
    return found


def done(runs: RunStore, *run_ids: str) -> bool:
    return set(run_ids) <= {one.id for one in runs.list() if one.status == "done"}


def stored(kb: KnowledgeBase) -> int:
    return len(kb.documents("Directives"))


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a command; return its exit code and what it said on standard error."""
    _, errors = process.communicate(timeout=300)
    return process.returncode, errors.strip()


@contextmanager
def away(server: PostgresServer) -> Iterator[None]:
    """The database is stopped for ``AWAY_SECONDS`` at least, and for as long as the block takes."""
    server.stop()
    back = time.monotonic() + AWAY_SECONDS
    try:
        yield
        threading.Event().wait(max(back - time.monotonic(), 0.0))
    finally:
        server.start()


def kill_task(nodes: RayNodes, worker: int) -> bool:
    """Kill the process that does a task on a worker; return whether there was one."""
    found = nodes.tasks(worker)
    if found:
        found[0].kill()
    return bool(found)


def content(kb: KnowledgeBase) -> dict[str, object]:
    """Everything stored of each document, chunk for chunk."""
    return {one.file: (one, kb.outline(one.id), kb.chunks(one.id)) for one in kb.documents("Directives")}


@pytest.mark.timeout(1200)
def test_what_dies_loses_nothing(
    nodes: RayNodes, base: Base, postgres_server: PostgresServer, sample_pdfs: Path, tmp_path: Path
) -> None:
    everything = write_directives(tmp_path / "directives", DOCUMENTS)
    some = tmp_path / "folder"
    some.mkdir()
    for path in sorted(everything.iterdir())[:FIRST]:
        shutil.copy2(path, some)
    with ExitStack() as opened:
        kb = opened.enter_context(base.open(create=True))
        assert not kb.ingest([sample_pdfs], "Sample").skipped
        runs = opened.enter_context(closing(open_run_store(tmp_path / "none", SecretStr(base.address))))
        servers = [opened.enter_context(replica(base.folder, tmp_path, base.environment)) for _ in range(2)]
        for server in servers:
            until(partial(answers, server.url))
        start_research(servers[0], "undisturbed")
        until(lambda: done(runs, "undisturbed"))
        right = httpx.post(f"{servers[0].url}/search", json=SEARCH, timeout=60).json()["hits"]
        assert right
        work = opened.enter_context(searching(servers, right))

        # A raylet, a worker and a replica in the middle of a research are killed while the first files are ingested.
        ingestion = base.ingest(some)
        until(lambda: stored(kb) > 0 or ingestion.poll() is not None)
        nodes.raylet(1).kill()
        until(lambda: kill_task(nodes, 2) or ingestion.poll() is not None)
        assert ingestion.poll() is None, "ingestion was over before the kills"
        start_research(servers[0], "killed")
        until(lambda: any(one.id == "killed" and runs.documents("killed") for one in runs.list()))
        assert not done(runs, "killed")
        gone = servers.pop(0)
        gone.process.kill()
        assert ended(ingestion) == (0, "")
        assert stored(kb) == FIRST
        assert not work.refused
        until(lambda: done(runs, "killed"))

        # The database goes away while the others are ingested: the command says so, and is run again.
        nodes.start_worker(3)
        for path in sorted(everything.iterdir())[FIRST:]:
            shutil.copy2(path, some)
        ingestion = base.ingest(some)
        until(lambda: bool(nodes.tasks(2) or nodes.tasks(3)) or ingestion.poll() is not None)
        for run_id in AWAY:
            start_research(servers[0], run_id)
        until(lambda: stored(kb) > FIRST or ingestion.poll() is not None)
        assert ingestion.poll() is None, "ingestion was over before the database went away"
        assert not done(runs, *AWAY), "the runs were over before the database went away"
        with away(postgres_server):
            code, said = ended(ingestion)
        assert code == 1, said
        assert said.startswith("rabbithole: "), said
        assert len(said.splitlines()) == 1, said
        assert ended(base.ingest(some)) == (0, "")
        until(lambda: done(runs, *AWAY))
        undisturbed = report(runs, "undisturbed")
        for run_id in ("killed", *AWAY):
            other = report(runs, run_id)
            assert (other.markdown, other.references) == (undisturbed.markdown, undisturbed.references), run_id

    with (
        base.open() as kb,
        KnowledgeBase.open(tmp_path / "alone", KbSettings(embedding_model="hash"), create=True) as alone,
    ):
        assert stored(kb) == DOCUMENTS
        alone.ingest([some], "Directives")
        assert content(kb) == content(alone)
        numbers = kb.ordinals()
        chunks = {(number, at) for number, document in numbers.items() for at in range(len(kb.chunks(document)))}
    index = lancedb.connect(base.index)
    rows = Counter(
        (row["document"], row["position"])
        for name in index.list_tables().tables
        for row in index.open_table(name).to_arrow().select(["document", "position"]).to_pylist()
    )
    assert set(rows) == chunks
    assert set(rows.values()) == {1}
    check = base.run("kb", "check")
    assert ended(check)[0] == 0
    assert not work.wrong
    assert work.answered > 0
    print(said)
    print(json.dumps({"searches": work.answered, "refused": len(work.refused), "said": sorted(set(work.refused))}))
