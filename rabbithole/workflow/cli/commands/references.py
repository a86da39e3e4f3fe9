"""``rabbithole references``: detect references in a text file, a PDF or standard input, and mark them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.text import Text

from rabbithole.kb.errors import UsageError
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.document.record import link_references
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Reference
from rabbithole.kb.references.detection.detect import detect, to_json
from rabbithole.kb.references.detection.merge import merge
from rabbithole.kb.store.sql.open_catalog import catalog_exists
from rabbithole.steps.language import detect_language
from rabbithole.steps.phrases import counted, phrase
from rabbithole.workflow.cli.console import OUT, print_json, printable
from rabbithole.workflow.cli.marking import STYLES, to_html
from rabbithole.workflow.cli.options import DEFAULT_KB, JsonOption, KbOption

app = typer.Typer(add_completion=False)


class Input(NamedTuple):
    """The text to search, and the references that its file contains as links."""

    text: str
    links: tuple[Reference, ...] = ()


@app.command()
def references(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A text file, a PDF, or - for standard input.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the marked text as an HTML page.")
    ] = None,
    language: Annotated[str | None, typer.Option(metavar="CODE", help="de or en; detected if not given.")] = None,
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Detect references. If there is a knowledge base, the names of its documents are found too."""
    read = read_input(file)
    if catalog_exists(kb):
        with KnowledgeBase.open(kb) as base:
            detected = list(base.detect(read.text, language=language))
    else:
        detected = detect(read.text, language=language)
    found = list(merge(detected, read.links))
    spoken = language or detect_language(read.text)
    if html is not None:
        html.write_text(to_html(read.text, found, title=file, language=spoken), encoding="utf-8")
    if as_json:
        print_json(to_json(found))
        return
    OUT.print(marked(read.text, found))
    OUT.print()
    OUT.print(legend(found, spoken))
    if html is not None:
        OUT.print(f"Written: {html}")


def read_input(file: str) -> Input:
    """Read the text to search. Undecodable bytes are replaced, so that offsets match the text shown."""
    if file == "-":
        return Input(sys.stdin.buffer.read().decode("utf-8", "replace"))
    path = Path(file)
    if not path.is_file():
        raise UsageError(f"There is no file {file}; give a text file, a PDF, or - for standard input.")
    content = path.read_bytes()
    if content.lstrip()[:5] == b"%PDF-" or path.suffix.lower() == ".pdf":
        parsed = parse_pdf(path)
        return Input(parsed.text, link_references(parsed))
    return Input(content.decode("utf-8", "replace"))


def marked(text: str, found: list[Reference]) -> Text:
    """Return the text with each reference in the colour of its kind. A span with several targets is marked once."""
    line = Text()
    at = 0
    for reference in found:
        if reference.start < at:
            continue
        line.append(printable(text[at : reference.start]))
        line.append(printable(text[reference.start : reference.end]), style=STYLES[reference.kind])
        at = reference.end
    return line.append(printable(text[at:]))


def legend(found: list[Reference], language: str) -> Text:
    """Return how many references there are of each kind, in words."""
    if not found:
        return Text(phrase(language, "cli.detected.none"))
    counts = Counter(reference.kind for reference in found)
    parts = [
        Text(counted(language, f"cli.detected.{kind}", counts[kind]), style=STYLES[kind])
        for kind in STYLES
        if counts[kind]
    ]
    return Text(counted(language, "cli.detected", len(found)) + ": ").append_text(Text(", ").join(parts))
