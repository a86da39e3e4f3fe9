"""``rabbithole watch``: keep a collection in step with a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import IngestReport
from rabbithole.workflow.cli.console import OUT, complain, one_line
from rabbithole.workflow.cli.options import DEFAULT_KB, KbOption
from rabbithole.workflow.watching import Grace, follow, is_news

app = typer.Typer(add_completion=False)
SHOWN = 5


@app.command()
def watch(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to watch, with its subfolders.")],
    collection: Annotated[
        str, typer.Option("--collection", "-c", metavar="NAME", help="Collection to keep up to date.")
    ],
    grace: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="How long documents are kept after their files are deleted.")
    ] = 300.0,
    keep: Annotated[bool, typer.Option("--keep", help="Keep documents when their files are deleted.")] = False,
    kb: KbOption = DEFAULT_KB,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for each update.")] = False,
) -> None:
    """Watch a folder until Ctrl-C and update the collection within seconds when files change."""

    def tell(said: IngestReport | str) -> None:
        if isinstance(said, str):
            complain(said)
        elif as_json and is_news(said):
            sys.stdout.write(said.model_dump_json() + "\n")
            sys.stdout.flush()
        elif not as_json:
            OUT.print(summary(said), markup=False)

    with KnowledgeBase.open(kb, create=True) as base:
        follow(base, folder.absolute(), collection, Grace(None if keep else grace), tell)


def summary(report: IngestReport) -> str:
    """Return one line: '2 added (a.pdf, b.html), 1 removed (c.pdf); 40 unchanged.'"""
    lists = {"added": report.added, "changed": report.changed, "moved": report.moved, "removed": report.removed}
    parts = [f"{len(files)} {what} ({_some(files)})" for what, files in lists.items() if files]
    refused = tuple(each.file for each in report.skipped)
    parts += [f"{len(refused)} refused ({_some(refused)})"] if refused else []
    return f"{', '.join(parts) or 'nothing new'}; {len(report.unchanged)} unchanged."


def _some(files: tuple[str, ...]) -> str:
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return ", ".join(one_line(file) for file in files[:SHOWN]) + more
