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
from rabbithole.workflow.serve import build_server

QUESTION = "Welche Grenzwerte gelten für beruflich exponierte Personen und wann darf davon abgewichen werden?"


@asynccontextmanager
async def serving(kb: KnowledgeBase, store: Path, token: str = "") -> AsyncIterator[str]:
    """The address of a running server."""
    server = build_server(kb, store, host="127.0.0.1", token=token)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = uvicorn.Server(uvicorn.Config(server.app, host="127.0.0.1", port=port, log_level="error"))
    task = asyncio.create_task(running.serve())
    while not running.started:
        await asyncio.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        running.should_exit = True
        await task


@pytest.mark.slow
def test_a_research_over_http(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    async def run() -> tuple[set[str], Any]:
        async with serving(sample_kb, tmp_path / "serve.sqlite") as url:
            client = WorkflowClient(base_url=url)
            start = {"query": QUESTION, "auto_approve": True}
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


def test_token_and_size(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    async def run() -> list[int]:
        async with serving(sample_kb, tmp_path / "serve.sqlite", token="secret") as url, httpx.AsyncClient() as client:
            allowed = {"Authorization": "Bearer secret"}
            large = b"x" * 10_000_000
            answers = [
                await client.get(f"{url}/workflows"),
                await client.get(f"{url}/workflows", headers={"Authorization": "Bearer wrong"}),
                await client.get(f"{url}/workflows", headers=allowed),
                await client.post(f"{url}/workflows/answer/run", content=large, headers=allowed),
            ]
            return [answer.status_code for answer in answers]

    assert asyncio.run(asyncio.wait_for(run(), 60)) == [401, 401, 200, 413]


def test_an_open_address_needs_a_token(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="SERVE_TOKEN"):
        build_server(sample_kb, tmp_path / "serve.sqlite", host="0.0.0.0")
