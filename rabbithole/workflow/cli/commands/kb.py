"""``rabbithole kb``: show, check, repair and copy the knowledge base."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.prompt import Confirm
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.ingest.run.corrections import Correction
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.cli.console import ERR, OUT, print_json
from rabbithole.workflow.cli.kb_health import health_list, health_page, names_table
from rabbithole.workflow.cli.kb_stats import described
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption
from rabbithole.workflow.cli.progress_bar import progress_bar

from .kb_copy import copy

app = typer.Typer(add_completion=False)


@app.callback()
def kb() -> None:
    """Show what the knowledge base contains, and keep it in order."""


@app.command()
def stats(kb: KbOption = DEFAULT_KB, as_json: JsonOption = False) -> None:
    """Show what each collection contains: documents, languages, years, filter fields, files left out."""
    with KnowledgeBase.open(kb) as base:
        found = base.stats()
        collections = base.collections()
        documents = base.documents()
        model = base.embedding_model
    if as_json:
        print_json(
            {
                "embedding_model": model,
                "collections": [info.model_dump(mode="json") for info in collections],
                "documents": [document.model_dump(mode="json") for document in documents],
                "stats": found.model_dump(mode="json"),
            }
        )
        return
    count = len(found.collections)
    OUT.print(f"{found.folder}: {count} collection{'' if count == 1 else 's'}, {found.bytes / 1e6:,.1f} MB.")
    for each in found.collections:
        OUT.print(described(each, [document for document in documents if document.collection == each.name]))
    dimension = f", {found.embedding_dimension} dimensions" if found.embedding_dimension else ""
    parts = ", ".join(f"{name} {size / 1e6:,.1f}" for name, size in found.sizes.items())
    OUT.print(Text(f"\nEmbedded with {model}{dimension}. The vectors are stored {found.vector_index}."))
    OUT.print(Text(f"On disk, in MB: {parts}."))
    OUT.print(Text("Search it with: rabbithole search 'WORDS' --collection NAME --filter 'year>=2020'"))


@app.command()
def health(
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", metavar="NAME", help="Collection to look in.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the result as an HTML page.")
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Show each document's title, number and year, where they were found, and what looks wrong."""
    with KnowledgeBase.open(kb) as base:
        found = base.health([collection] if collection else [])
    if html is not None:
        try:
            html.write_text(health_page(found), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"Cannot write {html}: {error.strerror or error}.") from error
    if as_json:
        print_json([each.model_dump(mode="json") for each in found])
        return
    for each in found:
        OUT.print(health_list(each))
    if html is not None:
        OUT.print(f"Written: {html}")
    OUT.print(
        Text("Correct an entry with: rabbithole kb name FILE --title '...' --number '...' --alias '...' --not '...'")
    )


@app.command()
def names(
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", metavar="NAME", help="Collection to look in.")
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """List each document's names, and whether the collection uses the acronyms in titles as names."""
    with KnowledgeBase.open(kb) as base:
        found = base.names([collection] if collection else [])
    if as_json:
        print_json([row.model_dump(mode="json") for row in found])
        return
    OUT.print(names_table(found))


@app.command()
def name(
    file: Annotated[str, typer.Argument(metavar="FILE", help="File name of the document.")],
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", metavar="NAME", help="Collection to look in.")
    ] = None,
    title: Annotated[str, typer.Option(help="Title.")] = "",
    number: Annotated[str, typer.Option(help="Designation, for example 'NIST SP 800-37 Rev. 1'.")] = "",
    year: Annotated[int | None, typer.Option(min=1000, max=2999, help="Year of publication.")] = None,
    edition: Annotated[str, typer.Option(help="Revision or version.")] = "",
    kind: Annotated[
        str, typer.Option(help="One of act, standard, guideline, paper, report, contract, manual, minutes.")
    ] = "",
    alias: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name of the document; may be repeated.")
    ] = None,
    never: Annotated[
        list[str] | None, typer.Option("--not", metavar="NAME", help="A name that is not its own; may be repeated.")
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Correct a document's title, number, year or names. Corrections are kept when the document is read again."""
    said = Correction(
        title=title,
        number=number,
        year=year,
        edition=edition,
        kind=kind,
        aliases=tuple(alias or ()),
        never=tuple(never or ()),
    )
    if said == Correction():
        raise UsageError("Nothing to correct: give --title, --number, --year, --edition, --kind, --alias or --not.")
    with KnowledgeBase.open(kb) as base:
        document = base.name(_collection(base, file, collection), file, said)
        found = [row for row in base.names([document.collection]) if row.file == document.file]
    if as_json:
        print_json({"document": document.model_dump(mode="json"), "names": [row.name for row in found if row.counts]})
        return
    OUT.print(Text(f"{document.file}: {document.title}"))
    OUT.print(Text(f"names: {', '.join(row.name for row in found if row.counts) or 'none'}"))


def _collection(base: KnowledgeBase, file: str, given: str | None) -> str:
    """Return the collection of a file; ``given`` must name it if several collections have a file of that name."""
    if given is not None:
        return given
    last = file.rsplit("/", 1)[-1]
    found = sorted({each.collection for each in base.documents() if each.file.rsplit("/", 1)[-1] == last})
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"There is no document {file!r}; `rabbithole kb health` lists the files.")
    raise UsageError(f"{file} is in several collections ({', '.join(found)}); name one with --collection.")


@app.command()
def check(kb: KbOption = DEFAULT_KB, as_json: JsonOption = False) -> None:
    """Compare both indexes with the catalog. The exit code is 1 if something is wrong."""
    with KnowledgeBase.open(kb) as base:
        wrong = base.check()
    if as_json:
        print_json(wrong)
    else:
        for sentence in wrong:
            OUT.print(Text(sentence, style="red"))
        OUT.print("Repair it with: rabbithole kb repair" if wrong else "No problems found.")
    if wrong:
        raise typer.Exit(1)


@app.command()
def repair(kb: KbOption = DEFAULT_KB) -> None:
    """Repair what `rabbithole kb check` finds; no document is read again."""
    with KnowledgeBase.open(kb) as base, progress_bar("Repairing") as tell:
        base.repair(tell)
    OUT.print("Repaired.")


@app.command()
def rebuild(
    keep_vectors: Annotated[
        bool,
        typer.Option(
            "--keep-vectors", help="Do not embed again; move the vectors to the index that VECTOR_INDEX names."
        ),
    ] = False,
    kb: KbOption = DEFAULT_KB,
) -> None:
    """Embed and index everything again after a change of EMBEDDING_MODEL or VECTOR_INDEX. No document is read again."""
    with progress_bar("Rebuilding") as tell:
        KnowledgeBase.rebuild(kb, KbSettings(), tell, keep_vectors=keep_vectors)
    OUT.print("Rebuilt.")


@app.command()
def remove(
    collection: Annotated[str, typer.Argument(metavar="COLLECTION", help="Collection to remove.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Remove a collection from the knowledge base; its files stay where they are."""
    with KnowledgeBase.open(kb) as base:
        base.require([collection])
        if not yes and not Confirm.ask(Text(f"Remove {collection} from {kb}?"), console=ERR, default=False):
            raise typer.Abort
        removed = base.remove(collection)
    if as_json:
        print_json({"collection": collection, "removed": removed})
    else:
        OUT.print(f"{removed} documents removed; the files themselves are untouched.")


app.command()(copy)
