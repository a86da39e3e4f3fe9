"""Adapt Chainlit for the chat: our routes come before its own, and its page loads nothing from other hosts."""

from __future__ import annotations

import hmac
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import time

import chainlit.config
import chainlit.server
from chainlit.auth import create_jwt, decode_jwt, get_current_user, get_token_from_cookies, set_auth_cookie
from chainlit.config import config, load_module
from chainlit.user import User
from fastapi import HTTPException, Response
from jwt import InvalidTokenError
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.chat.chosen_language import ChosenLanguage
from rabbithole.workflow.chat.conversation.services import LOCAL_USER, Services, current
from rabbithole.workflow.chat.documents.library import DocumentPanel
from rabbithole.workflow.chat.documents.uploads import folder_size
from rabbithole.workflow.chat.users import fingerprint, load_users
from rabbithole.workflow.integrations.request_guard import is_loopback, names_this_machine

from .access import BrowserGuard, EndedSessions, Holder, LiveSessions
from .offline import Headers, without_hosts
from .routes import Routes
from .shell import with_shell

Leave = Callable[[], Awaitable[None]]
# Routes of Chainlit that are closed: they describe its whole API to anybody, make new sessions from old tokens, or are
# not used here and would only widen the attack surface.
CLOSED = frozenset(
    {
        "/docs",
        "/docs/oauth2-redirect",
        "/redoc",
        "/openapi.json",
        "/auth/jwt",
        "/auth/oauth/{provider_id}",
        "/auth/oauth/{provider_id}/callback",
        "/auth/oauth/azure-ad-hybrid/callback",
        "/copilot/{filename:path}",
        "/feedback",
        "/mcp",
        "/project/element",
        "/project/share/{thread_id}",
        "/project/thread/share",
        "/project/thread/{thread_id}/element/{element_id}",
    }
)
START_KEY = "key"


async def identify(request: Request) -> str | None:
    """Return the user of a request by Chainlit's cookie, or None."""
    token = get_token_from_cookies(request.cookies)
    if token is None:
        return None
    try:
        user = await get_current_user(token)
    except HTTPException:  # a cookie that is no longer valid
        return None
    return user.identifier if user else None


class LocalEntry:
    """Starts a session for whoever opens a page on this machine, so that any address can be opened directly.

    With a ``start_key`` only the first to open the link with that key gets a session, because other accounts on the
    machine can also reach its loopback addresses.
    """

    def __init__(self, app: ASGIApp, start_key: str | None) -> None:
        self._app = app
        self._keyed = start_key is not None
        self._key = start_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not await self._is_new(Request(scope)):
            await self._app(scope, receive, send)
        elif self._keyed:
            await self._with_key(scope, receive, send)
        else:
            await self._app(scope, receive, self._with_cookie(scope, send))

    async def _with_key(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = Request(scope).query_params.get(START_KEY, "")
        if self._key is None or not hmac.compare_digest(given.encode(), self._key.encode()):
            detail = "Open the chat with the link printed in the terminal. The link works once."
            await Response(detail, 403, media_type="text/plain")(scope, receive, send)
            return
        self._key = None
        await RedirectResponse("/", 303)(scope, receive, self._with_cookie(scope, send))

    def _with_cookie(self, scope: Scope, send: Send) -> Send:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = Response()
                set_auth_cookie(Request(scope), answer, create_jwt(User(identifier=LOCAL_USER)))
                cookies = [header for header in answer.raw_headers if header[0] == b"set-cookie"]
                message["headers"] = [*message.get("headers", []), *cookies]
            await send(message)

        return send_with_cookie

    async def _is_new(self, request: Request) -> bool:
        page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        return page and names_this_machine(request.headers.get("host", "")) and await identify(request) is None


def holder(services: Services) -> Holder:
    """Return the function that finds the user of a Chainlit token.

    With logins, the user must still exist and have the same password as when the session began.
    """

    def held(token: str) -> tuple[str, float] | None:
        try:
            user = decode_jwt(token)
        except (InvalidTokenError, KeyError, TypeError, ValueError):
            return None
        if services.settings.login:
            try:
                stored = load_users(services.settings.users_file).get(user.identifier)
            except (UsageError, OSError):  # no session is valid until the file can be read again
                return None
            if stored is None or user.metadata.get("key") != fingerprint(stored):
                return None
        elif user.identifier != LOCAL_USER:
            return None
        return user.identifier, time() + config.project.user_session_timeout

    return held


def chainlit_app(script: Path, host: str, port: int, state: Path) -> tuple[ASGIApp, list[Leave]]:
    """Return Chainlit's application with ours in it, and a list for functions to call on shutdown.

    ``state`` is the folder for the server's own files.
    """
    services = current()
    config.run.host, config.run.port, config.run.headless = host, port, True
    config.run.module_name = str(script)
    load_module(str(script))
    leaving: list[Leave] = []

    async def leave() -> None:
        await services.manager.stop_all()
        for one in leaving:
            await one()

    routes = Routes(
        services.manager,
        services.presenter,
        services.documents,
        identify,
        services.start_screen,
        None if services.settings.login else leave,
        services.partial,
        services.add_sample,
        services.adopt,
        DocumentPanel(services.kb, services.history, editable=not services.settings.login),
        lambda: config.project.session_timeout,
        services.run_lines,
    )
    frames = chainlit.server.app.router.routes
    for listed in (frames, chainlit.server.router.routes):
        listed[:] = [route for route in listed if getattr(route, "path", "") not in CLOSED]
    frames[:0] = routes.routes()
    template: Callable[[str], str] = chainlit.server.get_html_template
    # Chainlit compresses its answers before any middleware sees them, so its page is changed where it is made.
    chainlit.server.get_html_template = lambda root_path: with_shell(without_hosts(template(root_path)))
    inner: ASGIApp = chainlit.server.app
    entered = inner if services.settings.login else LocalEntry(inner, services.start_key)
    live = LiveSessions(
        entered,
        cookie=os.environ["CHAINLIT_AUTH_COOKIE_NAME"],
        holder=holder(services),
        ended=EndedSessions(state / "ended_sessions.json"),
    )

    def room() -> int:
        taken = sum(map(folder_size, (services.settings.uploads, chainlit.config.FILES_DIRECTORY)))
        return services.settings.upload_limit_mb * 1_000_000 - taken

    loopback = is_loopback(host) and not services.settings.login
    return Headers(ChosenLanguage(BrowserGuard(live, loopback=loopback, room=room))), leaving
