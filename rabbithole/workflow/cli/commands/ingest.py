"""``rabbithole ingest``: index documents, with a progress bar and a table of the outcome for each file."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from rabbithole.kb.ingest.run.collection_health import CollectionHealth
from rabbithole.kb.ingest.run.progress import IngestState
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import IngestReport, SkippedFile
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.cli.console import ERR, OUT, print_json, printable
from rabbithole.workflow.cli.kb_health import summary
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption

if TYPE_CHECKING:
    from rabbithole.kb.ingest.run.ray_cluster import RayCluster

app = typer.Typer(add_completion=False)
LISTED = 20


@app.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Documents, or folders of documents.")],
    collection: Annotated[
        str, typer.Option("--collection", "-c", metavar="NAME", help="Collection the documents are added to.")
    ],
    kb: KbOption = DEFAULT_KB,
    layout: Annotated[
        Literal["auto", "always", "never"] | None,
        typer.Option(help="Read pages with columns or tables with the slower layout model."),
    ] = None,
    password: Annotated[
        list[str] | None, typer.Option(metavar="PASSWORD", help="Password for encrypted PDFs; may be repeated.")
    ] = None,
    bib: Annotated[
        Path | None,
        typer.Option(
            "--bib", metavar="FILE", help="Take metadata from a library (.bib, CSL .json, .ris); 'none' removes it."
        ),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Read and embed on this Ray cluster (extra 'cluster'); this machine is a node of it.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Index documents into a collection. Run it again when files have changed; the others are skipped."""
    settings = KbSettings() if layout is None else KbSettings(layout=layout)
    with _cluster(ray) as cluster, KnowledgeBase.open(kb, settings, create=True) as base:
        report = ingest_with_progress(base, paths, collection, tuple(password or ()), bib, cluster)
        health = base.health([collection]) if collection in {info.name for info in base.collections()} else ()
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        show(report)
        for each in health:
            show_health(each)
    if report.skipped and not (report.added or report.changed or report.unchanged or report.moved or report.duplicates):
        raise typer.Exit(1)


def ingest_with_progress(
    base: KnowledgeBase,
    paths: list[Path],
    collection: str,
    passwords: tuple[str, ...] = (),
    library: Path | None = None,
    cluster: RayCluster | None = None,
) -> IngestReport:
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[detail]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=ERR, transient=True) as bars:
        bar = bars.add_task("Reading", total=None, detail="")

        def show_progress(state: IngestState) -> None:
            left = "" if state.remaining is None else f", {state.remaining:.0f} s left"
            detail = f"{state.pages} pages, {state.chunks} chunks, {state.rate:.0f}/s{left}"
            bars.update(bar, completed=state.files, total=state.files_total or None, detail=detail)

        return base.ingest(
            paths, collection, progress=show_progress, passwords=passwords, library=library, cluster=cluster
        )


def _cluster(address: str | None) -> AbstractContextManager[RayCluster | None]:
    """Connect to the Ray cluster before anything is written. Raises UsageError or KnowledgeBaseError."""
    if address is None:
        return nullcontext()
    from rabbithole.kb.ingest.run.ray_cluster import RayCluster  # noqa: PLC0415  Ray, which few have

    return RayCluster(address)


def show(report: IngestReport) -> None:
    """Print the table at the end: how many files were indexed, removed or skipped, and why."""
    table = Table(title=Text(f"Collection {report.collection}"), title_justify="left")
    table.add_column("files", justify="right")
    table.add_column("outcome")
    counts = {
        "added": report.added,
        "changed, indexed again": report.changed,
        "moved": report.moved,
        "unchanged": report.unchanged,
        "removed, no longer in the folder": report.removed,
        "left out, same content as another file": report.duplicates,
        "skipped": report.skipped,
    }
    for words, files in counts.items():
        if files:
            table.add_row(str(len(files)), words)
    OUT.print(table)
    if report.read_again:
        OUT.print(f"{len(report.read_again)} of these were read again because an older version had read them.")
    _list("Skipped", report.skipped, "red")
    _list("Indexed with warnings", report.warnings, "yellow")
    OUT.print(f"{report.pages} pages, {report.chunks} chunks in {report.seconds:.1f} s.")


def show_health(health: CollectionHealth) -> None:
    """Print one line per document that needs attention; `rabbithole kb health` shows the whole table."""
    warned = [SkippedFile(file=row.file, reason="; ".join(row.warnings)) for row in health.documents if row.warnings]
    command = f"rabbithole kb health --collection {shlex.quote(health.collection)}"
    OUT.print(Text(f"{summary(health)} See `{command}`."))
    _list("Please check", tuple(warned), "yellow")


def _list(title: str, files: tuple[SkippedFile, ...], style: str) -> None:
    if not files:
        return
    OUT.print(f"{title}:", style=style)
    for each in files[:LISTED]:
        OUT.print(Text(f"  {printable(each.file)}: {printable(each.reason)}"))
    if len(files) > LISTED:
        OUT.print(f"  ... and {len(files) - LISTED} more (--json lists all).")
