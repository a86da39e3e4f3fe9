"""From a parsed PDF to the record the store takes: ids, metadata, chunks, links.

Mentions of other places are not found here but when they are asked for: names of documents ingested later count too.
"""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.ingest.run.scan import Found
from rabbithole.kb.models import Document, Reference, Scalar
from rabbithole.kb.references.names.completion import names_in_opening
from rabbithole.kb.store.records import IndexedDocument

from .chunks import make_chunks
from .language import detect_language
from .metadata import Sidecar, infer_year
from .parsed import ParsedDocument

ID_LENGTH = 16
OPENING = 2000


def build_document(
    parsed: ParsedDocument,
    found: Found,
    identifier: str,
    collection: str,
    sidecar: Sidecar,
    *,
    target: int,
    overlap: int,
) -> IndexedDocument:
    """``target`` and ``overlap`` of chunks in characters."""
    language = sidecar.language or detect_language(parsed.text)
    title = sidecar.title or parsed.title
    sections = tuple(
        section.as_section(identifier, index, parsed.page_labels) for index, section in enumerate(parsed.sections)
    )
    chunks = make_chunks(parsed.text, identifier, sections, parsed.page_starts, parsed.page_labels, target, overlap)
    document = Document(
        id=identifier,
        collection=collection,
        file=found.file,
        path=str(found.path),
        title=title,
        synonyms=_distinct([*sidecar.synonyms, *names_in_opening(parsed.text)]),
        language=language,
        pages=len(parsed.page_starts),
        metadata=metadata_of(parsed, found, sidecar, language),
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


def metadata_of(parsed: ParsedDocument, found: Found, sidecar: Sidecar, language: str) -> dict[str, Scalar]:
    """PDF properties, inferred year and language, and over them what the sidecar says."""
    values: dict[str, Scalar] = {**parsed.properties, "language": language, **sidecar.values}
    year = infer_year(sidecar.values, found.file, parsed.text[:OPENING], parsed.properties)
    if year is not None and "year" not in sidecar.values:
        values["year"] = year
    return values


def link_references(parsed: ParsedDocument) -> tuple[Reference, ...]:
    """Link annotations as references with their exact target."""
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
                    target=f"p. {label}",
                    method="link",
                    page=link.page,
                    goal=link.goal,
                )
            )
    return tuple(references)


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
