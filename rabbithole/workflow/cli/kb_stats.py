"""The output of ``rabbithole kb stats``: a collection described for someone who has not seen it before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rabbithole.kb.ingest.run.collection_statistics import CollectionStats, FieldStats
from rabbithole.kb.models import Document, SkippedFile
from rabbithole.kb.references.names.books import title_with_book

from .console import one_line

LISTED = 50
SHOWN = 10
LONGEST = 32
"""Characters shown of a field's value."""
_OUTLINES = {
    "bookmarks": "bookmarks",
    "bookmarks and typography": "bookmarks completed with headings found in the text",
    "typography": "headings found in the text",
    "none": "no headings found",
}
_LANGUAGES = {"de": "German", "en": "English", "und": "undetermined"}
_OWN = {"language", "year"}


def described(stats: CollectionStats, documents: Sequence[Document]) -> RenderableType:
    """Return a collection in words and figures, its documents, and the files left out."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(no_wrap=True)
    facts.add_column()
    for name, value in _facts(stats):
        facts.add_row(name, Text(value))
    parts: list[RenderableType] = [Text(f"\n{stats.name}", style="bold"), facts, _listing(documents)]
    if len(documents) > LISTED:
        parts.append(Text(f"... and {len(documents) - LISTED} more (--json lists all)."))
    parts += _files(stats.skipped, "left out:", "red") + _files(stats.warnings, "indexed with warnings:", "yellow")
    return Group(*parts)


def _facts(stats: CollectionStats) -> list[tuple[str, str]]:
    size = f"{stats.documents:,} documents with {stats.pages:,} pages, {stats.sections:,} sections"
    facts = [("contains", f"{size}, {stats.chunks:,} passages")]
    if stats.languages:
        facts.append(("languages", _counted({_LANGUAGES.get(key, key): n for key, n in stats.languages.items()})))
    if stats.years:
        first, last = stats.years
        facts.append(("years", str(first) if first == last else f"{first} to {last}"))
    if stats.outlines:
        facts.append(("outlines from", _counted({_OUTLINES.get(key, key): n for key, n in stats.outlines.items()})))
    facts.append(("names", f"{stats.synonyms:,} abbreviations and short names beside the titles"))
    facts.append(("links, literature", f"{stats.links:,} links, {stats.bibliography:,} entries of bibliographies"))
    for place, (name, field) in enumerate(sorted(stats.fields.items(), key=_own_first)):
        facts.append(("" if place else "filter by", _field(one_line(name), field, stats.documents)))
    left = [
        f"{len(stats.skipped):,} files left out",
        f"{stats.duplicates:,} duplicates",
        f"{len(stats.warnings):,} with warnings",
        f"{stats.needs_ocr:,} with pages that need OCR",
    ]
    facts.append(("files", ", ".join(left)))
    return facts


def _own_first(field: tuple[str, FieldStats]) -> tuple[bool, str]:
    return field[0] not in _OWN, field[0]


def _field(name: str, field: FieldStats, documents: int) -> str:
    """Return 'year (number): 1949 to 2025' or 'type (text): norm, law and 3 more, in 20 of 27 documents'."""
    if field.least is not None:
        values = f"{field.least}" if field.least == field.most else f"{field.least} to {field.most}"
    else:
        values = ", ".join(_shortened(one_line(each)) for each in field.examples)
        if field.distinct > len(field.examples):
            values += f" and {field.distinct - len(field.examples):,} more"
    partly = f", in {field.documents:,} of {documents:,} documents" if field.documents < documents else ""
    return f"{name} ({field.kind}): {values}{partly}"


def _shortened(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"


def _counted(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{name} {count:,}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))


def _listing(documents: Sequence[Document]) -> Table:
    listing = Table("file", "title", "pages", "language", "year")
    for document in documents[:LISTED]:
        year = document.metadata.get("year")
        cells = (one_line(document.file), one_line(title_with_book(document)), str(document.pages), document.language)
        listing.add_row(*map(Text, (*cells, "" if year is None else str(year))))
    return listing


def _files(files: Sequence[SkippedFile], said: str, style: str) -> list[RenderableType]:
    if not files:
        return []
    lines: list[RenderableType] = [Text(said, style=style)]
    lines += [Text(f"  {one_line(each.file)}: {one_line(each.reason)}") for each in files[:SHOWN]]
    if len(files) > SHOWN:
        lines.append(Text(f"  ... and {len(files) - SHOWN} more (--json lists all)."))
    return lines
