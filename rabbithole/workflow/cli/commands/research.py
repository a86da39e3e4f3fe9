"""``rabbithole research``: the five phases in the terminal."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.cli.options import (
    DEFAULT_KB,
    AsOfOption,
    CollectionsOption,
    JsonOption,
    KbOption,
    LengthOption,
    NoInputOption,
    OutOption,
)
from rabbithole.workflow.cli.running import deliver, run
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.report.export.report_files import check_suffix
from rabbithole.workflow.run.run_store import new_run_id

app = typer.Typer(add_completion=False)


@app.command()
def research(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in German or English.")],
    collections: CollectionsOption = None,
    no_input: NoInputOption = False,
    depth: Annotated[
        int | None, typer.Option(min=0, max=10, help="How many references in a row are followed; 0 only lists them.")
    ] = None,
    out: OutOption = None,
    mode: Annotated[
        Literal["research", "plain"], typer.Option(help="plain: search once and answer, without following references.")
    ] = "research",
    language: Annotated[Literal["auto", "de", "en"], typer.Option(help="Language of the report.")] = "auto",
    follow_up: Annotated[
        str, typer.Option("--follow-up", metavar="RUN", help="Start from the evidence of this finished run.")
    ] = "",
    length: LengthOption = "normal",
    as_of: AsOfOption = "",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Research a question: understand it, plan, follow references, write, and verify every citation."""
    if not question.strip():
        raise UsageError("The question is empty; ask something.")
    for path in out or ():
        check_suffix(path)
    request = ResearchRequest(
        query=question,
        collections=list(collections or ()),
        mode=mode,
        language=language,
        depth=depth,
        as_of=as_of,
        auto_approve=no_input,
        run_id=new_run_id(),
        parent_run=follow_up,
    )
    deliver(run(kb, request), list(out or ()), kb, as_json=as_json, length=length)
