"""``rabbithole runs`` and ``rabbithole resume``: list, delete and continue runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import (
    DEFAULT_KB,
    JsonOption,
    KbOption,
    LengthOption,
    NoInputOption,
    OutOption,
)
from rabbithole.workflow.cli.running import deliver, has_runs, open_runs, run
from rabbithole.workflow.events import ResearchRequest
from rabbithole.workflow.report.export.report_files import check_suffix
from rabbithole.workflow.run.run_store import RunInfo

from .answer import answer

app = typer.Typer(add_completion=False)
resuming = typer.Typer(add_completion=False)
COLOURS = {"done": "green", "failed": "red", "waiting": "yellow"}


@app.callback(invoke_without_command=True)
def runs(context: typer.Context, kb: KbOption = DEFAULT_KB, as_json: JsonOption = False) -> None:
    """List runs, latest first, with status, cost and age; `rabbithole resume RUN` continues one."""
    if context.invoked_subcommand is not None:
        return
    listed: tuple[RunInfo, ...] = ()
    if has_runs(kb):
        with open_runs(kb) as store:
            listed = store.list()
    if as_json:
        print_json([info.model_dump(mode="json") for info in listed])
        return
    if not listed:
        OUT.print("No runs yet.")
        return
    whole = Column("run", no_wrap=True, min_width=12)  # never shortened: `rabbithole resume RUN` needs the whole id
    table = Table(whole, "state", "phase", "question", "model calls", "tokens", "seconds", "begun")
    for info in listed:
        table.add_row(*row(info))
    OUT.print(table)


@app.command()
def prune(
    older_than: Annotated[
        float, typer.Option("--older-than", metavar="DAYS", min=0, help="Delete only runs older than this.")
    ] = 0.0,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Also delete runs that did not finish.")] = False,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Delete finished runs; runs in progress are kept."""
    with open_runs(kb) as store:
        gone = store.prune(older_than_days=older_than, unfinished=unfinished)
    if as_json:
        print_json(list(gone))
    else:
        OUT.print(f"{len(gone)} runs deleted.")


@resuming.command()
def resume(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run, as `rabbithole runs` lists it.")],
    no_input: NoInputOption = False,
    out: OutOption = None,
    length: LengthOption = "normal",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Continue a run that was stopped or killed; finished steps are not repeated."""
    for path in out or ():
        check_suffix(path)
    with open_runs(kb) as store:
        mode = store.mode(run_id)
    if mode == "answer":
        going_on = AnswerRequest(run_id=run_id, resume=True, interactive=not no_input)
        deliver(answer(kb, going_on), list(out or ()), kb, as_json=as_json, length=length)
        return
    request = ResearchRequest(run_id=run_id, resume=True, auto_approve=no_input)
    deliver(run(kb, request), list(out or ()), kb, as_json=as_json, length=length)


def row(info: RunInfo) -> tuple[Text, ...]:
    begun = datetime.fromtimestamp(info.created, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    return (
        Text(info.id),
        Text(info.status, style=COLOURS.get(info.status, "")),
        Text(info.phase),
        Text(one_line(info.query)),
        Text(str(info.calls)),
        Text(str(info.tokens)),
        Text(f"{info.seconds:.1f}"),
        Text(begun),
    )
