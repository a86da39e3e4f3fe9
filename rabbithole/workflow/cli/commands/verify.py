"""``rabbithole verify``: check finished reports against the knowledge base again, offline, at any later time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.place_names import exact_place
from rabbithole.steps.follow_up.context import MARKER
from rabbithole.steps.phases.verify import WORDS, CheckedCitation, StaleCitation, Verification, stale, verify_report
from rabbithole.steps.report_models import Report
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption
from rabbithole.workflow.cli.running import has_runs, open_runs
from rabbithole.workflow.report.export.report_files import load_report
from rabbithole.workflow.run.run_store import RunInfo

app = typer.Typer(add_completion=False)
NO_QUOTE = "has no quotation to check"


@app.command()
def verify(
    report: Annotated[
        Path | None,
        typer.Argument(
            metavar="REPORT.json", help="Report that `rabbithole research --out` wrote as JSON; not with --stale."
        ),
    ] = None,
    only_stale: Annotated[
        bool, typer.Option("--stale", help="List the saved reports that cite something that has changed since.")
    ] = False,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Check word for word which citations of a report still hold. The exit code is 1 if one does not."""
    if only_stale == (report is not None):
        raise UsageError("Give a report as JSON, or --stale to check all saved reports.")
    if report is None:
        _stale(kb, as_json)
        return
    read = load_report(report)
    with KnowledgeBase.open(kb) as base:
        found = verify_report(read, base)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found, report_markers(read))
    if not found.holds:
        raise typer.Exit(1)


def _held(checked: Sequence[CheckedCitation]) -> str:
    good = len(checked) - len(Verification(checked=tuple(checked)).broken)
    return f"{good} of {len(checked)}"


def _stale(kb: Path, as_json: bool) -> None:
    rows: list[tuple[RunInfo, tuple[StaleCitation, ...]]] = []
    looked_at = 0
    if has_runs(kb):
        with open_runs(kb) as store, KnowledgeBase.open(kb) as base:
            for info in store.list():
                if (written := store.report(info.id)) is not None:
                    looked_at += 1
                    if found := stale(written, base):
                        rows.append((info, found))
    if as_json:
        print_json([{"run": info.id, "query": info.query, "created": info.created,
                     "citations": [each.model_dump() for each in found]} for info, found in rows])  # fmt: skip
    else:
        OUT.print(f"{len(rows)} of {looked_at} saved reports cite something that has changed since.")
        for info, found in rows:
            show_stale(info, found)
    if any(each.broken for _, found in rows for each in found):
        raise typer.Exit(1)


def show_stale(info: RunInfo, found: tuple[StaleCitation, ...]) -> None:
    begun = datetime.fromtimestamp(info.created, UTC).astimezone().strftime("%Y-%m-%d")
    OUT.print(Text(f"{info.id} ({begun}): {one_line(info.query)}"))
    for each in found:
        style = "red" if each.broken else "yellow"
        OUT.print(Text(f"    {each.marker} {one_line(each.file)}: {one_line(each.reason)}", style=style))


def report_markers(report: Report) -> frozenset[str]:
    """Return the markers that stand in the report as it is read, without its appendix unless it is shown."""
    return frozenset(f"[{number}]" for number in MARKER.findall(report.markdown))


def show(found: Verification, read: Collection[str]) -> None:
    """Print how many quotations hold, and those that do not. ``read``: the markers of those not only in an appendix."""
    beside = [one for one in found.checked if one.marker not in read]
    counts = f"{_held([one for one in found.checked if one.marker in read])} in the report"
    OUT.print(f"Quotations that hold: {counts}{f', {_held(beside)} that only its appendix cites' if beside else ''}.")
    for citation in found.broken:
        said = WORDS.get(citation.finding, NO_QUOTE)
        line = Text(f"{citation.marker} {one_line(citation.file)}: {said}", style="red")
        if citation.page is not None:
            line.append(f" ({exact_place(citation.page_label or str(citation.page + 1), citation.page)})")
        OUT.print(line)
        if citation.quote:
            OUT.print(Text(f"    {one_line(citation.quote)}", style="dim"))
