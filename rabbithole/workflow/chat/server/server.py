"""Start the chat server: check who can reach it, prepare Chainlit, and serve until stopped."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import uvicorn

from rabbithole.kb.data_folder import data_folder
from rabbithole.kb.errors import UsageError
from rabbithole.kb.files import private_folder
from rabbithole.workflow.chat.conversation.services import Services, provide
from rabbithole.workflow.chat.settings import check_exposure
from rabbithole.workflow.integrations.patience import ImpatientHttp

PORT = 8511
CHECKOUT = Path(__file__).resolve().parents[4]
ROOT = CHECKOUT if (CHECKOUT / "chainlit_app.py").is_file() else Path(sys.prefix) / "share" / "rabbithole"
SECRET_NAME = "chat.secret"
FRAME_PARTS = (".chainlit", "public")
MAX_CONNECTIONS = 500


def serve(
    open_services: Callable[[], Awaitable[Services]],
    *,
    host: str = "127.0.0.1",
    port: int = PORT,
    state: Path | None = None,
    browser: bool = True,
    start_link: bool = False,
) -> None:
    """Serve the chat until it is stopped.

    ``state`` is the folder for the server's own files; None: the data folder. With ``start_link`` only the link printed
    once in the terminal gives access.
    Raises ``UsageError`` if the address would be open to others without a login, or is in use.
    """
    asyncio.run(_serve(open_services, host, port, state or data_folder(), browser, start_link))


async def _serve(
    open_services: Callable[[], Awaitable[Services]],
    host: str,
    port: int,
    state: Path,
    browser: bool,
    start_link: bool,
) -> None:
    services = await open_services()
    check_exposure(services.settings, host)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if start_link and not services.settings.login:
        services.start_key = secrets.token_urlsafe(32)
        address = f"{address}/?key={services.start_key}"
        sys.stderr.write(f"Open this link; it works once: {address}\n")
    check_port(host, port)
    prepare_environment(services, state, port)
    provide(services)
    app, leave = build_app(host, port, state)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="warning",
            lifespan="on",
            timeout_graceful_shutdown=3,
            http=ImpatientHttp,
            limit_concurrency=MAX_CONNECTIONS,
        )
    )

    async def stop() -> None:
        server.should_exit = True

    leave.append(stop)
    if browser:
        asyncio.get_running_loop().call_later(1.0, webbrowser.open, address)
    await server.serve()


def check_port(host: str, port: int) -> None:
    """Raise ``UsageError`` if the port is already in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"{host}:{port} cannot be used ({error.strerror}): choose another with --port.") from error


def prepare_environment(services: Services, state: Path, port: int) -> None:
    """Set the environment variables that Chainlit reads when it is imported."""
    os.environ["CHAINLIT_AUTH_COOKIE_NAME"] = f"rabbithole_{port}"  # browsers share cookies between ports of a host
    frame = services.servers.own_folder()
    copy_frame(frame)
    os.environ["CHAINLIT_APP_ROOT"] = str(frame)
    configured = services.settings.chainlit_auth_secret
    os.environ["CHAINLIT_AUTH_SECRET"] = configured.get_secret_value() if configured else own_secret(state)


def copy_frame(folder: Path) -> None:
    """Copy the settings and files of Chainlit, which writes translations and uploads in progress beside them.

    Each server has its own copy, because the first of two servers to end would empty a shared one.
    """
    for part in FRAME_PARTS:
        shutil.copytree(ROOT / part, folder / part)
    for page in ROOT.glob("chainlit*.md"):
        shutil.copyfile(page, folder / page.name)


def own_secret(state: Path) -> str:
    """Return a secret of this installation, so that sessions survive a restart even without logins."""
    path = state / SECRET_NAME
    if not path.is_file():
        private_folder(state)
        part = path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        part.replace(path)
    return path.read_text(encoding="utf-8").strip()


def build_app(host: str, port: int, state: Path) -> tuple[Any, list[Callable[[], Awaitable[None]]]]:
    """Return the ASGI application, and a list for functions to call on shutdown."""
    from .chainlit_adapter import chainlit_app  # noqa: PLC0415 - Chainlit reads the environment and takes seconds to import

    return chainlit_app(ROOT / "chainlit_app.py", host, port, state)
