"""``rabbithole ui``: the chat."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from rabbithole.workflow.chat.runs.composition import open_services
from rabbithole.workflow.chat.server.server import PORT, serve
from rabbithole.workflow.cli.console import ERR
from rabbithole.workflow.cli.options import DEFAULT_KB, KbOption

app = typer.Typer(add_completion=False)


@app.command()
def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the chat listens.")] = PORT,
    host: Annotated[str, typer.Option(help="Another address than this machine's own needs a login.")] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    start_link: Annotated[
        bool, typer.Option("--start-link", help="Let in only who opens the link printed here, once (shared machines).")
    ] = False,
    kb: KbOption = DEFAULT_KB,
) -> None:
    """Open the chat in the browser. Ctrl-C ends it; runs can be continued afterwards."""
    ERR.print(f"The chat is at http://{host}:{port} (Ctrl-C ends it).")
    serve(partial(open_services, kb), host=host, port=port, state=kb.parent, browser=browser, start_link=start_link)
