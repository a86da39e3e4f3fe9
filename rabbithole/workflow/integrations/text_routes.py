"""HTTP routes that answer directly, without a run: ``POST /search``, ``/resolve``, ``/check`` and ``/diff``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import RabbitholeError, without_paths
from rabbithole.kb.models import Model, Resolution, SearchMode

from .tools import MAX_TOP_K, check_text, compare_editions, resolve_reference, search_on

CONTEXT_CHARACTERS = 400


class SearchAsked(Model):
    """Body of ``POST /search``. ``as_of`` is a date: 2016-05-01, 2016-05 or 2016."""

    query: str = Field(min_length=1, max_length=10_000)
    collection: str = ""
    mode: SearchMode = "hybrid"
    top_k: int = Field(default=10, ge=1, le=MAX_TOP_K)
    as_of: str = ""


class ResolveAsked(Model):
    """Body of ``POST /resolve``. ``document`` is the id of the document that contains the reference."""

    reference: str = Field(min_length=1, max_length=10_000)
    collection: str = ""
    document: str | None = None
    as_of: str = ""


class Resolved(Model):
    resolutions: tuple[Resolution, ...]


class CheckAsked(Model):
    """Body of ``POST /check``. ``as_of`` is a date: 2016-05-01, 2016-05 or 2016."""

    text: str = Field(min_length=1)
    collection: str = ""
    as_of: str = ""


class DiffAsked(Model):
    """Body of ``POST /diff``. ``old`` and ``new`` name a document by name, file or id; NAME@2012 is an edition."""

    old: str = Field(min_length=1, max_length=1_000)
    new: str = Field(min_length=1, max_length=1_000)
    section: str | None = None
    collection: str = ""


def text_routes(kb: KnowledgeBase) -> list[Route]:
    """Return the routes over one open knowledge base. The server's guard protects them."""

    def search(body: bytes) -> Model:
        asked = SearchAsked.model_validate_json(body)
        return search_on(
            kb, asked.as_of, asked.mode, asked.collection, asked.query, None, asked.top_k, CONTEXT_CHARACTERS, None
        )

    def resolve(body: bytes) -> Model:
        asked = ResolveAsked.model_validate_json(body)
        return Resolved(
            resolutions=resolve_reference(kb, asked.reference, asked.collection, asked.document, asked.as_of)
        )

    def check(body: bytes) -> Model:
        asked = CheckAsked.model_validate_json(body)
        return check_text(kb, asked.text, asked.collection, asked.as_of)

    def diff(body: bytes) -> Model:
        asked = DiffAsked.model_validate_json(body)
        collections = [asked.collection] if asked.collection else []
        return compare_editions(kb, asked.old, asked.new, asked.section, collections)

    return [
        _route("/search", search),
        _route("/resolve", resolve),
        _route("/check", check),
        _route("/diff", diff),
    ]


def _route(path: str, answer: Callable[[bytes], Model]) -> Route:
    async def endpoint(request: Request) -> Response:
        return await _answered(request, answer)

    return Route(path, endpoint, methods=["POST"])


async def _answered(request: Request, answer: Callable[[bytes], Model]) -> Response:
    """Return the result, or one sentence with status 422 (invalid body) or 400 (the request cannot be fulfilled)."""
    try:
        found = await asyncio.to_thread(answer, await request.body())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        return JSONResponse({"detail": f"{where}: {first['msg']}."}, 422)
    except RabbitholeError as error:
        return JSONResponse({"detail": without_paths(str(error))}, 400)
    return Response(found.model_dump_json(), media_type="application/json")
