"""``rabbithole ui`` against other web applications, other names, forged and stale sessions, and guessing."""

from __future__ import annotations

import asyncio
import shutil
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
import socketio
from security.people import OWN, PAGE, SECRET, client, cookie, logged_in
from security.processes import running, say, status
from socketio.exceptions import ConnectionError as Refused

from rabbithole.workflow.chat.users import hash_password, load_users, save_users
from rabbithole.workflow.cli.app import run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("chat")
    shutil.copytree(sample_database, made / "kb" / "database")
    people = {name: hash_password(f"{name} has a horse", cost=2**10) for name in ("ann", "bob")}
    save_users(made / "users.json", people)
    return made


@contextmanager
def chat(folder: Path, *more: str, **environment: str) -> Iterator[int]:
    with running(folder, ["ui", "--no-browser", "--kb", "kb/database", *more], environment) as port:
        yield port


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """A chat without logins."""
    with chat(folder) as port:
        yield port


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[int]:
    """A chat with logins."""
    with chat(folder, CHAINLIT_AUTH_SECRET=SECRET, USERS_FILE="users.json") as port:
        yield port


def entered(port: int) -> httpx.Client:
    """Somebody who opened the page on this machine."""
    opened = client(port)
    opened.get("/", headers=PAGE).raise_for_status()
    assert opened.cookies
    return opened


def upgrade(port: int, cookies: str, origin: str) -> int:
    """The status of opening a WebSocket: 101 when it opens."""
    head = [
        "GET /ws/socket.io/?EIO=4&transport=websocket HTTP/1.1",
        f"host: 127.0.0.1:{port}",
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
        f"cookie: {cookies}",
    ]
    lines = [*head, f"origin: {origin}"] if origin else head
    return status(say(port, "\r\n".join([*lines, "", ""]).encode(), 3))


