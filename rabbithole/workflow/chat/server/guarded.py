"""The wrapper of every route: it identifies the user and turns errors into one sentence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rabbithole.workflow.chat.locales import Language, language_of, say
from rabbithole.workflow.chat.runs.failures import FAILURES, sentence

from .bodies import HttpError

PREFIX = "/rabbithole"
PLAIN = {"cache-control": "no-store", "content-encoding": "identity"}  # not compressed, which would only cost time
Identify = Callable[[Request], Awaitable[str | None]]


class Identifying(Protocol):
    identify: Identify


RoutesT = TypeVar("RoutesT", bound=Identifying)


def guarded(
    handler: Callable[[RoutesT, Request, str], Awaitable[Response]],
) -> Callable[[RoutesT, Request], Awaitable[Response]]:
    """Wrap a route so that it needs a logged-in user and our own page, and errors become one sentence."""

    @wraps(handler)
    async def answer(self: RoutesT, request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return refusal(403, "Requests from other sites are not answered.")
        user = await self.identify(request)
        if user is None:
            return refusal(401, say(spoken(request), "refused.login"))
        try:
            return await handler(self, request, user)
        except HttpError as error:
            return refusal(error.status, say(spoken(request), error.key, **error.values))
        except FAILURES as error:
            return refusal(409, sentence(error, spoken(request)))

    return answer


def refusal(status: int, said: str) -> JSONResponse:
    return JSONResponse({"error": said}, status_code=status, headers={"cache-control": "no-store"})


def spoken(request: Request) -> Language:
    """Return the language of the interface, from the browser's first preference."""
    return language_of(request.headers.get("accept-language", "en").split(",")[0])


def number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
