"""Keep the page from loading anything from other hosts, by removing links and by a content security policy."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINK = re.compile(r'<(?:link|script|meta)\b[^>]*"https?://[^>]*>(?:</script>)?')

# Custom elements are compiled in the browser ('unsafe-eval'); Chainlit sets inline styles and one inline script.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)
FRESH = ((b"cache-control", b"no-cache"),)  # revalidated each time, so that a browser never mixes two versions


def without_hosts(html: str) -> str:
    """Return the page without links, scripts and metadata that name another host."""
    return LINK.sub("", html)


class Headers:
    """ASGI middleware that adds the policy to every answer and makes the browser revalidate the chat's own scripts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        own = FRESH if scope["path"].startswith("/public/") else ()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS, *own]
            await send(message)

        await self._app(scope, receive, send_with_headers)
