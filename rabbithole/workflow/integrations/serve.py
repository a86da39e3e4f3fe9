"""The HTTP server: both workflows on ``llama-agents-server``, with its store, streaming, questions, cancel and resume.

On loopback it needs no token; on any other address it does not start without ``SERVE_TOKEN``.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import platform
from pathlib import Path

import uvicorn
from llama_agents.server import WorkflowServer
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError, without_paths
from rabbithole.kb.files import private_file, private_folder
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.resources import run_store
from rabbithole.workflow.run.run_store import RunStore
from rabbithole.workflow.settings import load_settings

from .handler_store import HandlerStore
from .patience import ImpatientHttp
from .request_guard import Refusal, RequestHead, is_loopback, refuse_program, say
from .takeover import Takeover
from .text_routes import text_routes

log = logging.getLogger(__name__)
MAX_BODY = 1_000_000  # bytes; far more than any question
BODY_SECONDS = 10.0  # time for a whole body to arrive
MAX_CONNECTIONS = 100
MIN_TOKEN = 32  # characters


class ServeSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    serve_token: SecretStr | None = Field(
        default=None, description=f"bearer token that every client must send; at least {MIN_TOKEN} characters"
    )


class Guard:
    """Middleware that refuses requests from other sites or without the token, and bodies too large or too slow."""

    def __init__(self, app: ASGIApp, token: str, *, loopback: bool = True, body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode() if token else b""
        self._loopback = loopback
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked = RequestHead.of(scope["type"], scope.get("method", ""), scope["headers"])
        refused = refuse_program(asked, loopback=self._loopback)
        if refused is None and not self._has_token(scope):
            refused = Refusal(401, "A valid token is required.")
        body = refused if refused is not None else b"" if asked.websocket else await self._body(receive)
        if isinstance(body, Refusal):
            await say(body, scope, receive, send)
        else:
            await self._app(scope, receive if asked.websocket else _replayed(body, receive), send)

    def _has_token(self, scope: Scope) -> bool:
        given = next((value for name, value in scope["headers"] if name.lower() == b"authorization"), b"")
        return not self._expected or hmac.compare_digest(given, self._expected)

    async def _body(self, receive: Receive) -> bytes | Refusal:
        """Return the whole body. It is counted as it arrives, because the ``Content-Length`` header may be false."""
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await _read(receive)
        except TimeoutError:
            return Refusal(408, f"The request did not arrive within {self._body_seconds:.0f} seconds.")
        if body is None:
            return Refusal(413, f"The request is larger than {MAX_BODY} bytes; ingest long material as a document.")
        return body


async def _read(receive: Receive) -> bytes | None:
    """Return the whole body, or None as soon as it is larger than allowed."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":  # the client has gone
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, then: Receive) -> Receive:
    """Return a ``receive`` that first gives the body already read, then the client's further messages."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else await then()

    return receive


def check_token(host: str, token: str) -> None:
    """Raise UsageError for an address other than loopback without a token, and for a token short enough to guess."""
    if not is_loopback(host) and not token:
        raise UsageError(
            f"The server does not listen on {host} without a token; set SERVE_TOKEN, or listen on 127.0.0.1."
        )
    if token and len(token) < MIN_TOKEN:
        raise UsageError(
            f"SERVE_TOKEN has {len(token)} characters, which is too short: use at least {MIN_TOKEN}, for example "
            '`python -c "import secrets; print(secrets.token_urlsafe(32))"`.'
        )


def build_server(
    kb: KnowledgeBase, store: Path, *, host: str, token: str = "", runs: RunStore | None = None
) -> WorkflowServer:
    """Return a server with the workflows ``research`` and ``answer`` on ``runs``, or on the store the settings name.

    Raises UsageError as ``check_token`` does.
    """
    check_token(host, token)
    settings = load_settings()
    private_folder(store.parent)
    private_file(store)
    guard = Middleware(Guard, token=token, loopback=is_loopback(host))
    server = WorkflowServer(
        workflow_store=HandlerStore(str(store)),
        middleware=[guard],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    # Remove the library's own page: a debugger that loads its script from the internet.
    routes = server.app.router.routes
    routes[:] = [route for route in routes if not (isinstance(route, Mount) and route.name == "ui")]
    routes += [Route("/", _index), *text_routes(kb)]
    runs = runs or run_store(kb, settings.research)
    server.add_workflow("research", ResearchWorkflow(kb, settings.research, runs=runs))
    server.add_workflow("answer", AnswerWorkflow(kb, research=settings.research, runs=runs))
    return server


async def serve(kb: KnowledgeBase, store: Path, *, host: str, port: int, token: str = "") -> None:
    """Serve until stopped; with a shared run store, also continue the runs of replicas that died."""
    settings = load_settings()
    runs = run_store(kb, settings.research)
    if runs.shared:  # replicas may share the folder, but none may resume what another was asked for
        store = store.with_name(f"{store.stem}-{platform.node()}-{port}{store.suffix}")
    listening = uvicorn.Server(server_config(build_server(kb, store, host=host, token=token, runs=runs), host, port))
    # Apart from those of the server, whose runs report to it.
    research = ResearchWorkflow(kb, settings.research, runs=runs)
    answer = AnswerWorkflow(kb, research=settings.research, runs=runs)
    looking = asyncio.create_task(Takeover(runs, research, answer).keep_looking()) if runs.shared else None
    try:
        await listening.serve()
    finally:
        if looking is not None:
            looking.cancel()
            runs.close()  # gives the leases back, so that other replicas need not wait for them to run out


def server_config(server: WorkflowServer, host: str, port: int) -> uvicorn.Config:
    """Return the server's configuration: connections are limited, and those that send no request are closed."""
    return uvicorn.Config(
        server.app, host=host, port=port, log_level="warning", http=ImpatientHttp, limit_concurrency=MAX_CONNECTIONS
    )


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": without_paths(str(error.detail))}, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    log.error("%s %s failed.", request.method, request.url.path, exc_info=error)
    return JSONResponse({"detail": without_paths(f"The server failed: {error}")}, 500)


async def _index(request: Request) -> Response:
    return JSONResponse(
        {"service": "rabbithole", "workflows": ["research", "answer"], "posts": ["search", "resolve", "check", "diff"]}
    )
