"""The language a person chose for menus and field, kept in a cookie; it goes before that of the browser."""

from __future__ import annotations

import re
from typing import Literal

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rabbithole.workflow.chat.locales import Language

COOKIE = "rabbithole-language"
_CHOSEN = re.compile(rf"(?:\A|;\s*){COOKIE}=(de|en)(?:;|\Z)")


def chosen_language(cookies: str) -> Language | Literal["auto"]:
    """Return the language in a cookie header; 'auto' if none was chosen."""
    found = _CHOSEN.search(cookies)
    return "auto" if found is None else "de" if found[1] == "de" else "en"


class ChosenLanguage:
    """ASGI middleware that lets a request ask for the language chosen, as if the browser were set to it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            chosen = chosen_language(Headers(scope=scope).get("cookie", ""))
            if chosen != "auto":
                others = [one for one in scope["headers"] if one[0] != b"accept-language"]
                scope = {**scope, "headers": [*others, (b"accept-language", chosen.encode())]}
        await self._app(scope, receive, send)
