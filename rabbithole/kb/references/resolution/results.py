"""Builds resolutions from a known document and a path: the exact place, or that the document does not have it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.models import Document, PathElement, Place, Reference, Resolution, Section
from rabbithole.kb.references.names.registry import Registry

from .in_force import Standing
from .places import FoundPlace, find_place
from .reader import Reader
from .section_index import SectionIndex

_INDEXES = 256
"""Documents whose sections are kept by number: as many as the catalog keeps outlines of."""
SUCCESSORS = 2
"""Sections given for an open end ('ff.'), and read when it is followed: what a person reads on to."""


class Target(NamedTuple):
    """The document a reference means, the rule that decided it, and a note for the reader."""

    document: Document
    name: str
    rule: str
    note: str = ""


class Resolutions:
    """Turns targets into resolutions. Section indexes are built at first use."""

    def __init__(self, reader: Reader, registry: Registry) -> None:
        self._reader = reader
        self._indexes = lru_cache(maxsize=_INDEXES)(lambda document: SectionIndex(reader.outline(document)))
        self._force = Standing(registry)

    def index(self, document: str) -> SectionIndex:
        """Return the index of a document's sections by number."""
        return self._indexes(document)

    def standing(self, at: Place) -> Section | None:
        """Return the section a reference stands in, or None."""
        index = self.index(at.document)
        if at.section is not None and at.section in index.by_id:
            return index.by_id[at.section]
        return index.at(at.offset) if at.offset is not None else None

    def standing_of(self, document: Document) -> str:
        return self._force.of_document(document)

    def place(
        self, target: Target, reference: Reference, path: tuple[PathElement, ...], at: Place | None
    ) -> Resolution:
        """Return the place that a path names in the target document."""
        document = target.document
        if not path:
            return self.whole(target)
        index = self.index(document.id)
        near = self.standing(at) if at is not None and at.document == document.id else None
        found = find_place(self._reader, document.id, index, path, near)
        if found is None:
            return self.no_such(target, path)
        return self.resolved(target, found, reference)

    def whole(self, target: Target) -> Resolution:
        page, label = self._reader.page_of(target.document.id, 0)
        return Resolution(
            status="resolved",
            rule=target.rule,
            name=target.name,
            document=target.document.id,
            file=target.document.file,
            page=page,
            page_label=label,
            note="; ".join(note for note in (target.note, self._force.of_document(target.document)) if note),
        )

    def resolved(self, target: Target, found: FoundPlace, reference: Reference) -> Resolution:
        page, label = self._reader.page_of(target.document.id, found.start)
        section = found.section
        notes = [target.note, found.note, self._force.of_document(target.document)]
        if section is not None:
            notes.append(self._force.of_section(section))
            if section.end <= section.start:
                notes.append("the document lists this section but holds no text of it")
        if found.missing is not None:
            notes.append(f"{found.missing[0]} {found.missing[1]} was not found there; the place around it is given")
        following: tuple[str, ...] = ()
        if reference.following and section is not None:
            successors = self.index(target.document.id).successors(section, SUCCESSORS)
            following = tuple(each.id for each in successors)
        return Resolution(
            status="resolved",
            rule=target.rule,
            name=target.name,
            document=target.document.id,
            file=target.document.file,
            section=section.id if section else None,
            number=section.number if section else None,
            heading=section.heading if section else None,
            start=found.start,
            end=found.end,
            page=page,
            page_label=label,
            following=following,
            note="; ".join(note for note in notes if note),
        )

    def no_such(self, target: Target, path: tuple[PathElement, ...], words: str = "") -> Resolution:
        """Return a resolution saying that the document is held but does not have the place."""
        spelled = " ".join(f"{unit} {value}".strip() for unit, value in path) or words
        return Resolution(
            status="missing",
            rule=f"{target.rule}; the document has no such section",
            name=f"{target.name} {spelled}".strip(),
            document=target.document.id,
            file=target.document.file,
            note=target.note,
        )
