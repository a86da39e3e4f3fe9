"""HTTP routes that answer at once, without a run: ``POST /check`` and ``POST /diff``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.kb.models import Model

from .tools import check_text, compare_editions


class CheckAsked(Model):
    """Body of ``POST /check``. ``as_of``: a day, 2016-05-01, 2016-05 or 2016."""

    text: str = Field(min_length=1)
    collection: str = ""
    as_of: str = ""


class DiffAsked(Model):
    """Body of ``POST /diff``. ``old``, ``new``: a document by name, file or id; NAME@2012 is an edition."""

    old: str = Field(min_length=1, max_length=1_000)
    new: str = Field(min_length=1, max_length=1_000)
    section: str | None = None
    collection: str = ""


def text_routes(kb: KnowledgeBase) -> list[Route]:
    """The routes over one open knowledge base; the guard of the server stands before them."""

    def check(body: bytes) -> Model:
        asked = CheckAsked.model_validate_json(body)
        return check_text(kb, asked.text, asked.collection, asked.as_of)

    def diff(body: bytes) -> Model:
        asked = DiffAsked.model_validate_json(body)
        collections = [asked.collection] if asked.collection else []
        return compare_editions(kb, asked.old, asked.new, asked.section, collections)

    return [_route("/check", check), _route("/diff", diff)]


def _route(path: str, answer: Callable[[bytes], Model]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await _answered(request, answer)

    return Route(path, endpoint, methods=["POST"])


async def _answered(request: Request, answer: Callable[[bytes], Model]) -> Response:
    """What was asked, or one sentence: 422 for a body of another form, 400 for what cannot be done."""
    try:
        found = await asyncio.to_thread(answer, await request.body())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        return JSONResponse({"detail": f"{where}: {first['msg']}."}, 422)
    except RabbitholeError as error:
        return JSONResponse({"detail": without_paths(str(error))}, 400)
    return Response(found.model_dump_json(), media_type="application/json")
