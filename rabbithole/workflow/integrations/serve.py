"""The HTTP server: both workflows on ``llama-agents-server``, with its store, streaming, questions, cancel, resume.

Loopback needs no token; any other address refuses to start without ``SERVE_TOKEN``.
"""

from __future__ import annotations

import hmac
import ipaddress
from pathlib import Path

from llama_agents.server import SqliteWorkflowStore, WorkflowServer
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.start import default_runs
from rabbithole.workflow.settings import load_settings

MAX_BODY = 1_000_000  # bytes: a question is never longer


class ServeSettings(BaseSettings):
    """Each field is the environment variable of the same name in capitals."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True)

    serve_token: SecretStr | None = Field(default=None, description="asked of every client as a bearer token")


class Guard:
    """Refuses requests without the token, and bodies that are too large, before anything reads them."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        if self._token and not hmac.compare_digest(headers.get("authorization", ""), f"Bearer {self._token}"):
            await JSONResponse({"detail": "A valid token is needed."}, 401)(scope, receive, send)
        elif _length(headers.get("content-length")) > MAX_BODY:
            detail = f"The request is larger than {MAX_BODY} bytes; ingest long material as a document."
            await JSONResponse({"detail": detail}, 413)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _length(header: str | None) -> int:
    return int(header) if header and header.isdigit() else 0


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def build_server(kb: KnowledgeBase, store: Path, *, host: str, token: str = "") -> WorkflowServer:
    """A server with the workflows ``research`` and ``answer``; UsageError for an open address without a token."""
    if not is_loopback(host) and not token:
        raise UsageError(f"Listening on {host} without a token is refused; set SERVE_TOKEN, or listen on 127.0.0.1.")
    settings = load_settings()
    store.parent.mkdir(parents=True, exist_ok=True)
    server = WorkflowServer(workflow_store=SqliteWorkflowStore(str(store)), middleware=[Middleware(Guard, token=token)])
    runs = default_runs(kb, settings.research)
    server.add_workflow("research", ResearchWorkflow(kb, settings.research, runs=runs))
    server.add_workflow("answer", AnswerWorkflow(kb, research=settings.research, runs=runs))
    return server
