"""Two users of one chat cannot see each other's data, and no path in a request reaches the disk."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import socketio
from security.people import OWN, SECRET, client, cookie, logged_in
from security.processes import running, say, status
from security.visits import _ask

from rabbithole.workflow.chat.users import hash_password, save_users

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def port(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("shared")
    shutil.copytree(sample_database, folder / "kb" / "database")
    save_users(
        folder / "users.json", {name: hash_password(f"{name} has a horse", cost=2**10) for name in ("ann", "bob")}
    )
    environment = {"CHAINLIT_AUTH_SECRET": SECRET, "USERS_FILE": "users.json"}
    with running(folder, ["ui", "--no-browser", "--kb", "kb/database"], environment) as port:
        yield port


@pytest.fixture(scope="module")
def bob(port: int) -> httpx.Client:
    return logged_in(port, "bob")


@pytest.fixture(scope="module")
def ann(port: int) -> httpx.Client:
    return logged_in(port, "ann")


@pytest.fixture(scope="module")
def hers(ann: httpx.Client, port: int) -> dict[str, str]:
    """Ann's run and conversation."""

    async def asked() -> str:
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, headers=OWN, cookies=ann.cookies) as person:
            return await _ask(person, url)

    run = asyncio.run(asyncio.wait_for(asked(), 60))
    listed = ann.post("/project/threads", json={"pagination": {"first": 10}, "filter": {}}).json()
    return {"run": run, "thread": listed["data"][0]["id"]}


REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/rabbithole/runs/{run}", None),
    ("GET", "/rabbithole/runs/{run}/export/md", None),
    ("POST", "/rabbithole/runs/{run}/stop", {}),
    ("POST", "/rabbithole/runs/{run}/continue", {}),
    ("POST", "/rabbithole/runs/{run}/partial", {}),
    ("POST", "/rabbithole/runs/{run}/adopt", {}),
    ("GET", "/project/thread/{thread}", None),
    ("GET", "/project/share/{thread}", None),
    ("PUT", "/project/thread", {"threadId": "{thread}", "name": "mine now"}),
    ("PUT", "/project/thread/share", {"threadId": "{thread}", "isShared": True}),
    ("DELETE", "/project/thread", {"threadId": "{thread}"}),
    ("GET", "/project/thread/{thread}/element/1", None),
    ("PUT", "/project/element", {"element": {"id": "1", "threadId": "{thread}"}, "sessionId": "x"}),
    ("DELETE", "/project/element", {"element": {"id": "1", "threadId": "{thread}"}, "sessionId": "x"}),
    ("PUT", "/feedback", {"feedback": {"forId": "{thread}", "value": 1, "threadId": "{thread}"}, "sessionId": "x"}),
]


def put_in(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return value.format(**names)
    return {key: put_in(one, names) for key, one in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS, ids=lambda one: one if isinstance(one, str) else "")
def test_what_is_hers_is_not_there_for_him(
    bob: httpx.Client, hers: dict[str, str], method: str, path: str, body: Any
) -> None:
    answer = bob.request(method, put_in(path, hers), json=put_in(body, hers) if body is not None else None)
    told_nothing = answer.status_code == 200 and answer.text.lstrip().startswith("<!doctype html>")  # the empty page
    assert told_nothing or answer.status_code in (400, 401, 403, 404, 405, 409, 422), answer.text[:300]
    assert "Dosis" not in answer.text


def test_hers_is_still_there(ann: httpx.Client, bob: httpx.Client, hers: dict[str, str]) -> None:
    """After what he tried."""
    assert ann.get(f"/rabbithole/runs/{hers['run']}").status_code == 200
    told = ann.get(f"/project/thread/{hers['thread']}")
    assert told.status_code == 200
    assert told.json()["name"] != "mine now"
    listed = bob.post("/project/threads", json={"pagination": {"first": 10}, "filter": {}}).json()
    assert listed["data"] == []
    as_ann = {"pagination": {"first": 10}, "filter": {"userId": "ann"}}
    assert hers["thread"] not in bob.post("/project/threads", json=as_ann).text


def test_he_cannot_open_her_conversation(bob: httpx.Client, hers: dict[str, str], port: int) -> None:
    async def told() -> str:
        seen: list[str] = []
        socket = socketio.AsyncClient(reconnection=False)
        socket.on("*", lambda event, *data: seen.append(f"{event} {data}"))
        url = f"http://127.0.0.1:{port}"
        auth = {"clientType": "webapp", "sessionId": str(uuid.uuid4()), "threadId": hers["thread"], "userEnv": "{}"}
        try:
            await socket.connect(
                url, headers={"cookie": cookie(bob), "origin": url}, auth=auth, socketio_path="/ws/socket.io"
            )
        except socketio.exceptions.ConnectionError:
            await socket.disconnect()  # a refused client leaves its HTTP session open
            return ""
        await socket.emit("connection_successful")
        await asyncio.sleep(2)
        await socket.disconnect()
        return " ".join(seen)

    assert "Dosis" not in asyncio.run(told())


TRAVERSAL = [
    "/public/../users.json",
    "/public/..%2fusers.json",
    "/public/%2e%2e/%2e%2e/users.json",
    "/public/..%5c..%5cusers.json",
    "/assets/../../users.json",
    "/avatars/..%2f..%2fusers",
    "/avatars/%2e%2e",
    "/copilot/../../users.json",
    "/project/translations?language=../../../../../../etc/passwd",
    "/project/translations?language=..%2f..%2fusers",
    "/project/file/..%2f..%2f..%2fusers.json?session_id=x",
    "/project/file/x?session_id=..%2f..",
    "/rabbithole/documents/..%2f..%2fusers.json/file",
    "/rabbithole/runs/..%2f..%2fusers/export/md",
    "//etc/passwd",
    "/%00",
]


@pytest.mark.parametrize("path", TRAVERSAL)
def test_no_path_of_a_request_reaches_the_disk(bob: httpx.Client, port: int, path: str) -> None:
    """Send a path unchanged; an HTTP client would normalise it."""
    head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie(bob)}\r\nsec-fetch-site: same-origin\r\n"
    answer = say(port, f"{head}connection: close\r\n\r\n".encode())
    assert status(answer) in (200, 303, 307, 400, 401, 403, 404, 405, 409, 422), answer[:300]
    assert b"scrypt" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize(
    "body",
    [
        {"sessionId": "x", "clientType": "stdio", "name": "x", "fullCommand": "touch owned"},
        {"sessionId": "x", "clientType": "sse", "name": "x", "url": "http://127.0.0.1:1/"},
    ],
)
def test_the_frame_starts_no_programs_and_calls_nobody(bob: httpx.Client, body: dict[str, str]) -> None:
    answer = bob.post("/mcp", json=body)
    assert answer.status_code in (400, 401, 403, 404, 405), answer.text


def test_nobody_reads_without_a_name(port: int, hers: dict[str, str]) -> None:
    nobody = client(port, **OWN)
    for path in ("/rabbithole/runs/{run}", "/project/thread/{thread}", "/rabbithole/start", "/user"):
        assert nobody.get(path.format(**hers)).status_code == 401
