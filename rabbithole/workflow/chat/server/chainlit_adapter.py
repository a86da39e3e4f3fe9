"""Chainlit as the frame of the chat: our routes before its own, its page without foreign hosts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import chainlit.server
from chainlit.auth import create_jwt, get_current_user, get_token_from_cookies, set_auth_cookie
from chainlit.config import config, load_module
from chainlit.user import User
from fastapi import HTTPException, Response
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rabbithole.workflow.chat.runs.services import LOCAL_USER, current
from rabbithole.workflow.chat.runs.session import is_local

from .offline import Headers, without_hosts
from .routes import Routes

Leave = Callable[[], Awaitable[None]]


async def identify(request: Request) -> str | None:
    """The person behind a request, by Chainlit's own cookie."""
    token = get_token_from_cookies(request.cookies)
    if token is None:
        return None
    try:
        user = await get_current_user(token)
    except HTTPException:  # a cookie that is no longer valid
        return None
    return user.identifier if user else None


class LocalEntry:
    """Gives who opens a page on this machine its session with the page itself, so that any address can be opened."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not await self._is_new(Request(scope)):
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = Response()
                set_auth_cookie(Request(scope), answer, create_jwt(User(identifier=LOCAL_USER)))
                cookies = [header for header in answer.raw_headers if header[0] == b"set-cookie"]
                message["headers"] = [*message.get("headers", []), *cookies]
            await send(message)

        await self._app(scope, receive, send_with_cookie)

    async def _is_new(self, request: Request) -> bool:
        page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        return page and is_local(request.headers.get("host", "")) and await identify(request) is None


def chainlit_app(script: Path, host: str, port: int) -> tuple[ASGIApp, list[Leave]]:
    """Chainlit's application with ours in it, and a list that takes what to call when the person leaves."""
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
        lambda: config.project.session_timeout,
    )
    chainlit.server.app.router.routes[:0] = routes.routes()
    template: Callable[[str], str] = chainlit.server.get_html_template
    # The frame compresses its answers before any middleware sees them, so its page is changed where it is made.
    chainlit.server.get_html_template = lambda root_path: without_hosts(template(root_path))
    inner: ASGIApp = chainlit.server.app
    return Headers(inner if services.settings.login else LocalEntry(inner)), leaving
