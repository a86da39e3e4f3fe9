"""Measures how long a run of a killed server waits until another server continues it, and until it is done.

Run: ``RABBITHOLE_CATALOG=postgresql://... python -m bench.running.takeover --kb FOLDER``, with a knowledge base built
with the same setting that has the sample. Two servers share folder and database; one starts a research without a model
and is killed (signal 9) as soon as evidence is stored. Goal: continued within 15 s, the report as without the kill.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
from pydantic import SecretStr

from rabbithole.workflow.run.stores.run_store_choice import open_run_store
from rabbithole.workflow.settings import load_settings

COMMAND = (sys.executable, "-c", "from rabbithole.workflow.cli import main; main()")
QUESTION = "Wie hoch darf die effektive Dosis von Personen sein, die in einem Isotopenlaboratorium beschäftigt sind?"
REPLICAS = 2
GOAL = 15.0
PATIENCE = 120.0


class Replica(NamedTuple):
    process: subprocess.Popen[bytes]
    url: str


class Taken(NamedTuple):
    """Seconds from the kill until another server holds the run, and until it is done; and whether reports are equal."""

    held: float
    done: float
    equal: bool


@contextmanager
def replica(kb: Path, folder: Path, environment: Mapping[str, str]) -> Iterator[Replica]:
    """``rabbithole serve`` in a process of its own, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["serve", "--kb", str(kb), "--port", str(port)]
    process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, env=environment)
    try:
        yield Replica(process, f"http://127.0.0.1:{port}")
    finally:
        process.kill()
        process.wait()


def measure(kb: Path, address: str, folder: Path) -> Taken:
    """Kill one of two servers while it researches, and return how the other took its run over."""
    environment = {**os.environ, "RABBITHOLE_CATALOG": address, "REASONER": "extractive"}
    runs = open_run_store(folder / "runs.sqlite", SecretStr(address))
    with ExitStack() as started:
        started.enter_context(closing(runs))
        servers = [started.enter_context(replica(kb, folder, environment)) for _ in range(REPLICAS)]
        for server in servers:
            until(partial(answers, server.url))

        def start(server: Replica, run_id: str) -> None:
            event = {"query": QUESTION, "auto_approve": True, "run_id": run_id}
            httpx.post(f"{server.url}/workflows/research/run-nowait", json={"start_event": event}).raise_for_status()

        def done(run_id: str) -> bool:
            return any(one.id == run_id and one.status == "done" for one in runs.list())

        def updated() -> float:
            return next(one.updated for one in runs.list() if one.id == "killed")

        start(servers[0], "whole")
        until(lambda: done("whole"))
        start(servers[0], "killed")
        until(lambda: any(one.id == "killed" and runs.documents("killed") for one in runs.list()))
        servers[0].process.kill()
        servers[0].process.wait()
        killed, last = time.monotonic(), updated()
        assert not done("killed"), "the run was done before its server was killed"
        until(lambda: updated() > last)
        held = time.monotonic() - killed
        until(lambda: done("killed"))
        whole, other = runs.report("whole"), runs.report("killed")
        assert whole is not None
        assert other is not None
        equal = (whole.markdown, whole.references) == (other.markdown, other.references)
        return Taken(held, time.monotonic() - killed, equal)


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", type=Path, required=True, help="the folder of a knowledge base with the sample")
    chosen = parser.parse_args()
    catalog = load_settings().kb.rabbithole_catalog
    if catalog is None:
        parser.error("Set RABBITHOLE_CATALOG to an empty PostgreSQL database.")
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(chosen.kb, catalog.get_secret_value(), Path(folder))
    print(f"continued after {taken.held:.1f} s (goal {GOAL:.0f}), done after {taken.done:.1f} s")
    print(f"the report equals that of an undisturbed run: {taken.equal}")


if __name__ == "__main__":
    main()
