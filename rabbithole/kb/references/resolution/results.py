"""Builds resolutions from the documents a name may mean and a path: the exact place, or why there is none."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.models import Document, PathElement, Place, Reference, Resolution, Section
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.edition_choice import Entry, Lookup
from rabbithole.kb.references.names.file_parts import FilePart, file_parts, names_first_part, part_at
from rabbithole.kb.references.names.registry import Registry

from .in_force import Validity
from .sections.places import FoundPlace, find_place
from .sections.section_index import SectionIndex

CACHED = 256
"""Number of documents, and of names in them, whose results are cached: as many as the catalog keeps outlines of."""
SUCCESSORS = 2
"""Sections given for an open end ('ff.'), and read when it is followed: what a person reads on to."""


class Target(NamedTuple):
    """The document a reference means, the rule that decided it, and a note for the reader.

    ``part`` is that document where its file holds several; ``document`` then is the file.
    """

    document: Document
    name: str
    rule: str
    note: str = ""
    part: FilePart | None = None


def joined(*notes: str) -> str:
    """Return the notes that say something as one note."""
    return "; ".join(note for note in notes if note)


class Resolutions:
    """Turns candidates and targets into resolutions. Section indexes are built at first use."""

    def __init__(self, reader: CorpusReader, registry: Registry) -> None:
        self._reader = reader
        self._registry = registry
        self._indexes = lru_cache(maxsize=CACHED)(lambda document: SectionIndex(reader.outline(document)))
        self._parts = lru_cache(maxsize=CACHED)(lambda document: file_parts(reader.outline(document)))
        self._indexes_of_parts = lru_cache(maxsize=CACHED)(self._index_of_part)
        self._validity = Validity(registry)

    def index(self, document: str) -> SectionIndex:
        """Return the index of a document's sections by number."""
        return self._indexes(document)

    def part_around(self, document: str, section: Section | None) -> FilePart | None:
        """Return the document around a section in a file that holds several, or None."""
        return part_at(self._parts(document), section.start) if section is not None else None

    def _index_of_part(self, document: str, part: FilePart) -> SectionIndex:
        inside = [each for each in self._reader.outline(document) if part.start <= each.start < part.end]
        return SectionIndex(inside, part.start, part.end)

    def _part_named(self, entry: Entry, path: tuple[PathElement, ...]) -> FilePart | None:
        """Return the document that a name means in a file that holds several; None if it means the file.

        A section of a file whose title is that of its first document is one of that document.
        """
        parts = self._parts(entry.document.id)
        if entry.part is not None:
            return part_at(parts, entry.part)
        return parts[0] if parts and path and names_first_part(entry.name, parts) else None

    def enclosing_section(self, at: Place) -> Section | None:
        """Return the section a reference stands in, or None."""
        index = self.index(at.document)
        if at.section is not None and at.section in index.by_id:
            return index.by_id[at.section]
        return index.at(at.offset) if at.offset is not None else None

    def validity_note(self, document: Document) -> str:
        """Return what the collection says against a document being in force: what replaced it, its status; or ''."""
        return self._validity.of_document(document)

    def target(self, document: Document, rule: str, note: str = "") -> Target:
        """Return a document as a target, under its proper name."""
        return Target(document, self._registry.proper_name(document), rule, note)

    def of_candidates(self, candidates: Lookup, reference: Reference, at: Place | None) -> Resolution:
        """Return the resolution to a single document; of several, to the one in the citing document's collection."""
        documents, rule, note = [entry.document for entry in candidates.entries], candidates.rule, candidates.note
        if len(documents) > 1 and at is not None and at.document in self._registry.documents:
            collection = self._registry.documents[at.document].collection
            same = [document for document in documents if document.collection == collection]
            if len(same) == 1:
                documents, rule = same, f"{rule}, same collection"
            elif any(document.id == at.document for document in same) and rule == "exact name":
                others = ", ".join(sorted(document.file for document in same if document.id != at.document))
                documents = [document for document in same if document.id == at.document]
                rule, note = f"{rule}, the citing document itself", f"also called so: {others}"
        if len(documents) > 1:
            ids = tuple(document.id for document in documents)
            return Resolution(status="ambiguous", rule=rule, name=candidates.name, candidates=ids, note=note)
        path = tuple(element for element in reference.path if element[0] != "ref")
        entry = next(entry for entry in candidates.entries if entry.document.id == documents[0].id)
        target = self.target(documents[0], rule, note)._replace(part=self._part_named(entry, path))
        return self.place(target, reference, path, at)

    def place(
        self, target: Target, reference: Reference, path: tuple[PathElement, ...], at: Place | None
    ) -> Resolution:
        """Return the place that a path names in the target document."""
        document = target.document
        near = self.enclosing_section(at) if at is not None and at.document == document.id else None
        if target.part is not None:
            near = self.index(document.id).at(target.part.start)
            if not path and near is not None:
                return self.resolved(target, FoundPlace(near, target.part.start, target.part.end, None), reference)
        if not path:
            return self.whole(target)
        found = self._found(document, path, near, target.part)
        if found is None:
            return self.no_such(target, path)
        return self.resolved(target, found, reference)

    def _found(
        self, document: Document, path: tuple[PathElement, ...], near: Section | None, named: FilePart | None
    ) -> FoundPlace | None:
        """Return the place in the part of the file that is named or cites; in the whole file if that has no numbers."""
        part = named or self.part_around(document.id, near)
        if part is not None:
            index = self._indexes_of_parts(document.id, part)
            found = find_place(self._reader, document.id, index, path, near)
            if found is not None or named is not None or index.has_numbered(part.start, part.end):
                return found
        return find_place(self._reader, document.id, self.index(document.id), path, near)

    def whole(self, target: Target) -> Resolution:
        """Return the resolution to the whole document, at its first page."""
        page, label = self._reader.page_of(target.document.id, 0)
        return Resolution(
            status="resolved",
            rule=target.rule,
            name=target.name,
            document=target.document.id,
            file=target.document.file,
            page=page,
            page_label=label,
            note=joined(target.note, self._validity.of_document(target.document)),
        )

    def resolved(self, target: Target, found: FoundPlace, reference: Reference) -> Resolution:
        """Return the resolution to a place that was found, with the sections after it for an open end."""
        page, label = self._reader.page_of(target.document.id, found.start)
        section = found.section
        notes = [target.note, found.note, self._validity.of_document(target.document)]
        if section is not None:
            notes.append(self._validity.of_section(section))
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
            name=self._name_at(target, found.start),
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
            note=joined(*notes),
        )

    def _name_at(self, target: Target, offset: int) -> str:
        """Return the name of the document at a place of a file; the file may have only that of its first document."""
        parts = self._parts(target.document.id)
        part = part_at(parts, offset)
        return part.name if part is not None and names_first_part(target.name, parts) else target.name

    def no_such(self, target: Target, path: tuple[PathElement, ...], words: str = "") -> Resolution:
        """Return a resolution saying that the document is held but does not have the place."""
        spelled = " ".join(f"{unit} {value}".strip() for unit, value in path) or words
        return Resolution(
            status="missing",
            rule=f"{target.rule}; the document has no such section",
            name=f"{target.part.name if target.part else target.name} {spelled}".strip(),
            document=target.document.id,
            file=target.document.file,
            note=target.note,
        )
