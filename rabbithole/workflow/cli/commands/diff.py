"""``rabbithole diff``: what has changed from one edition of a document to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.comparison.models import Comparison, SectionChange
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, CollectionsOption, JsonOption, KbOption
from rabbithole.workflow.integrations.tools import compare_editions
from rabbithole.workflow.report.comparison import shortened, to_html, where

app = typer.Typer(add_completion=False)
STYLES = {"same": "dim", "added": "green underline", "removed": "red strike"}
COLOURS = {"added": "green", "removed": "red", "moved": "cyan"}


@app.command()
def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A document (name, file name or id); NAME@2012 means its 2012 edition.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The later edition, in the same form.")],
    section: Annotated[
        str | None, typer.Option("--section", metavar="NUMBER", help="Compare only this section and its subsections.")
    ] = None,
    collection: CollectionsOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="Write an HTML page, or .json.")
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Compare two editions section by section and mark the words that were added, removed or changed."""
    if out is not None and out.suffix.lower() not in (".html", ".json"):
        raise UsageError(f"{out.name}: a comparison can be written as .html or .json; choose one of these suffixes.")
    with KnowledgeBase.open(kb) as base:
        found = compare_editions(base, old, new, section, collection or ())
    if out is not None:
        page = to_html(found) if out.suffix.lower() == ".html" else found.model_dump_json(indent=2) + "\n"
        out.write_text(page, encoding="utf-8")
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found)


def show(found: Comparison) -> None:
    OUT.print(Text(f"{one_line(found.old_file)} -> {one_line(found.new_file)}", style="bold"))
    for note in found.notes:
        OUT.print(Text(f"  {one_line(note)}", style="dim"))
    for change in found.differing:
        show_section(change)
    counts = [f"{count} {kind}" for kind, count in found.counts.items()]
    OUT.print(f"{len(found.sections)} sections: {', '.join(counts)}.")


def show_section(change: SectionChange) -> None:
    OUT.print()
    colour = COLOURS.get(change.change, "yellow")
    OUT.print(Text(one_line(change.label) or "(no heading)", style="bold").append(f"  {where(change)}", style=colour))
    if change.change in ("moved",):
        return
    line = Text("  ")
    for index, words in enumerate(change.words):
        text = one_line(words.text)
        if words.change == "same":
            text = shortened(text, first=index == 0, last=index == len(change.words) - 1)
        line.append(text, style=STYLES[words.change]).append(" ")
    OUT.print(line)
