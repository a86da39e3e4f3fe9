"""Serves the chat for a browser test: ``serve.py KB STATE PORT``. Settings come from the environment.

``SESSION_SECONDS``: how long the frame keeps a session without a connection, an hour by default.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from rabbithole.workflow.chat.runs.composition import open_services
from rabbithole.workflow.chat.runs.services import Services
from rabbithole.workflow.chat.server.server import serve


def shorten_sessions(seconds: int) -> None:
    from chainlit.config import config  # noqa: PLC0415 - it reads the environment the server prepares first

    config.project.session_timeout = seconds


async def opened(kb: Path) -> Services:
    services = await open_services(kb)
    seconds = os.environ.get("SESSION_SECONDS")
    if seconds:
        asyncio.get_running_loop().call_later(1.0, shorten_sessions, int(seconds))
    return services


if __name__ == "__main__":
    kb, state, port = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    serve(lambda: opened(kb), port=port, state=state, browser=False)
