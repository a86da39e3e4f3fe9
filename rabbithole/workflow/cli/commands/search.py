"""``rabbithole search``: passages of the collections, by words, by meaning, or both."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Hit, SearchMode
from rabbithole.kb.place_names import exact_place
from rabbithole.kb.search.filters import parse_filter
from rabbithole.kb.search.snippet import shown_from
from rabbithole.workflow.cli.console import OUT, one_line, print_json, printable
from rabbithole.workflow.cli.options import DEFAULT_KB, AsOfOption, CollectionsOption, JsonOption, KbOption

app = typer.Typer(add_completion=False)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Search terms or a question.")],
    collections: CollectionsOption = None,
    mode: Annotated[SearchMode, typer.Option("--mode", help="Search by keywords, by meaning, or both.")] = "hybrid",
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="FILTER",
            help="Condition such as 'year>=2020' or 'type in Norm,Gesetz'; may be repeated.",
        ),
    ] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="Number of passages to show.")] = 10,
    as_of: AsOfOption = "",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Find passages; each hit names its document, section and page."""
    if not query.strip():
        raise UsageError("The query is empty; give search terms or a question.")
    conditions = [parse_filter(text) for text in filters or ()]
    with KnowledgeBase.open(kb) as whole:
        base = on_day(whole, as_of)
        names = base.require(collections or ())
        result = base.search(query, names, mode=mode, filters=conditions, top_k=top_k)
        places = {hit.chunk.id: _section_number(base, hit) for hit in result.hits}
        labels = {hit.chunk.id: base.section_label(hit.chunk.section, alone=True) for hit in result.hits}
        pages = {hit.chunk.id: _page(base, hit, query) for hit in result.hits}
        held = {hit.chunk.document for hit in result.hits} if as_json else ()
        cited = {document: base.times_cited(document) for document in held}
    if as_json:
        hits = [
            {
                "document": hit.file,
                "section": places[hit.chunk.id],
                "page": hit.chunk.page,
                "score": hit.score,
                "text": hit.chunk.text,
                "reasons": list(hit.reasons),
                "times_cited": cited[hit.chunk.document].get(hit.chunk.section, 0),
            }
            for hit in result.hits
        ]
        print_json({"total": result.total, "hits": hits})
        return
    OUT.print(f"{result.total} passages match; the best come first:" if result.hits else "No passage matches.")
    for place, hit in enumerate(result.hits, 1):
        OUT.print()
        OUT.print(_headline(place, hit, labels[hit.chunk.id], pages[hit.chunk.id]))
        OUT.print(Text(one_line(hit.snippet or hit.chunk.text), style="dim"))
        if hit.reasons:
            OUT.print(Text(one_line(f"    {'; '.join(hit.reasons)}"), style="dim italic"))


def _section_number(base: KnowledgeBase, hit: Hit) -> str:
    section = base.section_by_id(hit.chunk.section)
    return section.number or section.heading


def _page(base: KnowledgeBase, hit: Hit, query: str) -> str:
    """Return the page of the words shown, on which the passage need not begin."""
    page, label = base.page_of(hit.chunk.document, hit.chunk.start + shown_from(hit.chunk.text, query))
    return exact_place(label, page)


def _headline(place: int, hit: Hit, label: str, page: str) -> Text:
    line = Text(f"{place:>2}. ", style="bold")
    line.append(printable(hit.file), style="cyan")
    line.append(f", {printable(label)}" if label else "")
    return line.append(f", {page}").append(f"  {hit.score:.3f}", style="dim")
