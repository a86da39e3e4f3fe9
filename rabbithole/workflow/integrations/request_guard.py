"""Whether a request may come in, judged by its headers, before anything reads the rest of it.

A browser sends requests of any page it shows to servers on the same machine. What it says of their origin (``Origin``,
``Sec-Fetch-Site``, ``Host``) cannot be forged by a page; see "Fetch Metadata Request Headers" (W3C) and the OWASP cheat
sheet on cross-site request forgery.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LINGER_BYTES = 100_000_000
LINGER_SECONDS = 10.0
IDLE_SECONDS = 2.0
OWN_SITES = frozenset({"same-origin", "none"})  # "none": typed, or opened from a bookmark


class Refusal(NamedTuple):
    """An HTTP status, and one sentence."""

    status: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RequestHead:
    """What the headers of a request say of it. Absent headers are None."""

    method: str = "GET"
    websocket: bool = False
    host: str | None = None
    origin: str | None = None
    referer: str | None = None
    site: str | None = None
    content_type: str | None = None
    cookie: bool = False
    body: bool = False
    page: bool = False  # a page for a person to see: a navigation of the browser

    @classmethod
    def of(cls, kind: str, method: str, headers: Iterable[tuple[bytes, bytes]]) -> RequestHead:
        """From an ASGI scope's type, method and headers."""
        said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
        navigates = said.get("sec-fetch-mode", "navigate") == "navigate"
        return cls(
            method=method,
            websocket=kind == "websocket",
            host=said.get("host"),
            origin=said.get("origin"),
            referer=said.get("referer"),
            site=said.get("sec-fetch-site"),
            content_type=said.get("content-type"),
            cookie="cookie" in said,
            body=said.get("content-length", "0") != "0" or "transfer-encoding" in said,
            page=method == "GET" and navigates and "text/html" in said.get("accept", ""),
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address. A name other than ``localhost`` may resolve to anything."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def names_this_machine(host: str) -> bool:
    """Whether a ``Host`` header, with or without a port, names this machine."""
    return is_loopback(host if host.endswith("]") else host.rsplit(":", 1)[0] if ":" in host else host)


def refuse(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """Why a request is refused whatever server it is for; None where it may go on.

    ``loopback``: only this machine is served, so that a ``Host`` of another name comes from a page whose name was made
    to resolve to this machine (DNS rebinding).
    """
    if loopback and not names_this_machine(asked.host or ""):
        return Refusal(421, "This server answers only to the name of this machine.")
    if asked.origin is not None and not _is_own(asked.origin, asked.host):
        return Refusal(403, "Requests from other origins are not answered.")
    if asked.websocket and asked.origin is None:
        return Refusal(403, "A WebSocket needs an Origin header.")
    return None


def refuse_program(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """For a server of programs: no page of another site, and nothing a page can send without asking first."""
    refused = refuse(asked, loopback=loopback)
    if refused is not None:
        return refused
    if asked.site is not None and asked.site not in OWN_SITES:
        return Refusal(403, "Requests from other sites are not answered.")
    json = (asked.content_type or "").split(";")[0].strip().lower() == "application/json"
    if asked.method not in SAFE_METHODS and not json and (asked.body or asked.content_type is not None):
        return Refusal(415, "The request needs the content type application/json.")
    return None


def refuse_browser(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """For a server of pages with sessions in cookies.

    A link on another site may open a page; nothing else of another site is answered. A browser that does not tell the
    site (an address of the local network over plain HTTP) must tell the origin or the referring page instead.
    """
    refused = refuse(asked, loopback=loopback)
    if refused is not None or asked.websocket:
        return refused
    if asked.site is not None:
        foreign = asked.site not in OWN_SITES and not asked.page
        return Refusal(403, "Requests from other sites are not answered.") if foreign else None
    told = asked.origin is not None or (asked.referer is not None and _is_own(asked.referer, asked.host))
    if not told and asked.cookie and not asked.page:
        return Refusal(403, "The request does not tell which page it comes from: reload the page and try again.")
    return None


async def say(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the refusal, and end the connection. Nothing of what is left of the request is used."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.sentence})
    else:
        # Both names: one is what programs of llama-agents read, the other what our pages read.
        body = {"detail": refusal.sentence, "error": refusal.sentence}
        answer = JSONResponse(body, refusal.status, headers={"connection": "close"})
        await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        await _discard(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _discard(receive: Receive) -> None:
    """Read what a client still sends, within limits.

    A connection closed with bytes unread is reset (RFC 9112, section 9.6): the client would lose the answer.
    """
    left = LINGER_BYTES
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                async with asyncio.timeout(IDLE_SECONDS):
                    message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _is_own(origin: str, host: str | None) -> bool:
    """Whether an origin (or the address of a page) is of the host that was asked, port included."""
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == (host or "").lower()
