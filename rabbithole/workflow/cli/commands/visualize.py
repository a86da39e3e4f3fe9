"""``rabbithole visualize``: draw the flow, or what one run did."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.cli.console import ERR
from rabbithole.workflow.cli.options import DEFAULT_KB, KbOption
from rabbithole.workflow.cli.running import open_runs
from rabbithole.workflow.observability.visualize import (
    flow_html,
    flow_mermaid,
    run_html,
    run_mermaid,
    steps_html,
    steps_mermaid,
)

app = typer.Typer(add_completion=False)
MERMAID = (".mmd", ".mermaid", ".md")


@app.command()
def visualize(
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Draw what this run did instead of the workflows.")
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="With --run: draw the steps as executed instead of the references.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write .html (self-contained) or Mermaid (.mmd, .md).")
    ] = None,
    kb: KbOption = DEFAULT_KB,
) -> None:
    """Draw the workflows of research, or what one run did. Without --out, print Mermaid."""
    as_html = out is not None and out.suffix.lower() == ".html"
    if out is not None and not as_html and out.suffix.lower() not in MERMAID:
        raise UsageError(f"{out.name}: drawings can be written as .html or Mermaid ({', '.join(MERMAID)}).")
    if run is None:
        drawn = flow_html() if as_html else flow_mermaid()
    else:
        with open_runs(kb) as store:
            as_page, as_text = (steps_html, steps_mermaid) if steps else (run_html, run_mermaid)
            drawn = as_page(store, run) if as_html else as_text(store, run)
    if out is None:
        sys.stdout.write(drawn)
        return
    if out.suffix.lower() == ".md":
        drawn = f"```mermaid\n{drawn}```\n"
    out.write_text(drawn, encoding="utf-8")
    ERR.print(f"Drawing: {out}")
