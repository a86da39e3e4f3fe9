"""``rabbithole serve`` against web pages of other sites, DNS rebinding, and clients that lie or dawdle."""

from __future__ import annotations

import contextlib
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from security.processes import running, say, status

from rabbithole.workflow.cli.app import run

pytestmark = pytest.mark.slow

ASK = b'{"start_event": {"question": "Grenzwert der Dosis", "language": "de"}}'
RUN = "/workflows/answer/run-nowait"
TOKEN = "the-token-of-this-test-has-enough-characters"


@pytest.fixture(scope="module")
def folder(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("serve")
    shutil.copytree(sample_database, made / "kb" / "database")
    return made


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    with running(folder, ["serve"]) as port:
        yield port


def post(port: int, path: str = RUN, body: bytes = ASK, **headers: str) -> int:
    given = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.post(f"http://127.0.0.1:{port}{path}", content=body, headers=given, timeout=30).status_code


def test_a_program_of_this_machine_is_served(port: int) -> None:
    assert post(port) == 200
    assert post(port, origin=f"http://127.0.0.1:{port}", sec_fetch_site="same-origin") == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example", "sec_fetch_site": "cross-site"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "null"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
    ids=str,
)
def test_a_page_of_another_site_starts_nothing(port: int, headers: dict[str, str]) -> None:
    assert post(port, **headers) == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_page_may_send_without_asking_starts_nothing(port: int, kind: str) -> None:
    assert post(port, content_type=kind) == 415


@pytest.mark.parametrize("path", ["/workflows", "/handlers", "/"])
def test_a_rebound_name_reads_nothing(port: int, path: str) -> None:
    answer = httpx.get(f"http://127.0.0.1:{port}{path}", headers={"host": f"evil.example:{port}"})
    assert answer.status_code == 421


def test_the_first_page_loads_nothing(port: int) -> None:
    answer = httpx.get(f"http://127.0.0.1:{port}/")
    assert answer.status_code == 200
    assert "<script" not in answer.text
    assert "http" not in answer.text


def test_a_body_is_counted_as_it_arrives(port: int) -> None:
    """A chunked body does not announce its length."""
    head = f"POST {RUN} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    data = head.encode() + b"transfer-encoding: chunked\r\nconnection: close\r\n\r\n" + chunk * 46 + b"0\r\n\r\n"
    assert status(say(port, data, 20)) == 413


def test_clients_that_dawdle_are_sent_away(port: int) -> None:
    """Heads that never end, first and second on a connection, and a body that never ends."""
    host = f"host: 127.0.0.1:{port}\r\n".encode()
    stalled = [
        b"GET /workflows HTTP/1.1\r\n",
        b"GET /workflows HTTP/1.1\r\n" + host + b"\r\nGET /workflows HTTP/1.1\r\n",
        f"POST {RUN} HTTP/1.1\r\n".encode() + host + b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    ]
    began = time.monotonic()
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda data: say(port, data, 40), stalled))
    assert time.monotonic() - began < 30
    assert [status(answer) for answer in answers] == [0, 200, 408]


def test_connections_are_limited(port: int) -> None:
    """The server goes on when the connections end."""
    request = f"GET /workflows HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        for _ in range(120):
            held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        assert status(say(port, request)) == 503
    for _ in range(100):
        if status(say(port, request)) == 200:
            return
        time.sleep(0.1)
    raise AssertionError("the server does not recover")


@pytest.mark.parametrize(
    "body",
    [
        b'{"start_event": {"question": "x"}, "context": {"version": 1, "state": {}}}',
        b'{"start_event": {"type": "Popen", "qualified_name": "subprocess.Popen", "value": {"args": "true"}}}',
        b'{"start_event": {"qualified_name": "builtins.eval", "value": "1"}}',
        b'{"start_event": [[[[[[]]]]]]}',
        b'{"start_event": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[]",
        b"\xff\xfe",
    ],
    ids=["a context", "a program", "a function", "a list", "a deep one", "no object", "no text"],
)
def test_a_request_brings_no_objects_of_its_own(port: int, body: bytes) -> None:
    assert 400 <= post(port, body=body) < 500


def test_a_question_without_end_is_refused_at_once(port: int) -> None:
    began = time.monotonic()
    body = b'{"start_event": {"question": "' + "§ 17 Absatz 3 und ".encode() * 40_000 + b'", "language": "de"}}'
    answer = httpx.post(
        f"http://127.0.0.1:{port}{RUN.removesuffix('-nowait')}",
        content=body,
        headers={"content-type": "application/json"},
        timeout=60,
    )
    assert answer.status_code == 500
    assert "shorten it" in answer.json()["error"]
    assert time.monotonic() - began < 20


def test_a_token_is_asked_for_and_compared_as_bytes(folder: Path) -> None:
    with running(folder, ["serve"], {"SERVE_TOKEN": TOKEN}) as port:
        url = f"http://127.0.0.1:{port}/workflows"
        given = ["", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xff\xfe", f"Bearer {TOKEN}"]
        answers = [httpx.get(url, headers={"authorization": one.encode("latin-1")}).status_code for one in given]
    assert answers == [401, 401, 401, 401, 401, 200]


@pytest.mark.parametrize(("host", "token"), [("127.0.0.1", "x"), ("0.0.0.0", "short"), ("0.0.0.0", "")])
def test_a_token_that_can_be_guessed_is_refused(
    folder: Path, host: str, token: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RABBITHOLE_HOME", str(folder / "kb"))
    monkeypatch.setenv("SERVE_TOKEN", token)
    assert run(["serve", "--host", host, "--port", "1"]) == 2
    assert "SERVE_TOKEN" in capsys.readouterr().err
