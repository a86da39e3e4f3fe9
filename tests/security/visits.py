"""The requests of a user or a program to each server while it is watched, all on loopback."""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import Any

import httpx
import socketio
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

QUESTION = "Wie hoch darf die effektive Dosis beruflich exponierter Personen sein?"
PAGE = {"accept": "text/html", "sec-fetch-site": "none"}
OWN = {"sec-fetch-site": "same-origin"}
PATIENCE = 60


def ui(port: int) -> None:
    """Open the page with all it loads, ask a question, read a page of a source, take the report as PDF."""
    asyncio.run(asyncio.wait_for(_ui(f"http://127.0.0.1:{port}"), PATIENCE))


async def _ui(url: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, headers=OWN) as client:
        page = (await client.get("/", headers=PAGE)).raise_for_status().text
        for part in re.findall(r'(?:src|href)="(/[^"]+)"', page):
            await client.get(part)
        await client.get("/rabbithole/start")
        run = await _ask(client, url)
        while True:
            parts = (await client.get(f"/rabbithole/runs/{run}")).raise_for_status().json()["parts"]
            if parts["head"]["status"] not in ("running", "waiting"):
                break
            await asyncio.sleep(0.2)
        (await client.get(f"/rabbithole/runs/{run}/export/pdf")).raise_for_status()


async def _ask(client: httpx.AsyncClient, url: str) -> str:
    """Ask through the socket as the page does; the id of the run."""
    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())

    def seen(*data: Any) -> None:
        match = re.search(r"'run':\s*'([^']+)'", str(data))
        if match and not found.done():
            found.set_result(match[1])

    sio = socketio.AsyncClient()
    sio.on("*", lambda _event, *data: seen(*data))
    auth = {"clientType": "webapp", "sessionId": "s" * 20, "threadId": "", "userEnv": "{}", "chatProfile": ""}
    await sio.connect(url, headers={"cookie": cookies, "origin": url}, auth=auth, socketio_path="/ws/socket.io")
    await sio.emit("connection_successful")
    await sio.emit("chat_settings_change", {"mode": "answer"})
    message = {
        "id": str(uuid.uuid4()),
        "name": "user",
        "type": "user_message",
        "output": QUESTION,
        "createdAt": "2026-01-01T00:00:00Z",
    }
    await sio.emit("client_message", {"message": message, "fileReferences": []})
    run = await asyncio.wait_for(found, PATIENCE)
    await sio.disconnect()
    return run


def serve(port: int) -> None:
    """The page, the list of workflows, and a whole research."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        client.get("/")
        client.get("/workflows").raise_for_status()
        start = {"start_event": {"query": QUESTION, "auto_approve": True}}
        client.post("/workflows/research/run", json=start).raise_for_status()


def mcp(port: int) -> None:
    """Two tools and a whole research."""
    asyncio.run(asyncio.wait_for(_mcp(f"http://127.0.0.1:{port}/mcp"), PATIENCE))


async def _mcp(url: str) -> None:
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        for tool, arguments in (
            ("search", {"bucket": "", "query": QUESTION}),
            ("search_semantic", {"bucket": "", "query": QUESTION}),
            ("research", {"query": QUESTION, "depth": 1}),
        ):
            done = await session.call_tool(tool, arguments)
            assert not done.isError, done.content
