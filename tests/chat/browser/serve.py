"""Serves the chat for a browser test, in a process of its own.

``SESSION_SECONDS`` in its environment: how long the frame keeps a session without a connection, an hour by default.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from asking import make_asking

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.steps.reasoning.protocol import Reasoner
from rabbithole.steps.reasoning.settings import ReasonerSettings
from rabbithole.workflow.chat.conversation.composition import open_services
from rabbithole.workflow.chat.conversation.services import Services
from rabbithole.workflow.chat.server.server import serve


def shorten_sessions(seconds: int) -> None:
    from chainlit.config import config  # noqa: PLC0415 - it reads the environment the server prepares first

    config.project.session_timeout = seconds


async def asking(settings: ReasonerSettings, kb: KnowledgeBase) -> Reasoner:
    """Return the reasoner set; in place of the extractive one, one that asks and plans as a model does."""
    make = make_asking if settings.reasoner == "extractive" else amake_reasoner
    return await make(settings, kb)


async def opened(kb: Path) -> Services:
    services = await open_services(kb, asking)
    seconds = os.environ.get("SESSION_SECONDS")
    if seconds:
        asyncio.get_running_loop().call_later(1.0, shorten_sessions, int(seconds))
    return services


def serve_chat(kb: Path, state: Path, port: int, environment: Mapping[str, str]) -> None:
    """Serve this knowledge base until told to leave; what it prints goes to ``server.log`` in the folder ``state``."""
    log = os.open(state / "server.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for standard in (1, 2):
        os.dup2(log, standard)
    os.environ.update(environment)
    serve(lambda: opened(kb), port=port, state=state, browser=False)
