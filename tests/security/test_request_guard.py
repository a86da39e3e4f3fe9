"""The rules on which requests are let in, as a table."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from rabbithole.workflow.integrations.request_guard import (
    LINGER_BYTES,
    Refusal,
    RequestHead,
    names_this_machine,
    refuse,
    refuse_browser,
    refuse_program,
    say,
)

OWN = "127.0.0.1:8511"
JSON = "application/json"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8511", "localhost", "localhost:80", "[::1]:8511", "[::1]"])
def test_names_of_this_machine(host: str) -> None:
    assert names_this_machine(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:8511", "localhost.evil.example", "192.168.1.4:8511", "127.0.0.1.evil.example"],
)
def test_other_names(host: str) -> None:
    assert not names_this_machine(host)
    refused = refuse(RequestHead(host=host), loopback=True)
    assert refused is not None
    assert refused.status == 421
    assert refuse(RequestHead(host=host), loopback=False) is None


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (RequestHead(host=OWN), None),
        (RequestHead(host=OWN, origin=f"http://{OWN}"), None),
        (RequestHead(host=OWN, site="same-origin"), None),
        (RequestHead(host=OWN, site="none"), None),
        (RequestHead("POST", host=OWN, content_type=JSON, body=True), None),
        (RequestHead("POST", host=OWN, content_type=f"{JSON}; charset=utf-8", body=True), None),
        (RequestHead("POST", host=OWN), None),
        (RequestHead(host=OWN, origin="http://127.0.0.1:9999"), 403),
        (RequestHead(host=OWN, origin="null"), 403),
        (RequestHead(host=OWN, origin="https://evil.example"), 403),
        (RequestHead(host=OWN, site="cross-site"), 403),
        (RequestHead(host=OWN, site="same-site"), 403),
        (RequestHead(host=OWN, site="cross-site", page=True), 403),
        (RequestHead("POST", host=OWN, content_type="text/plain", body=True), 415),
        (RequestHead("POST", host=OWN, content_type="application/x-www-form-urlencoded"), 415),
        (RequestHead("POST", host=OWN, body=True), 415),
        (RequestHead(websocket=True, host=OWN), 403),
    ],
)
def test_programs(asked: RequestHead, status: int | None) -> None:
    refused = refuse_program(asked, loopback=True)
    assert (refused and refused.status) == status


LAN = "192.168.1.4:8511"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (RequestHead(host=LAN, cookie=True, site="same-origin"), None),
        (RequestHead(host=LAN, cookie=True, site="cross-site", page=True), None),
        (RequestHead(host=LAN, cookie=True, page=True), None),
        (RequestHead(host=LAN), None),
        (RequestHead(host=LAN, cookie=True, referer=f"http://{LAN}/thread/1"), None),
        (RequestHead("POST", host=LAN, cookie=True, origin=f"http://{LAN}"), None),
        (RequestHead(websocket=True, host=LAN, origin=f"http://{LAN}", cookie=True), None),
        (RequestHead(host=LAN, cookie=True, site="cross-site"), 403),
        (RequestHead(host=LAN, cookie=True, site="same-site"), 403),
        (RequestHead(host=LAN, cookie=True), 403),
        (RequestHead("POST", host=LAN, cookie=True), 403),
        (RequestHead("POST", host=LAN, cookie=True, referer="http://192.168.1.4:9000/"), 403),
        (RequestHead("POST", host=LAN, cookie=True, origin="http://192.168.1.4:9000"), 403),
        (RequestHead(websocket=True, host=LAN, cookie=True), 403),
        (RequestHead(websocket=True, host=LAN, origin="http://192.168.1.4:9000", cookie=True), 403),
        (RequestHead(websocket=True, host=LAN, origin="null", cookie=True), 403),
    ],
)
def test_browsers(asked: RequestHead, status: int | None) -> None:
    refused = refuse_browser(asked, loopback=False)
    assert (refused and refused.status) == status


def test_headers_are_read_whatever_their_letters() -> None:
    headers = [(b"Host", b"a"), (b"ORIGIN", b"http://a"), (b"Transfer-Encoding", b"chunked"), (b"cookie", b"a=b")]
    asked = RequestHead.of("http", "POST", headers)
    assert (asked.host, asked.origin, asked.body, asked.cookie) == ("a", "http://a", True, True)


def test_a_client_that_sends_for_ever_is_read_within_limits() -> None:
    sent: list[Message] = []
    pieces = 0

    async def receive() -> Message:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": bytes(LINGER_BYTES // 10), "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(say(Refusal(413, "Too large."), {"type": "http"}, receive, send))
    assert pieces == 10
    assert sent[0]["status"] == 413
    assert b"Too large." in sent[1]["body"]
    assert [message.get("more_body") for message in sent] == [None, True, False]
