"""``rabbithole serve`` and ``rabbithole mcp``: the interfaces for other programs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import typer
import uvicorn

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.workflow.cli.console import ERR
from rabbithole.workflow.cli.options import DEFAULT_KB, KbOption
from rabbithole.workflow.integrations.mcp import build_server as build_mcp
from rabbithole.workflow.integrations.serve import ServeSettings, server_config
from rabbithole.workflow.integrations.serve import build_server as build_http
from rabbithole.workflow.settings import load_settings

serving = typer.Typer(add_completion=False)
tools = typer.Typer(add_completion=False)


@serving.command()
def serve(
    kb: KbOption = DEFAULT_KB,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; SERVE_TOKEN is needed unless it is loopback.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 8512,
) -> None:
    """Serve both workflows over HTTP: start, stream, answer questions, cancel, resume."""
    secret = ServeSettings().serve_token
    with KnowledgeBase.open(kb, load_settings().kb) as base:
        server = build_http(
            base, base.folder.parent / "serve.sqlite", host=host, token=secret.get_secret_value() if secret else ""
        )
        ERR.print(f"http://{host}:{port} (workflows: research, answer)")
        asyncio.run(uvicorn.Server(server_config(server, host, port)).serve())


@tools.command()
def mcp(
    kb: KbOption = DEFAULT_KB,
    transport: Annotated[
        Literal["stdio", "http"], typer.Option("--transport", help="stdio, or streamable HTTP on loopback.")
    ] = "stdio",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to listen on.")] = 8513,
) -> None:
    """Serve the read-only tools to agents (Model Context Protocol)."""
    with KnowledgeBase.open(kb, load_settings().kb) as base:
        build_mcp(base, port=port).run("stdio" if transport == "stdio" else "streamable-http")
