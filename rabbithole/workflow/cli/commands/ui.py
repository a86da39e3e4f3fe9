"""``rabbithole ui``: the chat."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from rabbithole.workflow.chat.conversation.composition import open_services
from rabbithole.workflow.chat.server.server import PORT, serve
from rabbithole.workflow.cli.console import ERR
from rabbithole.workflow.cli.options import DEFAULT_KB, KbOption

app = typer.Typer(add_completion=False)


@app.command()
def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = PORT,
    host: Annotated[
        str, typer.Option(help="Address to listen on; a login is needed unless it is loopback.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the browser as well.")] = True,
    start_link: Annotated[
        bool,
        typer.Option(
            "--start-link", help="Admit only whoever opens the printed link, which works once (for shared machines)."
        ),
    ] = False,
    kb: KbOption = DEFAULT_KB,
) -> None:
    """Open the chat in the browser. Press Ctrl-C to stop it; runs can be continued later."""
    ERR.print(f"The chat is at http://{host}:{port} (press Ctrl-C to stop it).")
    serve(partial(open_services, kb), host=host, port=port, state=kb.parent, browser=browser, start_link=start_link)
