"""Access to the chat: middleware in front of Chainlit, for HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rabbithole.kb.files import private_folder
from rabbithole.workflow.chat.attempts import CALLER, Caller
from rabbithole.workflow.integrations.request_guard import Refusal, RequestHead, refuse_browser, say

CHECK_SECONDS = 1.0  # an open socket of an ended session is closed within this time
UPLOAD_PATH = "/project/file"
Holder = Callable[[str], "tuple[str, float] | None"]


class BrowserGuard:
    """Answers only requests from this server's own pages (see ``request_guard``), and limits uploads.

    ``room`` returns how many more bytes uploads may take.
    """

    def __init__(self, app: ASGIApp, *, loopback: bool, room: Callable[[], int]) -> None:
        self._app = app
        self._loopback = loopback
        self._room = room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        caller = Caller((scope.get("client") or ("",))[0])
        CALLER.set(caller)
        refused = refuse_browser(
            RequestHead.of(scope["type"], scope.get("method", ""), scope["headers"]), loopback=self._loopback
        )
        if refused is None and scope["path"] == UPLOAD_PATH and scope.get("method") == "POST":
            refused = await self._too_large(scope)
        if refused is None:
            await self._app(scope, receive, _telling_to_wait(caller, send))
        else:
            await say(refused, scope, receive, send)

    async def _too_large(self, scope: Scope) -> Refusal | None:
        length = header(scope, b"content-length")
        if not length.isdigit():
            return Refusal(411, "An upload must state its length.")
        if int(length) > await asyncio.to_thread(self._room):
            return Refusal(413, "The uploads on this server have reached their size limit (UPLOAD_LIMIT_MB).")
        return None


def _telling_to_wait(caller: Caller, send: Send) -> Send:
    """Return a ``send`` that turns Chainlit's answer to a refused login attempt into status 429 with Retry-After."""

    async def send_on(message: Message) -> None:
        if caller.wait > 0 and message["type"] == "http.response.start":
            seconds = str(math.ceil(caller.wait)).encode()
            message = {**message, "status": 429, "headers": [*message.get("headers", []), (b"retry-after", seconds)]}
        await send(message)

    return send_on


class EndedSessions:
    """The tokens of users who logged out, kept until they would have expired; only digests are stored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ended: dict[str, float] = {}
        self._read = -1

    def add(self, token: str, until: float) -> None:
        """Add a token that expires at ``until``, in seconds since the epoch."""
        self._load()
        now = time.time()
        self._ended = {**{known: end for known, end in self._ended.items() if end > now}, _digest(token): until}
        private_folder(self._path.parent)
        part = self._path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self._ended, file)
        part.replace(self._path)

    def __contains__(self, token: str) -> bool:
        self._load()
        return _digest(token) in self._ended

    def _load(self) -> None:
        """Read the file again if another process that shares it has written."""
        try:
            changed = self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return
        if changed != self._read:
            self._ended = json.loads(self._path.read_text(encoding="utf-8"))
            self._read = changed


class LiveSessions:
    """Removes the cookie from requests of ended sessions, so that Chainlit sees no user, and closes their sockets.

    ``holder`` returns the user of a token and when it expires, or None for a token that is invalid or expired.
    """

    def __init__(self, app: ASGIApp, *, cookie: str, holder: Holder, ended: EndedSessions) -> None:
        self._app = app
        self._cookie = cookie
        self._holder = holder
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = "" if scope["type"] == "lifespan" else self._token(scope)
        if not token:
            await self._app(scope, receive, send)
            return
        held = self._held(token)
        if held is None:
            names = (b"cookie", b"authorization")
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0].lower() not in names]}
        elif scope["type"] == "websocket":
            receive = self._while_live(token, receive, send)
        elif scope["path"] == "/logout" and scope["method"] == "POST":
            self._ended.add(token, held[1])
        await self._app(scope, receive, send)

    def _held(self, token: str) -> tuple[str, float] | None:
        return None if token in self._ended else self._holder(token)

    def _token(self, scope: Scope) -> str:
        """Return the token from Chainlit's cookie, which may be split into parts, or from the Authorization header."""
        try:
            jar = SimpleCookie(header(scope, b"cookie").decode("latin-1"))
        except CookieError:
            return "unreadable"
        cookies = {name: one.value for name, one in jar.items()}
        parts = sorted((int(name.rsplit("_", 1)[1]), name) for name in cookies if self._is_part(name))
        whole = cookies.get(self._cookie) or "".join(cookies[name] for _, name in parts)
        return whole or header(scope, b"authorization").decode("latin-1").partition(" ")[2]

    def _is_part(self, name: str) -> bool:
        return name.startswith(f"{self._cookie}_") and name.rsplit("_", 1)[1].isdigit()

    def _while_live(self, token: str, receive: Receive, send: Send) -> Receive:
        async def receive_while_live() -> Message:
            waiting = asyncio.ensure_future(receive())
            while True:
                done, _ = await asyncio.wait((waiting,), timeout=CHECK_SECONDS)
                if self._held(token) is None:
                    waiting.cancel()
                    await send({"type": "websocket.close", "code": 1008, "reason": "The session has ended."})
                    return {"type": "websocket.disconnect", "code": 1008}
                if done:
                    return waiting.result()

        return receive_while_live


def header(scope: Scope, wanted: bytes) -> bytes:
    """Return the value of a header, or b'' if it is absent."""
    return next((value for name, value in scope["headers"] if name.lower() == wanted), b"")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
