"""``rabbithole graph``: the reference graph of a collection, as a page, GraphML or JSON."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.references.graph.collection_graph import CollectionGraph
from rabbithole.kb.references.graph.export import write_graph
from rabbithole.kb.references.graph.missing_export import write_missing
from rabbithole.workflow.cli.console import OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption

app = typer.Typer(add_completion=False)
LISTED = 20


@app.command()
def graph(
    collection: Annotated[str, typer.Option("--collection", "-c", metavar="NAME", help="Collection to draw.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the graph as .html (self-contained), .graphml or .json."),
    ] = None,
    missing: Annotated[
        Path | None,
        typer.Option("--missing", metavar="FILE", help="Write the list of missing works as .csv, .bib, .ris or .csl."),
    ] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Draw which document refers to which, and list broken references and missing works."""
    with KnowledgeBase.open(kb) as base:
        found = base.collection_graph(collection)
    if out is not None:
        write_graph(found, out)
    written = write_missing(found.missing, missing) if missing is not None else 0
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found)
        if out is not None:
            OUT.print(f"Graph: {out}")
        if missing is not None:
            OUT.print(Text(f"{written} missing works: {missing}"))


def show(found: CollectionGraph) -> None:
    kinds = Counter(node.kind for node in found.nodes)
    OUT.print(Text(", ".join(_counted(count, kind) for kind, count in sorted(kinds.items())) or "No references."))
    OUT.print(f"{_counted(found.references, 'reference')} between them.")
    if found.missing:
        table = Table("missing from the collection", "times", "cited by")
        for missing in found.missing[:LISTED]:
            files = list(dict.fromkeys(place.file for place in missing.cited_by))
            sources = ", ".join(files[:3]) + (" ..." if len(files) > 3 else "")
            table.add_row(Text(one_line(missing.name)), str(missing.times), Text(one_line(sources)))
        OUT.print(table)
        if len(found.missing) > LISTED:
            OUT.print(f"... and {len(found.missing) - LISTED} more (--json lists all).")


def _counted(count: int, kind: str) -> str:
    plural = f"{kind}s" if kind in ("document", "section", "reference") else kind
    return f"{count} {kind if count == 1 else plural}"
