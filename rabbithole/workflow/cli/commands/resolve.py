"""``rabbithole resolve`` and ``rabbithole cited``: where a reference leads, and what refers to a place."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Citing, Document, Place, Reference, Resolution
from rabbithole.kb.place_names import exact_place, short_place
from rabbithole.workflow.cli.console import OUT, one_line, print_json, printable
from rabbithole.workflow.cli.options import DEFAULT_KB, AsOfOption, CollectionsOption, JsonOption, KbOption
from rabbithole.workflow.integrations.tools import detected_alone

app = typer.Typer(add_completion=False)
citing = typer.Typer(add_completion=False)
LISTED = 50
COLOURS = {"resolved": "green", "missing": "red", "ambiguous": "yellow"}


@app.command()
def resolve(
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="A reference such as '§ 78 Abs. 1 StrlSchG' or 'KTA 1404'.")
    ],
    collections: CollectionsOption = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="DOCUMENT", help="Resolve it as if it appeared in this document (file name, title or id)."
        ),
    ] = None,
    section: Annotated[
        str | None, typer.Option("--section", metavar="NUMBER", help="With --from: as if it appeared in this section.")
    ] = None,
    as_of: AsOfOption = "",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Show where a reference leads (document, section, page) and by which rule, or that the document is missing."""
    if not reference.strip():
        raise UsageError("The reference is empty; write it as it would appear in a text.")
    with KnowledgeBase.open(kb) as whole:
        base = on_day(whole, as_of)
        names = base.require(collections or ())
        place = find_place(base, source, section) if source else None
        found = detected_alone(base, reference) or (as_name(reference),)
        resolutions = [base.resolve(item, at=place, collections=names) for item in found]
    if as_json:
        shapes = [shape(resolution) for resolution in resolutions]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    for item, resolution in zip(found, resolutions, strict=True):
        show(item, resolution)


@citing.command()
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
        show_citing(each)
    if len(found) > LISTED:
        OUT.print(f"... and {len(found) - LISTED} more (--json lists all).")


def as_name(text: str) -> Reference:
    """Return the text as a reference to a document by name, for text in which no reference form is recognised."""
    name = " ".join(text.split())
    return Reference(start=0, end=len(text), text=text, kind="document_mention", target=name, document=name)


def find_place(base: KnowledgeBase, name: str, number: str | None) -> Place:
    document = find_document(base, name)
    if number is None:
        return Place(document=document.id)
    section = base.section(document.id, number)
    if section is None:
        raise UsageError(f"{document.file} has no section {number!r}.")
    return Place(document=document.id, section=section.id, offset=section.start)


def find_document(base: KnowledgeBase, name: str) -> Document:
    """Return the document with this id, file name, title or registered name. Raises ``UsageError`` if there is none."""
    for document in base.documents():
        if name in (document.id, document.file, document.title, *document.synonyms, document.file.rsplit(".", 1)[0]):
            return document
    resolution = base.resolve(as_name(name))
    if resolution.document is None:
        raise UsageError(f"There is no document {name!r}; give its file name, title or id.")
    return base.document(resolution.document)


def shape(resolution: Resolution) -> dict[str, object]:
    return {
        "status": resolution.status,
        "document": resolution.file or resolution.name or None,
        "section": resolution.number,
        "heading": resolution.heading,
        "page": resolution.page,
        "page_label": resolution.page_label,
    }


def show(reference: Reference, resolution: Resolution) -> None:
    line = Text(printable(reference.text), style="bold")
    line.append(f"  {resolution.status}", style=COLOURS[resolution.status])
    if resolution.status == "resolved":
        line.append(f"  {printable(resolution.file or resolution.name)}", style="cyan")
        label = " ".join(part for part in (resolution.number, resolution.heading) if part)
        line.append(f", {printable(label)}" if label else "")
        if resolution.page is not None:
            line.append(f", {exact_place(resolution.page_label or '', resolution.page)}")
    elif resolution.name:
        line.append(f"  {printable(resolution.name)}")
    OUT.print(line)
    OUT.print(Text(f"  rule: {printable(resolution.rule)}", style="dim"))
    if resolution.note:
        OUT.print(Text(f"  note: {printable(resolution.note)}", style="yellow"))


def show_citing(each: Citing) -> None:
    line = Text("  ")
    line.append(printable(each.file), style="cyan")
    line.append(f", {one_line(each.label)}" if each.label else "")
    line.append(f", {short_place(printable(each.page_label), 0)}" if each.page_label else "")
    line.append(f"  {one_line(each.text)}", style="dim")
    OUT.print(line.append(f" -> {one_line(each.to)}", style="dim") if each.to else line)
