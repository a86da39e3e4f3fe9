"""``rabbithole cited``: which places refer to a document or to one of its sections."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Citing
from rabbithole.kb.place_names import short_place
from rabbithole.workflow.cli.console import OUT, one_line, print_json, printable
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption

from .resolve import find_document

app = typer.Typer(add_completion=False)
LISTED = 50


@app.command()
def cited(
    document: Annotated[
        str, typer.Argument(metavar="DOCUMENT", help="File name, title, registered name or id of a document.")
    ],
    section: Annotated[
        str | None,
        typer.Argument(metavar="[SECTION]", help="Section number, for example '§ 27', '4.2.3' or 'Annex B'."),
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """List the places in the collection that refer to a document or to one of its sections."""
    with KnowledgeBase.open(kb) as base:
        held = find_document(base, document)
        place = base.section(held.id, section) if section is not None else None
        if section is not None and place is None:
            raise UsageError(f"{held.file} has no section {section!r}; give the number as printed in the document.")
        found = base.cited_by(held.id, place.id if place else None)
    what = ", ".join(part for part in (held.file, place.label if place else "") if part)
    if as_json:
        print_json({"document": held.file, "section": place.label if place else None, "times": len(found),
                    "cited_by": [each.model_dump(mode="json") for each in found]})  # fmt: skip
        return
    if not found:
        OUT.print(Text(f"No other place refers to {printable(what)}."))
        return
    OUT.print(Text(f"{printable(what)} is referred to {len(found)} times:"))
    for each in found[:LISTED]:
        show(each)
    if len(found) > LISTED:
        OUT.print(f"... and {len(found) - LISTED} more (--json lists all).")


def show(each: Citing) -> None:
    line = Text("  ")
    line.append(printable(each.file), style="cyan")
    line.append(f", {one_line(each.label)}" if each.label else "")
    line.append(f", {short_place(printable(each.page_label), 0)}" if each.page_label else "")
    line.append(f"  {one_line(each.text)}", style="dim")
    OUT.print(line.append(f" -> {one_line(each.to)}", style="dim") if each.to else line)
