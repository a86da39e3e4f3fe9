"""``rabbithole kb``: what is in the knowledge base, and keeping it sound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.prompt import Confirm
from rich.text import Text

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.maintenance import Progress as Tell
from rabbithole.workflow.cli.console import ERR, OUT, print_json
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
    OUT.print(Text(f"\nEmbedded with {model}{dimension}. On the disk, in MB: {parts}."))
    OUT.print(Text("Look into it: rabbithole search 'WORDS' --collection NAME --filter 'year>=2020'"))


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
def rebuild(kb: KbOption = DEFAULT_KB) -> None:
    """Embed and index everything anew, after EMBEDDING_MODEL has changed; no PDF is read."""
    with _progress("Rebuilding") as tell:
        KnowledgeBase.rebuild(kb, KbSettings(), tell)
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
