"""The output of ``rabbithole kb health`` and ``kb names``: one row per document or name, and what looks wrong."""

from __future__ import annotations

import html
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rabbithole.kb.ingest.run.collection_health import CollectionHealth, HealthRow
from rabbithole.kb.references.names.registry import NameRow

from .console import printable

_NAMES = 4
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Health of the collections</title>
<style>body{{font:14px system-ui,sans-serif;margin:2em}}table{{border-collapse:collapse}}
th,td{{border-bottom:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}}
.warned{{background:#fff4d6}}small{{color:#666}}</style></head><body>{body}</body></html>
"""
_HEADS = ("file", "title", "number", "edition", "year", "sections", "names", "please check")


def health_list(health: CollectionHealth) -> RenderableType:
    """Return a few lines per document, readable in a narrow terminal, and the summary."""
    lines: list[RenderableType] = [Text(f"Collection {health.collection}", style="bold")]
    for row in health.documents:
        lines.append(Text(printable(row.file), style="cyan"))
        lines += [Padding(Text(printable(line)), (0, 0, 0, 2)) for line in _lines(row)]
        lines += [Padding(Text(printable(f"check: {each}"), style="yellow"), (0, 0, 0, 2)) for each in row.warnings]
    for file in health.unread:
        lines.append(Text(printable(file.file), style="cyan"))
        lines.append(Padding(Text(printable(f"not read: {file.reason}"), style="red"), (0, 0, 0, 2)))
    return Group(*lines, Text(summary(health)))


def summary(health: CollectionHealth) -> str:
    """Return '32 documents; nothing looks wrong.', and whether the reader has changed since they were ingested."""
    count = len(health.documents)
    documents = f"{count} document{'' if count == 1 else 's'}"
    said = f"{documents}; {f'{health.warned} to check' if health.warned else 'nothing looks wrong'}."
    if health.unread:
        files = len(health.unread)
        said += f" {files} file{'' if files == 1 else 's'} could not be read."
    if not health.older:
        return said
    which = "It was" if health.older == count == 1 else "All were" if health.older == count else f"{health.older} were"
    return f"{said} {which} read by an older version: ingest the folder again to bring titles and sections up to date."


def health_page(found: Sequence[CollectionHealth]) -> str:
    """Return one HTML page without scripts; all text from documents is escaped."""
    parts: list[str] = []
    for health in found:
        heads = "".join(f"<th>{head}</th>" for head in _HEADS)
        rows = "".join(
            f"<tr{' class=warned' if row.warnings else ''}>{''.join(f'<td>{cell}</td>' for cell in _marked(row))}</tr>"
            for row in health.documents
        )
        rows += "".join(
            f"<tr class=warned><td>{html.escape(each.file)}</td><td colspan={len(_HEADS) - 2}></td>"
            f"<td>{html.escape(each.reason)}</td></tr>"
            for each in health.unread
        )
        parts.append(
            f"<h1>{html.escape(health.collection)}</h1><p>{html.escape(summary(health))}</p>"
            f"<table><tr>{heads}</tr>{rows}</table>"
        )
    return _PAGE.format(body="".join(parts))


def names_table(found: Sequence[NameRow]) -> RenderableType:
    table = Table()
    for head in ("name", "document", "counts", "why"):
        table.add_column(head, overflow="fold")
    for row in found:
        table.add_row(
            *(Text(printable(cell)) for cell in (row.name, row.file, "yes" if row.counts else "no", why(row)))
        )
    return table


def why(row: NameRow) -> str:
    """Return the evidence for an acronym found in a title; '' for other names, which need none."""
    if not row.seen and row.counts:
        return ""
    said = f"cited as a document in {row.cited} of {row.seen} cases"
    return f"{said}: {row.example}" if row.example else said


def _cells(row: HealthRow) -> tuple[str, ...]:
    return (
        row.file,
        _sourced(row.title, row.sources.get("title", "")),
        _sourced(row.designation, row.sources.get("designation", "")),
        row.edition,
        _sourced(str(row.year or ""), row.sources.get("year", "")),
        f"{row.sections} ({row.sections_from or 'none'})",
        ", ".join(row.names[:_NAMES]),
        "; ".join(row.warnings),
    )


def _lines(row: HealthRow) -> list[str]:
    """Return the lines of a document: title; number, edition, year and sections; further names; with their sources."""
    facts = (
        _sourced(row.designation, row.sources.get("designation", "")),
        row.edition if row.edition.removeprefix("rev ") not in row.designation else "",
        _sourced(str(row.year), row.sources.get("year", "")) if row.year else "no year printed",
        f"{row.sections} sections ({row.sections_from})" if row.sections else "no sections",
    )
    shown = {row.title, row.designation}
    others = [name for name in row.names if name not in shown][:_NAMES]
    lines = [_sourced(row.title, row.sources.get("title", "")), "; ".join(fact for fact in facts if fact)]
    return [*lines, f"also called: {', '.join(others)}"] if others else lines


def _sourced(value: str, source: str) -> str:
    return f"{value} [{source}]" if value and source else value


def _marked(row: HealthRow) -> list[str]:
    return [html.escape(cell) for cell in _cells(row)]
