"""Convert rows of the catalog to models."""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import TypeAdapter

from rabbithole.kb.models import BibliographyEntry, Chunk, Document, Model, Reference, Scalar, Section

DOCUMENT_COLUMNS: Final = (
    "ordinal, id, collection, file, path, title, synonyms, language, pages, metadata, first_row, chunk_count"
)
SECTION_COLUMNS: Final = 'position, parent, level, number, heading, start, own_end, "end", page, last_page, page_label'
CHUNK_COLUMNS: Final = 'position, section, section_path, page, page_label, start, "end"'

_metadata: Final = TypeAdapter(dict[str, Scalar])
Row = tuple[Any, ...]


class Stored(Model):
    """A visible document. Its chunks have the rows first_row .. first_row + chunk_count - 1 in the indexes."""

    ordinal: int
    first_row: int
    chunk_count: int
    document: Document


def stored(row: Row) -> Stored:
    ordinal, identifier, collection, file, path, title, synonyms, language, pages, metadata, first, count = row
    document = Document(
        id=identifier,
        collection=collection,
        file=file,
        path=path,
        title=title,
        synonyms=tuple(json.loads(synonyms)),
        language=language,
        pages=pages,
        metadata=_metadata.validate_json(metadata),
    )
    return Stored(ordinal=ordinal, first_row=first, chunk_count=count, document=document)


def section_id(document: str, position: int) -> str:
    return f"{document}:s{position}"


def chunk_id(document: str, position: int) -> str:
    return f"{document}:c{position}"


def split_id(identifier: str, kind: str) -> tuple[str, int] | None:
    """Return (document, position) of a section id "<document>:s<n>" (kind "s") or chunk id ":c<n>" ("c"), or None."""
    document, mark, position = identifier.rpartition(f":{kind}")
    return (document, int(position)) if mark and position.isascii() and position.isdigit() else None


def section(document: str, row: Row) -> Section:
    position, parent, level, number, heading, start, own_end, end, page, last_page, page_label = row
    return Section(
        id=section_id(document, position),
        document=document,
        index=position,
        parent=None if parent is None else section_id(document, parent),
        level=level,
        number=number,
        heading=heading,
        start=start,
        own_end=own_end,
        end=end,
        page=page,
        last_page=last_page,
        page_label=page_label,
    )


def chunk(document: str, row: Row, text: str) -> Chunk:
    position, of_section, section_path, page, page_label, start, end = row
    return Chunk(
        id=chunk_id(document, position),
        document=document,
        section=section_id(document, of_section),
        section_path=tuple(json.loads(section_path)),
        page=page,
        page_label=page_label,
        start=start,
        end=end,
        text=text,
    )


def reference(record: str) -> Reference:
    return Reference.model_validate_json(record)


def bibliography_entry(record: str) -> BibliographyEntry:
    return BibliographyEntry.model_validate_json(record)
