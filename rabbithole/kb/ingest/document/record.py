"""Turns a parsed file into the record for the store: ids, metadata, chunks, links.

References to other places are not detected here but on demand, so that names of documents ingested later count too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rabbithole.kb.ingest.metadata.identity import Identity
from rabbithole.kb.ingest.metadata.sidecar import Sidecar
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.models import Document, Reference, Scalar
from rabbithole.kb.place_names import short_place
from rabbithole.kb.references.names.completion import names_in_opening
from rabbithole.kb.store.records import IndexedDocument

from .chunks import make_chunks

_YEAR = re.compile(r"(?<!\d)(?:18|19|20)\d\d(?!\d)")


def build_document(
    parsed: ParsedDocument,
    file: str,
    path: Path,
    identifier: str,
    collection: str,
    sidecar: Sidecar,
    *,
    target: int,
    overlap: int,
) -> IndexedDocument:
    """Return the record of a document: ``file`` in its collection, at ``path``.

    ``target`` and ``overlap`` are the chunk sizes in characters.
    """
    language = sidecar.language or parsed.language
    title = sidecar.title or parsed.title
    printed = parsed.identity.printed_designations if parsed.identity else ()
    sections = tuple(
        section.as_section(identifier, index, parsed.page_labels) for index, section in enumerate(parsed.sections)
    )
    chunks = make_chunks(parsed.text, identifier, sections, parsed.page_starts, parsed.page_labels, target, overlap)
    document = Document(
        id=identifier,
        collection=collection,
        file=file,
        path=str(path),
        title=title,
        synonyms=_distinct([*sidecar.synonyms, *printed, *names_in_opening(parsed.text)]),
        language=language,
        pages=len(parsed.page_starts) if parsed.paged else 0,
        metadata=metadata_of(parsed, sidecar, language),
    )
    return IndexedDocument(
        document=document,
        text=parsed.text,
        page_starts=parsed.page_starts,
        page_labels=parsed.page_labels,
        sections=sections,
        chunks=chunks,
        links=link_references(parsed),
        bibliography=parsed.bibliography,
        outline_source=parsed.outline_source,
    )


def metadata_of(parsed: ParsedDocument, sidecar: Sidecar, language: str) -> dict[str, Scalar]:
    """Return the metadata: PDF properties, the document's own statements and language, overridden by the sidecar.

    ``year`` is the year printed on the document or given by the sidecar, never the year the PDF was made.
    ``identity_sources`` names the source and confidence of title, designation, edition and date.
    """
    values: dict[str, Scalar] = {**parsed.properties, "language": language}
    if parsed.identity is not None:
        values |= stored_identity(parsed.identity)
    given = {name.casefold(): value for name, value in sidecar.values.items()}
    said = next(
        (found[0] for name in ("year", "jahr", "date", "datum") if (found := _YEAR.search(str(given.get(name) or "")))),
        "",
    )
    if said:
        values["year"] = int(said)
        if not str(values.get("date", said)).startswith(said):
            del values["date"]  # the year given by a person outweighs a date read from the page
    return {**values, **sidecar.values}


def stored_identity(identity: Identity) -> dict[str, Scalar]:
    """Return the metadata fields in which an identity is stored."""
    values: dict[str, Scalar] = {
        "designation": identity.designation.text if identity.designation else None,
        "edition": identity.edition.text if identity.edition else None,
        "date": identity.date.text if identity.date else None,
        "year": identity.year,
        "kind": identity.kind or None,
        "authors": "; ".join(identity.authors) or None,
        **identity.identifiers,
    }
    read = {
        "title": identity.title,
        "designation": identity.designation,
        "edition": identity.edition,
        "date": identity.date,
    }
    sources = "; ".join(f"{name}: {value.source} ({value.confidence:.2f})" for name, value in read.items() if value)
    return {name: value for name, value in {**values, "identity_sources": sources}.items() if value is not None}


def link_references(parsed: ParsedDocument) -> tuple[Reference, ...]:
    """Return link annotations as references with their exact target."""
    references: list[Reference] = []
    for link in parsed.links:
        words = parsed.text[link.start : link.end]
        if link.uri or link.file:
            target = link.uri or link.file
            references.append(
                Reference(start=link.start, end=link.end, text=words, kind="external", target=target, method="link")
            )
        elif link.page is not None:
            label = parsed.page_labels[link.page] if link.page < len(parsed.page_labels) else str(link.page + 1)
            references.append(
                Reference(
                    start=link.start,
                    end=link.end,
                    text=words,
                    kind="section",
                    target=short_place(label, link.page),
                    method="link",
                    page=link.page,
                    goal=link.goal,
                )
            )
    return tuple(references)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
