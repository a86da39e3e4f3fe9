"""Finds what refers to a document or a section: the reference graph read backwards."""

from __future__ import annotations

from rabbithole.kb.models import Citing, Section
from rabbithole.kb.store.catalog import CatalogReader
from rabbithole.kb.store.reference_rows import ReferenceRow, ReferenceRows
from rabbithole.kb.store.rows import section_id


def citing(
    rows: ReferenceRows, catalog: CatalogReader, document: str, section: str | None = None
) -> tuple[Citing, ...]:
    """Return the references from outside to a document, or to a section (by id) including its subsections.

    Raises KnowledgeBaseError if there is no such document or section.
    """
    target = catalog.stored(document)
    outline = catalog.outline(document)
    inside: frozenset[int | None] | None = None
    if section is not None:
        asked = catalog.section_by_id(section)
        inside = frozenset(one.index for one in outline if asked.start <= one.start and one.end <= asked.end)
    found = rows.leading_to(target.ordinal)
    kept = [row for row in found if inside is None or row.target_section in inside]
    outside = [
        row for row in kept if row.source != target.ordinal or (inside is not None and row.section not in inside)
    ]
    return tuple(one for row in outside if (one := _citing(row, catalog, outline)) is not None)


def times_cited(rows: ReferenceRows, catalog: CatalogReader, document: str) -> dict[str | None, int]:
    """Return how often other sections refer to each section of a document, by section id (None: whole document)."""
    found = rows.times_cited(catalog.stored(document).ordinal)
    return {None if at is None else section_id(document, at): times for at, times in found.items()}


def _citing(row: ReferenceRow, catalog: CatalogReader, outline: tuple[Section, ...]) -> Citing | None:
    source = catalog.stored_at(row.source)
    if source is None:  # the document was removed while the rows were read
        return None
    sections = catalog.outline(source.document.id)
    around = sections[row.section] if row.section is not None else None
    return Citing(
        document=source.document.id,
        file=source.document.file,
        title=source.document.title,
        section=around.id if around else None,
        label=around.label if around else "",
        page_label=around.page_label if around else "",
        kind=row.kind,
        text=row.text,
        to=outline[row.target_section].label if row.target_section is not None else "",
    )
