"""Keep the page from loading anything from other hosts, by removing links and by a content security policy."""

from __future__ import annotations

import ipaddress
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


def is_this_machine(scope: Scope) -> bool:
    """Return whether the request comes from a browser on this machine."""
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


class Headers:
    """ASGI middleware that adds the policy to every answer and makes the browser revalidate the chat's own scripts.

    Chainlit's scripts are sent unpacked to browsers on this machine.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        if scope["path"].startswith("/assets/") and is_this_machine(scope):
            # Packing Chainlit's 4.6 MB of scripts takes longer than sending them as they are.
            scope = {**scope, "headers": [one for one in scope["headers"] if one[0] != b"accept-encoding"]}
        own = FRESH if scope["path"].startswith("/public/") else ()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS, *own]
            await send(message)

        await self._app(scope, receive, send_with_headers)
