"""``rabbithole check``: check the references, quotations and figures of a draft against the collection."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rabbithole.kb.as_of import on_day
from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.steps.draft_check.claims import with_claims
from rabbithole.steps.draft_check.models import DraftCheck
from rabbithole.steps.language import detect_language
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.factory import amake_reasoner
from rabbithole.workflow.cli.console import ERR, OUT, one_line, print_json
from rabbithole.workflow.cli.options import DEFAULT_KB, AsOfOption, CollectionsOption, JsonOption, KbOption
from rabbithole.workflow.draft_check.draft_file import read_draft
from rabbithole.workflow.draft_check.page import to_html
from rabbithole.workflow.draft_check.remarks import place_words, verdict_words
from rabbithole.workflow.draft_check.word_comments import write_comments
from rabbithole.workflow.settings import load_settings

app = typer.Typer(add_completion=False)


@app.command()
def check(
    draft: Annotated[Path, typer.Argument(metavar="DRAFT", help="A .docx, .odt, .pdf, .html, .md or .txt file.")],
    collection: CollectionsOption = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the result as .html, .json, or (for a .docx draft) .docx with comments.",
        ),
    ] = None,
    claims: Annotated[
        bool, typer.Option("--claims", help="Also let the model judge each sentence that has a citation.")
    ] = False,
    as_of: AsOfOption = "",
    kb: KbOption = DEFAULT_KB,
    as_json: JsonOption = False,
) -> None:
    """Check every reference, quotation and figure of a text. The exit code is 1 if something is wrong."""
    for path in out or []:
        _refuse_unknown(path, draft)
    paragraphs = read_draft(draft)
    with KnowledgeBase.open(kb) as whole:
        base = on_day(whole, as_of)
        found = check_draft(draft.name, paragraphs, base, collection or [])
        if claims:
            found = asyncio.run(_judged(found, base))
    language = detect_language(" ".join(each.text for each in paragraphs[:20]))
    for path in out or []:
        _write(path, draft, found, language)
        ERR.print(f"Written: {path}")
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(found, language)
    if found.wrong:
        raise typer.Exit(1)


async def _judged(found: DraftCheck, base: KnowledgeBase) -> DraftCheck:
    reasoner = await amake_reasoner(load_settings().reasoner, base)
    try:
        if reasoner.availability.name == "extractive":
            raise UsageError("--claims needs a language model, but none is available: run `rabbithole doctor`.")
        return await with_claims(found, base, reasoner)
    finally:
        await reasoner.close()


def _refuse_unknown(path: Path, draft: Path) -> None:
    if path.suffix.lower() not in (".html", ".json", ".docx"):
        raise UsageError(f"{path}: the result can be written as .html, .json or .docx.")
    if path.suffix.lower() == ".docx" and draft.suffix.lower() != ".docx":
        raise UsageError(f"{path}: comments can only be written into Word drafts; use .html or .json for {draft.name}.")
    if path.resolve() == draft.resolve():
        raise UsageError(f"{path} is the draft itself: name another file for the result.")


def _write(path: Path, draft: Path, found: DraftCheck, language: str) -> None:
    if path.suffix.lower() == ".docx":
        write_comments(draft, found, path, language)
    elif path.suffix.lower() == ".html":
        path.write_text(to_html(found, language), encoding="utf-8")
    else:
        path.write_text(found.model_dump_json(indent=2), encoding="utf-8")


def _show(found: DraftCheck, language: str) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(ratio=3)
    table.add_column(ratio=1)
    table.add_column(ratio=3)
    for one in found.findings:
        style = "red" if one.is_wrong else "green" if one.verdict in ("holds", "supported") else "yellow"
        why = one_line(" ".join(part for part in (one.detail, one.expected, place_words(one, language)) if part))
        table.add_row(Text(one_line(one.text)), Text(verdict_words(one, language), style=style), Text(why))
    OUT.print(table)
    counts = {"all": len(found.findings), "wrong": len(found.wrong), "open": len(found.open)}
    OUT.print(Text(phrase(language, "check.counts", **counts)))
