"""Simulates 50 people at once: does every run finish, and how long do actions of the interface take meanwhile?

Run: ``python -m bench.running.chat [--runs 50] [--pdfs FOLDER] [--embedding auto]``.

There is one server process with the extractive reasoner. Every simulated person has a session, starts a run over the
socket, polls it as the browser does, skips the clarifying questions, approves the plan, opens a page, and waits for the
report. People arrive a fifth of a second apart.

Prints the runs finished; latency of the actions (ask, answer, approve, look, open a page) as p50, p95 and maximum; and
the server's memory before, at its peak and after. The goal is a p95 under half a second; the same server with one
person is printed beside it. Before that, the figures of Chromium (``chat_pages``; ``--pages-only`` prints only those).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
import psutil
import socketio

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.sample.build import sample_folder
from rabbithole.workflow.chat.users import LOCAL_USER

from . import chat_pages

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = sample_folder() / "pdf"
QUESTIONS = (
    "Was regelt die IsoLV zur Lüftung und Rückhaltung?",
    "What does ILA SG-7 say about ventilation?",
    "Welche Voraussetzungen hat die Genehmigung nach dem IsoLG?",
    "How long may a filter stay in place?",
)
GOAL_P95 = 0.5
OPENING = "open chat"  # printed, but not an action of the interface
ARRIVAL_SECONDS = 0.2  # fifty people arrive within ten seconds; then all runs go on at once
SERVE = """
import sys
from functools import partial
from pathlib import Path
from rabbithole.workflow.chat.conversation.composition import open_services
from rabbithole.workflow.chat.server.server import serve
serve(partial(open_services, Path(sys.argv[1])), port=int(sys.argv[2]), state=Path(sys.argv[3]), browser=False)
"""


@dataclass
class Figures:
    """Seconds of each action by name, and the outcome of the runs."""

    actions: dict[str, list[float]] = field(default_factory=dict)
    finished: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, name: str, seconds: float) -> None:
        self.actions.setdefault(name, []).append(seconds)


def over(parts: dict[str, Any]) -> bool:
    """Return whether a run has ended, by the parts of its view."""
    return parts.get("head", {}).get("status") in ("done", "failed")


class Person:
    """The requests of one browser."""

    def __init__(self, url: str, figures: Figures) -> None:
        self._http = httpx.AsyncClient(
            base_url=url, timeout=120, headers={"Origin": url, "Sec-Fetch-Site": "same-origin"}
        )
        self._url = url
        self._figures = figures
        self._runs: asyncio.Queue[str] = asyncio.Queue()
        self._socket = socketio.AsyncClient(reconnection=False)

    async def research(self, question: str, answer: Figures) -> None:
        await self._http.get("/", headers={"accept": "text/html"})
        run = await self._start(question)
        seen = await self._until(run, lambda parts: parts.get("question") or parts.get("plan") or over(parts))
        if seen.get("question"):
            await self._act(run, "answer", lambda parts: {"id": parts["question"]["id"], "end": True})
            seen = await self._until(run, lambda parts: parts.get("plan") or over(parts))
        if seen.get("plan"):  # a plan that is the question alone is not asked about
            todos = seen["plan"]["todos"]
            await self._act(run, "plan", lambda parts: {"id": parts["plan"]["id"], "todos": todos})
        seen = await self._until(run, over)
        if seen["head"]["status"] == "done":
            answer.finished += 1
            await self._open_page(seen["report"]["citations"])
        else:
            answer.failed.append(seen["head"]["error"])
        await self._socket.disconnect()
        await self._http.aclose()

    async def _start(self, question: str) -> str:
        def on_message(step: dict[str, Any]) -> None:
            if step.get("type") == "assistant_message" and len(step["id"]) == 12:
                self._runs.put_nowait(step["id"])

        self._socket.on("new_message", on_message)
        ready = asyncio.Event()
        self._socket.on("chat_settings", lambda _: ready.set())  # the last message to a new session
        cookie = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        auth = {
            "sessionId": str(uuid.uuid4()),
            "clientType": "webapp",
            "userEnv": "{}",
            "chatProfile": "",
            "threadId": "",
        }
        begun = time.monotonic()
        await self._socket.connect(
            self._url,
            headers={"Cookie": cookie, "Origin": self._url},
            auth=auth,
            socketio_path="/ws/socket.io",
            wait_timeout=60,
        )
        await self._socket.emit("connection_successful")
        await asyncio.wait_for(ready.wait(), 120)
        self._figures.add(OPENING, time.monotonic() - begun)
        message = {
            "id": str(uuid.uuid4()),
            "name": "local",
            "type": "user_message",
            "output": question,
            "createdAt": "",
        }
        begun = time.monotonic()
        await self._socket.emit("client_message", {"message": message, "fileReferences": []})
        run = await asyncio.wait_for(self._runs.get(), 120)
        self._figures.add("ask", time.monotonic() - begun)
        self.parts: dict[str, Any] = {}
        self.version = 0
        return run

    async def _look(self, run: str) -> dict[str, Any]:
        begun = time.monotonic()
        answer = await self._http.get(f"/rabbithole/runs/{run}", params={"after": self.version})
        self._figures.add("look", time.monotonic() - begun)
        if answer.status_code == 200:
            self.version = answer.json()["version"]
            self.parts.update(answer.json()["parts"])
        return self.parts

    async def _until(self, run: str, true: Any) -> dict[str, Any]:
        while True:
            parts = await self._look(run)
            if parts.get("head", {}).get("status") in ("failed", "stopped") or true(parts):
                return parts
            await asyncio.sleep(0.6)

    async def _act(self, run: str, action: str, body: Any) -> dict[str, Any]:
        begun = time.monotonic()
        await self._http.post(f"/rabbithole/runs/{run}/{action}", json=body(self.parts))
        self._figures.add(action, time.monotonic() - begun)
        return self.parts

    async def _open_page(self, citations: dict[str, Any]) -> None:
        for one in list(citations.values())[:1]:
            begun = time.monotonic()
            base = f"/rabbithole/documents/{one['document']}/pages/{one['page']}"
            await self._http.get(base, params={"quote": one["quote"]})
            await self._http.get(f"{base}.png")
            self._figures.add("open page", time.monotonic() - begun)


async def measure(url: str, runs: int) -> Figures:
    figures = Figures()

    async def one(index: int) -> None:
        await asyncio.sleep(index * ARRIVAL_SECONDS)
        try:
            await Person(url, figures).research(QUESTIONS[index % len(QUESTIONS)], figures)
        except (httpx.TransportError, TimeoutError, socketio.exceptions.ConnectionError) as error:
            figures.failed.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*(one(index) for index in range(runs)))
    return figures


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def table(title: str, figures: Figures, seconds: float) -> None:
    print(f"{title}: {figures.finished} finished, {len(figures.failed)} failed, {seconds:.1f} s")
    for error in sorted(set(figures.failed)):
        print(f"  failed: {error}")
    for name, values in sorted(figures.actions.items()):
        middle = sorted(values)[len(values) // 2]
        print(f"  {name:10} n={len(values):5}  p50 {middle:.3f} s  p95 {p95(values):.3f} s  max {max(values):.3f} s")
    worst = max(p95(values) for name, values in figures.actions.items() if name != OPENING)
    print(f"  worst p95 of an action: {worst:.3f} s (goal < {GOAL_P95} s)")


def megabytes(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 2**20


async def watch(process: psutil.Process, peak: list[float]) -> None:
    while True:
        peak[0] = max(peak[0], megabytes(process))
        await asyncio.sleep(0.5)


async def run(url: str, process: psutil.Process, runs: int) -> None:
    await measure(url, 1)  # loads what is loaded on first use
    begun = time.monotonic()
    table("one person", await measure(url, 1), time.monotonic() - begun)
    before, peak = megabytes(process), [0.0]
    watching = asyncio.create_task(watch(process, peak))
    begun = time.monotonic()
    figures = await measure(url, runs)
    seconds = time.monotonic() - begun
    watching.cancel()
    table(f"{runs} people at once", figures, seconds)
    print(
        f"  memory of the server: {before:.0f} MB before, {peak[0]:.0f} MB at most, {megabytes(process):.0f} MB after"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--pdfs", type=Path, default=SAMPLE)
    parser.add_argument("--embedding", default="auto", help="EMBEDDING_MODEL of the knowledge base")
    parser.add_argument("--pages-only", action="store_true", help="only what the browser makes of it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        state = Path(folder)
        settings = KbSettings(_env_file=None, embedding_model=options.embedding)
        with KnowledgeBase.open(state / "database", settings, create=True) as kb:
            kb.ingest([options.pdfs], "Bench")
            chat_pages.written(kb, state, LOCAL_USER)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        environment = {**os.environ, "REASONER": "extractive", "EMBEDDING_MODEL": options.embedding}
        command = [sys.executable, "-c", SERVE, str(state / "database"), str(port), folder]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            wait(url)
            if chat_pages.CHROMIUM is not None:
                chat_pages.table(chat_pages.measured(url))
            if not options.pages_only:
                asyncio.run(run(url, psutil.Process(server.pid), options.runs))
        finally:
            server.kill()
            server.wait()


def wait(url: str) -> None:
    for _ in range(600):
        try:
            httpx.get(f"{url}/health", timeout=2)
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
