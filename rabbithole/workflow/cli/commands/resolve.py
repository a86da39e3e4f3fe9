"""``rabbithole resolve``: where a reference leads, and by which rule."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.kb.place_names import exact_place
from rabbithole.workflow.cli.console import OUT, print_json, printable
from rabbithole.workflow.cli.options import DEFAULT_KB, AsOfOption, CollectionsOption, JsonOption, KbOption
from rabbithole.workflow.integrations.tools import detected_alone

app = typer.Typer(add_completion=False)
COLOURS = {"resolved": "green", "missing": "red", "ambiguous": "yellow"}


@app.command()
def resolve(
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="A reference such as '§ 78 Abs. 1 StrlSchG' or 'KTA 1404'.")
    ],
    collections: CollectionsOption = None,
    standing_in: Annotated[
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
        place = find_place(base, standing_in, section) if standing_in else None
        found = detected_alone(base, reference) or (as_name(reference),)
        resolutions = [base.resolve(item, at=place, collections=names) for item in found]
    if as_json:
        shapes = [shape(resolution) for resolution in resolutions]
        print_json(shapes[0] if len(shapes) == 1 else shapes)
        return
    for item, resolution in zip(found, resolutions, strict=True):
        show(item, resolution)


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
