"""``rabbithole mcp`` over HTTP against other sites, and against arguments without end."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from security.processes import running

pytestmark = pytest.mark.slow

HELLO = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
ENDLESS = "§ 17 Absatz 3 Satz 2 IsoLV und " * 25_000


@pytest.fixture(scope="module")
def port(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("mcp")
    shutil.copytree(sample_database, folder / "kb" / "database")
    with running(folder, ["mcp", "--transport", "http"]) as port:
        yield port


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
    ],
    ids=str,
)
def test_no_web_page_reaches_the_tools(port: int, headers: dict[str, str], expected: int) -> None:
    answer = httpx.post(f"http://127.0.0.1:{port}/mcp", json=HELLO, headers=HEADERS | headers)
    assert answer.status_code == expected, answer.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_text", {"bucket": "", "query": ENDLESS}),
        ("search", {"bucket": "", "query": ENDLESS}),
        ("search_semantic", {"bucket": "", "query": ENDLESS}),
        ("find_references", {"text": ENDLESS}),
        ("resolve_reference", {"reference": ENDLESS}),
        ("check_draft", {"text": ENDLESS}),
        ("research", {"query": ENDLESS}),
        ("research", {"query": "Dosis", "depth": 10**9}),
        ("read_section", {"doc_id": "../../etc/passwd", "section": "1"}),
        ("inspect_document", {"doc_id": "/etc/passwd"}),
    ],
)
def test_arguments_without_end_or_of_another_place_are_refused_at_once(
    port: int, tool: str, arguments: dict[str, object]
) -> None:
    async def called() -> tuple[bool, str]:
        url = f"http://127.0.0.1:{port}/mcp"
        async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            done = await session.call_tool(tool, arguments)
            return bool(done.isError), str(done.content)

    began = time.monotonic()
    refused, said = asyncio.run(asyncio.wait_for(called(), 60))
    assert refused
    assert "root:" not in said
    assert time.monotonic() - began < 15