def test_its_own_page_is_answered(port: int) -> None:
    person = entered(port)
    assert person.get("/rabbithole/start", headers=OWN).status_code == 200
    assert person.post("/rabbithole/sample", headers=OWN | {"origin": f"http://127.0.0.1:{port}"}).status_code == 200
    assert upgrade(port, cookie(person), f"http://127.0.0.1:{port}") == 101


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:3000", "http://localhost:8888", "https://evil.example", "null", ""]
)
def test_another_application_takes_no_session_over(port: int, origin: str) -> None:
    """Browsers send a host's cookies to all its ports."""
    person = entered(port)
    assert upgrade(port, cookie(person), origin) == 403
    if origin:
        query = {"EIO": "4", "transport": "polling"}
        assert person.get("/ws/socket.io/", params=query, headers={"origin": origin}).status_code == 403
        for path in ("/project/action", "/rabbithole/leave", "/rabbithole/sample"):
            assert person.post(path, json={}, headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("path", ["/rabbithole/start", "/user", "/project/settings", "/project/threads"])
def test_without_the_site_the_page_must_be_told(port: int, path: str) -> None:
    """As browsers do at an address of the local network over plain HTTP."""
    person = entered(port)
    ask = person.post if path == "/project/threads" else person.get
    assert ask(path).status_code == 403
    assert ask(path, headers={"referer": "http://127.0.0.1:3000/"}).status_code == 403
    assert ask(path, headers={"referer": f"http://127.0.0.1:{port}/"}).status_code not in (401, 403)


@pytest.mark.parametrize("path", ["/", "/rabbithole/start", "/user", "/public/rabbithole.js"])
def test_a_rebound_name_reads_nothing(port: int, path: str) -> None:
    assert client(port).get(path, headers=PAGE | {"host": f"evil.example:{port}"}).status_code == 421


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/redoc"])
def test_the_frame_describes_itself_to_nobody(port: int, path: str) -> None:
    answer = client(port).get(path, headers=PAGE)
    assert "swagger" not in answer.text.lower()
    assert "redoc" not in answer.text.lower()
    assert '"openapi"' not in answer.text


def test_the_policy_names_no_foreign_host(port: int) -> None:
    answer = client(port).get("/", headers=PAGE)
    policy = answer.headers["content-security-policy"]
    assert "connect-src 'self';" in policy
    assert "http" not in policy
    assert "ws:" not in policy


def test_the_sample_is_added_only_to_an_empty_base(port: int) -> None:
    answer = entered(port).post("/rabbithole/sample", headers=OWN)
    assert answer.json() == {"added": False}


def test_uploads_are_limited_in_total_and_each_server_keeps_its_own(folder: Path) -> None:
    with chat(folder, UPLOAD_LIMIT_MB="1") as port:
        person = entered(port)
        with chat(folder):
            pass  # what it had is gone with it
        assert asyncio.run(uploaded(port, person)) == 200
        sent = {"file": ("a.pdf", b"%PDF-" + b" " * 1_100_000, "application/pdf")}
        answer = person.post("/project/file", params={"session_id": "x"}, files=sent, headers=OWN)
        assert answer.status_code == 413
        chunked = person.post("/project/file", params={"session_id": "x"}, content=iter([b"x"]), headers=OWN)
        assert chunked.status_code == 411


async def uploaded(port: int, person: httpx.Client) -> int:
    """The status of sending a file in a session of its own."""
    session = str(uuid.uuid4())
    async with socket_of(port, person, session):
        sent = {"file": ("a.pdf", b"%PDF-1.4", "application/pdf")}
        return person.post("/project/file", params={"session_id": session}, files=sent, headers=OWN).status_code


class socket_of:
    """The socket of a page, open for a block."""

    def __init__(self, port: int, person: httpx.Client, session: str = "") -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.headers = {"cookie": cookie(person), "origin": self.url}
        self.auth = {"clientType": "webapp", "sessionId": session or str(uuid.uuid4()), "userEnv": "{}"}
        self.client = socketio.AsyncClient(reconnection=False)

    async def __aenter__(self) -> Any:
        try:
            await self.client.connect(
                self.url, headers=self.headers, auth=self.auth, socketio_path="/ws/socket.io", transports=["websocket"]
            )
        except Refused:
            await self.client.disconnect()  # a refused client leaves its HTTP session open
            raise
        return self.client

    async def __aexit__(self, *error: object) -> None:
        await self.client.disconnect()


def forged(claims: dict[str, Any], secret: str) -> str:
    later = int(time.time()) + 3600
    return jwt.encode({"identifier": "ann", "metadata": {}, "exp": later, "iat": later - 4000, **claims}, secret)


@pytest.mark.parametrize(
    "token",
    [
        forged({}, "x" * 32),
        forged({}, SECRET),  # what a leaked secret alone gives: no session of a password
        forged({"identifier": "local"}, SECRET),
        forged({"exp": 1}, SECRET),
        jwt.encode({"identifier": "ann", "exp": int(time.time()) + 99}, "", algorithm="none"),
        "nonsense",
    ],
    ids=["another secret", "no password", "another user", "expired", "unsigned", "nonsense"],
)
def test_a_forged_session_is_none(shared: int, token: str) -> None:
    nobody = client(shared, **OWN, cookie=f"rabbithole_{shared}={token}")
    assert nobody.get("/user").status_code == 401
    assert nobody.get("/rabbithole/start").status_code == 401
    assert client(shared, **OWN, authorization=f"Bearer {token}").get("/user").status_code == 401
    assert client(shared, **OWN, authorization=f"Bearer {token}").post("/auth/jwt").status_code in (404, 405)


def test_who_logged_out_is_out_at_once(shared: int) -> None:
    person = logged_in(shared, "bob")
    kept = cookie(person)
    assert person.get("/rabbithole/start").status_code == 200

    async def leave() -> bool:
        async with socket_of(shared, person) as open_socket:
            person.post("/logout").raise_for_status()
            await asyncio.wait_for(open_socket.wait(), 10)
            return bool(open_socket.connected)

    assert asyncio.run(leave()) is False
    thief = client(shared, **OWN, cookie=kept)
    assert thief.get("/user").status_code == 401
    assert thief.get("/rabbithole/start").status_code == 401
    with pytest.raises(Refused):
        asyncio.run(opened(shared, kept))


async def opened(port: int, cookies: str) -> None:
    with httpx.Client() as person:
        one = socket_of(port, person)
    one.headers["cookie"] = cookies
    async with one:
        pass


def test_who_was_removed_is_out_at_once(shared: int, folder: Path) -> None:
    person = logged_in(shared, "ann")
    users = load_users(folder / "users.json")

    async def remove() -> bool:
        async with socket_of(shared, person) as open_socket:
            save_users(folder / "users.json", {"bob": users["bob"]})
            await asyncio.wait_for(open_socket.wait(), 10)
            return bool(open_socket.connected)

    assert asyncio.run(remove()) is False
    assert person.get("/rabbithole/start").status_code == 401
    save_users(folder / "users.json", {**users, "ann": hash_password("another password", cost=2**10)})
    assert person.get("/rabbithole/start").status_code == 401  # the name is there again, the session is not
    save_users(folder / "users.json", users)


def test_people_see_nothing_of_each_other(shared: int) -> None:
    ann, bob = logged_in(shared, "ann"), logged_in(shared, "bob")
    assert ann.get("/rabbithole/start").json()["runs"] == bob.get("/rabbithole/start").json()["runs"] == []
    assert ann.post("/rabbithole/leave").status_code == 404


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"CHAINLIT_AUTH_SECRET": "x"}, "CHAINLIT_AUTH_SECRET"),
        ({"CHAINLIT_AUTH_SECRET": SECRET, "USERS_FILE": "local.json"}, "'local'"),
    ],
)
def test_what_could_be_forged_is_refused(
    folder: Path,
    environment: dict[str, str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    save_users(folder / "local.json", {"local": hash_password("long enough", cost=2**10)})
    monkeypatch.chdir(folder)
    for name, value in {"USERS_FILE": "users.json", **environment}.items():
        monkeypatch.setenv(name, value)
    assert run(["ui", "--no-browser", "--kb", "kb/database", "--port", "1"]) == 2
    assert said in capsys.readouterr().err


def test_a_start_link_lets_one_in_once(folder: Path) -> None:
    with chat(folder, "--start-link") as port:
        assert client(port).get("/", headers=PAGE).status_code == 403
        assert client(port).get("/?key=wrong", headers=PAGE).status_code == 403
        assert client(port, **OWN).post("/auth/header").status_code == 401
        log = (folder / f"ui-{port}.log").read_text(encoding="utf-8")
        link = next(word for word in log.split() if "?key=" in word)
        owner = client(port)
        assert owner.get(link, headers=PAGE).status_code == 303
        assert owner.get("/rabbithole/start", headers=OWN).status_code == 200
        assert client(port).get(link, headers=PAGE).status_code == 403


def test_guessing_is_slowed(shared: int) -> None:
    """Last, because it slows everybody at this address. All at once: one after another is slow already."""

    def guess(number: int) -> int:
        form = {"username": "ann", "password": f"guess {number}"}
        return client(shared, **OWN).post("/login", data=form).status_code

    with ThreadPoolExecutor(12) as threads:
        answers = sorted(threads.map(guess, range(12)))
    assert answers[0] == 401
    assert answers.count(429) >= 6
