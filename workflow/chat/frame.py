"""Chainlit as the frame of the chat: our routes before its own, its page without foreign hosts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import chainlit.server
from chainlit.auth import get_current_user, get_token_from_cookies
from chainlit.config import config, load_module
from fastapi import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp

from .offline import Headers, without_hosts
from .routes import Routes
from .services import current

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
    )
    chainlit.server.app.router.routes[:0] = routes.routes()
    template: Callable[[str], str] = chainlit.server.get_html_template
    # The frame compresses its answers before any middleware sees them, so its page is changed where it is made.
    chainlit.server.get_html_template = lambda root_path: without_hosts(template(root_path))
    return Headers(chainlit.server.app), leaving
