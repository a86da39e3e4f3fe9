"""``rabbithole verify``: check a report against the knowledge base again, offline, as late as one likes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.phases.verify import Verification, verify_report
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption
from rabbithole.workflow.report.export import load_report

app = typer.Typer(add_completion=False)
WORDS = {
    "moved": "stands on another page now",
    "gone": "no longer stands in the document",
    "document_missing": "the document is no longer in the knowledge base",
    "no_quote": "has no quotation that could be checked",
}


@app.command()
def verify(
    report: Annotated[Path, typer.Argument(metavar="REPORT.json", help="As research --out wrote it.")],
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Say which citations of a report still hold, word by word. Exit code 1 when one does not."""
    read = load_report(report)
    with KnowledgeBase.open(kb) as base:
        found = verify_report(read, base)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found)
    if not found.holds:
        raise typer.Exit(1)


def show(found: Verification) -> None:
    OUT.print(f"{len(found.checked) - len(found.broken)} of {len(found.checked)} citations hold.")
    for citation in found.broken:
        line = Text(f"{citation.marker} {one_line(citation.file)}: {WORDS[citation.finding]}", style="red")
        if citation.page is not None:
            line.append(f" (PDF page {citation.page + 1})")
        OUT.print(line)
        if citation.quote:
            OUT.print(Text(f"    {one_line(citation.quote)}", style="dim"))
