"""``rabbithole kb``: show, check and repair the knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.prompt import Confirm
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.ingest.run.corrections import Correction
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.ports import Progress as Tell
from rabbithole.workflow.cli.console import ERR, OUT, print_json
from rabbithole.workflow.cli.kb_health import health_list, health_page, names_table
from rabbithole.workflow.cli.kb_stats import described
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption

app = typer.Typer(add_completion=False)


@app.callback()
def kb() -> None:
    """What is in the knowledge base, and keeping it sound."""


@app.command()
def stats(kb: KbOption = DEFAULT_KB, as_json: JsonOption = False) -> None:
    """What each collection holds: documents, languages, years, fields to filter by, and what was left out."""
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
    OUT.print(Text(f"\nEmbedded with {model}{dimension}. The vectors are {found.vector_index}."))
    OUT.print(Text(f"On the disk, in MB: {parts}."))
    OUT.print(Text("Look into it: rabbithole search 'WORDS' --collection NAME --filter 'year>=2020'"))


@app.command()
def health(
    collection: Annotated[str | None, typer.Option("--collection", "-c", metavar="NAME")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write it as a page to look at.")] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """What each document is taken for, where that was read, and what looks wrong."""
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
        OUT.print(f"Page to look at: {html}")
    OUT.print(Text("Correct it: rabbithole kb name FILE --title '...' --number '...' --alias '...' --not '...'"))


@app.command()
def names(
    collection: Annotated[str | None, typer.Option("--collection", "-c", metavar="NAME")] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Every name a document goes by, and for acronyms in titles whether the collection uses them as names."""
    with KnowledgeBase.open(kb) as base:
        found = base.names([collection] if collection else [])
    if as_json:
        print_json([row.model_dump(mode="json") for row in found])
        return
    OUT.print(names_table(found))


@app.command()
def name(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A document by its file name.")],
    collection: Annotated[str | None, typer.Option("--collection", "-c", metavar="NAME")] = None,
    title: Annotated[str, typer.Option(help="Its title.")] = "",
    number: Annotated[str, typer.Option(help="Its designation: 'NIST SP 800-37 Rev. 1'.")] = "",
    year: Annotated[int | None, typer.Option(min=1000, max=2999, help="Year of publication.")] = None,
    edition: Annotated[str, typer.Option(help="Revision or version.")] = "",
    kind: Annotated[str, typer.Option(help="act, standard, guideline, paper, report, contract, manual, minutes.")] = "",
    alias: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A further name; may be repeated.")] = None,
    never: Annotated[
        list[str] | None, typer.Option("--not", metavar="NAME", help="What is no name of it; may be repeated.")
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Correct what a document is taken for. It is kept in the registry file and holds when the PDF is read again."""
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
    OUT.print(Text(f"goes by: {', '.join(row.name for row in found if row.counts) or 'no name'}"))


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
    """Compare both indexes with the catalog. Exit code 1 when something is wrong."""
    with KnowledgeBase.open(kb) as base:
        wrong = base.check()
    if as_json:
        print_json(wrong)
    else:
        for sentence in wrong:
            OUT.print(Text(sentence, style="red"))
        OUT.print("Mend it with: rabbithole kb repair" if wrong else "All is well.")
    if wrong:
        raise typer.Exit(1)


@app.command()
def repair(kb: KbOption = DEFAULT_KB) -> None:
    """Mend what check finds; no PDF is read."""
    with KnowledgeBase.open(kb) as base, _progress("Repairing") as tell:
        base.repair(tell)
    OUT.print("Repaired.")


@app.command()
def rebuild(
    keep_vectors: Annotated[
        bool, typer.Option("--keep-vectors", help="Embed nothing: move the vectors to the index VECTOR_INDEX names.")
    ] = False,
    kb: KbOption = DEFAULT_KB,
) -> None:
    """Embed and index everything anew, after EMBEDDING_MODEL or VECTOR_INDEX has changed; no PDF is read."""
    with _progress("Rebuilding") as tell:
        KnowledgeBase.rebuild(kb, KbSettings(), tell, keep_vectors=keep_vectors)
    OUT.print("Rebuilt.")


@app.command()
def remove(
    collection: Annotated[str, typer.Argument(metavar="COLLECTION")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Take a collection out of the knowledge base. The PDFs themselves stay."""
    with KnowledgeBase.open(kb) as base:
        base.require([collection])
        if not yes and not Confirm.ask(Text(f"Remove {collection} from {kb}?"), console=ERR, default=False):
            raise typer.Abort
        removed = base.remove(collection)
    if as_json:
        print_json({"collection": collection, "removed": removed})
    else:
        OUT.print(f"{removed} documents removed; the PDFs are untouched.")


@contextmanager
def _progress(words: str) -> Iterator[Tell]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=ERR, transient=True) as bars:
        bar = bars.add_task(words, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total)
