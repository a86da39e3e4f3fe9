"""The HTTP server through its own client, on a real port: run, stream, answer questions, token, size."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from llama_agents.client import WorkflowClient

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.workflow.answer_events import AnswerClarified
from rabbithole.workflow.integrations.serve import build_server, server_config

pytestmark = pytest.mark.slow

JSON = {"content-type": "application/json"}
TOKEN = "a-token-of-the-length-that-is-asked-for"
QUESTION = "Welche Grenzwerte gelten für beruflich exponierte Personen und wann darf davon abgewichen werden?"


@pytest.fixture
def runs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are stored in the test's own folder."""
    monkeypatch.setenv("RUNS_PATH", str(tmp_path / "runs.sqlite"))


@asynccontextmanager
async def serving(kb: KnowledgeBase, store: Path, token: str = "") -> AsyncIterator[str]:
    """The address of a running server."""
    server = build_server(kb, store, host="127.0.0.1", token=token)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = uvicorn.Server(server_config(server, "127.0.0.1", port))
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.should_exit = True
        await task


@pytest.mark.slow
def test_a_research_as_of_a_day_over_http(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    async def run() -> tuple[set[str], Any]:
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url:
            client = WorkflowClient(base_url=url)
            start = {"query": QUESTION, "auto_approve": True, "as_of": "2022-01-01"}
            handler = await client.run_workflow_nowait("research", start_event=start)
            seen = set()
            async for event in client.get_workflow_events(handler.handler_id):
                seen.add(event.type)
            result = await client.get_result(handler.handler_id)
            return seen, result.result

    seen, result = asyncio.run(asyncio.wait_for(run(), 100))
    assert {"ReferenceFollowed", "TaskProgress"} <= seen
    value = result.value if hasattr(result, "value") else result
    report = value["report"] if isinstance(value, dict) else value.report.model_dump()
    assert report["citations"]
    assert all(citation["verified"] for citation in report["citations"])
    assert "IsoLV_2012.pdf" not in {citation["file"] for citation in report["citations"]}
    assert "2022-01-01" in report["markdown"]


def test_token_and_size(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    async def run() -> list[httpx.Response]:
        async with serving(sample_kb, tmp_path / "serve.sqlite", token=TOKEN) as url, httpx.AsyncClient() as client:
            allowed = {"Authorization": f"Bearer {TOKEN}"}
            large = b"x" * 10_000_000
            run_answer = f"{url}/workflows/answer/run"
            return [
                await client.get(f"{url}/workflows"),
                await client.get(f"{url}/workflows", headers={"Authorization": "Bearer wrong"}),
                await client.get(f"{url}/workflows", headers=allowed),
                # Sent whole before the answer is read, though the server refuses it long before.
                await client.post(run_answer, content=large, headers=allowed | JSON),
                await client.post(run_answer, content=large, headers=JSON),
            ]

    answers = asyncio.run(asyncio.wait_for(run(), 60))
    assert [answer.status_code for answer in answers] == [401, 401, 200, 413, 401]
    assert "larger than 1000000 bytes" in answers[3].json()["detail"]
    assert "token" in answers[4].json()["detail"]


def test_what_answers_at_once_over_http(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    bodies = [
        ("check", {"text": "§ 8 der Isotopenlaborverordnung gilt, § 950 IsoLG auch."}),
        ("diff", {"old": "IsoLV@2012", "new": "IsoLV@2021", "section": "§ 8"}),
        ("search", {"query": "Schwangere Personen Dosis", "as_of": "2013-01-01", "top_k": 50}),
        ("resolve", {"reference": "§ 8 IsoLV", "as_of": "2013-01-01"}),
        ("diff", {"old": "IsoLV@1950", "new": "IsoLV@2021"}),
        ("check", {"words": "none"}),
    ]

    async def run() -> list[httpx.Response]:
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url, httpx.AsyncClient() as client:
            return [await client.post(f"{url}/{path}", json=body) for path, body in bodies]

    checked, compared, searched, resolved, unknown, wrong = asyncio.run(run())
    assert [one["verdict"] for one in checked.json()["findings"]] == ["holds", "no_such_place"]
    assert [one["change"] for one in compared.json()["sections"]] == ["changed"]
    files = {hit["file"] for hit in searched.json()["hits"]}
    assert "IsoLV_2012.pdf" in files
    assert "IsoLV.pdf" not in files
    assert [one["file"] for one in resolved.json()["resolutions"]] == ["IsoLV_2012.pdf"]
    assert (unknown.status_code, wrong.status_code) == (400, 422)
    assert "There is no edition 1950" in unknown.json()["detail"]
    assert "text" in wrong.json()["detail"]


def test_an_open_address_needs_a_token(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="SERVE_TOKEN"):
        build_server(sample_kb, tmp_path / "serve.sqlite", host="0.0.0.0")


ASKED = {"question": "Grenzwert der Dosis", "filters": ["file=nowhere.pdf"], "interactive": True, "language": "de"}


async def clarification(client: WorkflowClient, handler_id: str) -> str:
    """The id of the question an answer asks, once it is open."""
    async for event in client.get_workflow_events(handler_id):
        if event.type == "AnswerClarification":
            return str((event.value or {})["id"])
    raise AssertionError("no question was asked")


def test_an_open_question_survives_a_restart(sample_kb: KnowledgeBase, tmp_path: Path, runs_apart: None) -> None:
    async def run() -> tuple[str, Any]:
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url:
            client = WorkflowClient(base_url=url)
            handler = await client.run_workflow_nowait("answer", start_event=ASKED)
            number = await clarification(client, handler.handler_id)
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url:
            client = WorkflowClient(base_url=url)
            reply = AnswerClarified(id=number, text="")
            for _ in range(2):  # the second reply finds the question answered
                await client.send_event(handler.handler_id, reply)
            for _ in range(200):
                found = await client.get_handler(handler.handler_id)
                if found.status != "running":
                    break
                await asyncio.sleep(0.1)
            return found.status, (await client.get_handler(handler.handler_id)).result

    status, result = asyncio.run(asyncio.wait_for(run(), 60))
    assert status == "completed"
    assert "nowhere.pdf" in str(result)


def test_cancel_and_a_client_that_goes_away(sample_kb: KnowledgeBase, tmp_path: Path, runs_apart: None) -> None:
    async def run() -> tuple[str, str]:
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url:
            client = WorkflowClient(base_url=url)
            waiting = await client.run_workflow_nowait("answer", start_event=ASKED)
            await clarification(client, waiting.handler_id)  # and the stream is left in the middle
            await client.cancel_handler(waiting.handler_id)
            whole = await client.run_workflow_nowait("answer", start_event={"question": QUESTION, "language": "de"})
            async for _ in client.get_workflow_events(whole.handler_id):
                break  # gone after the first event
            for _ in range(300):
                states = {one.handler_id: str(one.status) for one in (await client.get_handlers()).handlers}
                if states[whole.handler_id] != "running":
                    break
                await asyncio.sleep(0.1)
            return states[waiting.handler_id], states[whole.handler_id]

    assert asyncio.run(asyncio.wait_for(run(), 90)) == ("cancelled", "completed")
