"""Accept or refuse a request by its headers, before anything reads its body.

Any page open in a browser can send requests to servers on the same machine. A page cannot forge the headers that the
browser adds (``Origin``, ``Sec-Fetch-Site``, ``Host``); see "Fetch Metadata Request Headers" (W3C) and the OWASP cheat
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
OWN_SITES = frozenset({"same-origin", "none"})  # "none": the user typed the address or opened a bookmark


class Refusal(NamedTuple):
    """A refusal: an HTTP status and one sentence."""

    status: int
    sentence: str


@dataclass(frozen=True, slots=True)
class RequestHead:
    """The headers of a request that the decision depends on. Absent headers are None."""

    method: str = "GET"
    websocket: bool = False
    host: str | None = None
    origin: str | None = None
    referer: str | None = None
    site: str | None = None
    content_type: str | None = None
    cookie: bool = False
    body: bool = False
    page: bool = False  # the browser navigates to a page

    @classmethod
    def of(cls, kind: str, method: str, headers: Iterable[tuple[bytes, bytes]]) -> RequestHead:
        """Make one from an ASGI scope's type, method and headers."""
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
    """Return whether only this machine can reach the address.

    Names other than ``localhost`` do not count, because they may resolve to anything.
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def names_this_machine(host: str) -> bool:
    """Return whether a ``Host`` header, with or without a port, names this machine."""
    return is_loopback(host if host.endswith("]") else host.rsplit(":", 1)[0] if ":" in host else host)


def refuse(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """Return why a request is refused on any kind of server, or None if it is accepted.

    ``loopback``: the server listens only on this machine. A ``Host`` with another name then means that some page's
    domain was made to resolve to this machine (DNS rebinding).
    """
    if loopback and not names_this_machine(asked.host or ""):
        return Refusal(421, "This server only answers requests that use the name of this machine.")
    if asked.origin is not None and not _is_own(asked.origin, asked.host):
        return Refusal(403, "Requests from other origins are not answered.")
    if asked.websocket and asked.origin is None:
        return Refusal(403, "A WebSocket needs an Origin header.")
    return None


def refuse_program(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """Return why a server for programs refuses a request, or None.

    It refuses requests from other sites and those a page could send without a CORS preflight.
    """
    refused = refuse(asked, loopback=loopback)
    if refused is not None:
        return refused
    if asked.site is not None and asked.site not in OWN_SITES:
        return Refusal(403, "Requests from other sites are not answered.")
    json = (asked.content_type or "").split(";")[0].strip().lower() == "application/json"
    if asked.method not in SAFE_METHODS and not json and (asked.body or asked.content_type is not None):
        return Refusal(415, "The content type of the request must be application/json.")
    return None


def refuse_browser(asked: RequestHead, *, loopback: bool) -> Refusal | None:
    """Return why a server for browsers, with sessions in cookies, refuses a request, or None.

    A link on another site may open a page; every other request from another site is refused. If the browser does not
    send ``Sec-Fetch-Site`` (on a local network over plain HTTP), it must send the origin or the referring page instead.
    """
    refused = refuse(asked, loopback=loopback)
    if refused is not None or asked.websocket:
        return refused
    if asked.site is not None:
        foreign = asked.site not in OWN_SITES and not asked.page
        return Refusal(403, "Requests from other sites are not answered.") if foreign else None
    told = asked.origin is not None or (asked.referer is not None and _is_own(asked.referer, asked.host))
    if not told and asked.cookie and not asked.page:
        return Refusal(403, "The request does not say which page it comes from. Reload the page and try again.")
    return None


async def say(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the refusal and close the connection. The rest of the request is discarded."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.sentence})
    else:
        # Clients of llama-agents read "detail", our own pages read "error".
        body = {"detail": refusal.sentence, "error": refusal.sentence}
        answer = JSONResponse(body, refusal.status, headers={"connection": "close"})
        await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        await _discard(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _discard(receive: Receive) -> None:
    """Read what the client is still sending, within limits.

    Closing a connection with unread bytes resets it (RFC 9112, section 9.6), and the client would lose the answer.
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
    """Return whether an origin (or the address of a page) has the same host and port as the request."""
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.lower() == (host or "").lower()
