"""Resolves links: to another file, to a page or line of the same file, or by the words on which they stand."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.detection.merge import is_relative
from rabbithole.kb.references.names.books import book_of
from rabbithole.kb.references.names.designations.cfr_parts import part_of_code
from rabbithole.kb.references.names.designations.well_known_series import designation_of
from rabbithole.kb.references.names.registry import Registry

from .book_pages import PAGE_NOT_HELD, is_page
from .cited_works import CitedWorks
from .interpretation import work_of
from .named_documents import NamedDocuments
from .results import Resolutions, joined
from .sections.places import FoundPlace

_NUMBER_ALONE = re.compile(r"\(?(?P<number>\d{1,3}(?:\.\d{1,3}){1,5})\.?\)?")
_CAPTION = re.compile(r"\W*(?P<kind>Fig|Tab|Abb)[a-z]*\.?\s*(?P<number>\d+(?:[.-]\d+)*)")

ResolveWords = Callable[[Reference, Place, Sequence[str]], Resolution]
"""Resolves a reference by its words, found at a place, among the documents of some collections."""


class LinkTargets:
    """Finds where links lead."""

    def __init__(
        self,
        reader: CorpusReader,
        registry: Registry,
        resolutions: Resolutions,
        cited: CitedWorks,
        named: NamedDocuments,
        by_words: ResolveWords,
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = resolutions
        self._cited = cited
        self._named = named
        self._by_words = by_words

    def within_file(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution:
        """Resolve a link annotation: it gives the page exactly, and its words may name the place on it more exactly."""
        document = self._registry.documents.get(at.document)
        if document is None or reference.page is None or 0 < document.pages <= reference.page:
            return Resolution(status="missing", rule="the link's page does not exist", name=reference.target)
        if entry := self._cited.linked_entry(reference, at):
            return self._cited.of_works(self._cited.described_by(entry, collections), reference, at)
        index = self._resolutions.index(at.document)
        start, end = self._reader.page_span(at.document, reference.page)
        led_to = index.at(start)
        if reference.goal is not None:
            start, led_to = reference.goal, index.at(reference.goal)
            end = led_to.end if led_to is not None and led_to.start == start else max(start, end)
        elif headed := index.headed(reference.text, reference.page):
            start, end, led_to = headed.start, headed.end, headed
        captioned = self._captioned(reference, at.document, start)
        if not captioned and (read := self._read_words(reference, at, collections)):
            same = read.document == at.document and (led_to is None or read.section == led_to.id)
            if same or (read.document == at.document and read.page == reference.page):
                return read.model_copy(update={"rule": f"link of the PDF; {read.rule}"})
            if read.document != at.document:
                return read
            label = led_to.label if led_to is not None else f"page {reference.page + 1}"
            note = f"the link leads elsewhere, to {label}; the number in its words is taken"
            return read.model_copy(update={"note": joined(read.note, note)})
        if missing := self._missing_by_number(reference, at, collections):
            return missing
        target = self._resolutions.target(document, "link of the PDF")
        return self._resolutions.resolved(target, FoundPlace(led_to, start, end, None), reference)

    def _captioned(self, reference: Reference, document: str, start: int) -> bool:
        """Return whether a link on 'Fig. 3' leads to the caption of figure 3, which its words alone may not find."""
        found = _CAPTION.match(self._reader.text(document, start, start + 40))
        words = _CAPTION.match(reference.text)
        return bool(found and words and (found["kind"][0], found["number"]) == (words["kind"][0], words["number"]))

    def _missing_by_number(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Return "missing" for a link whose words name a document that is not held; it only leads to a bibliography."""
        name = reference.document
        if not name or not (designation_of(name) or work_of((name,)) != "other" or part_of_code(name, reference.path)):
            return None
        named = self._named.resolve(reference.model_copy(update={"method": "grammar"}), name, at, collections)
        return named if named.status == "missing" else None

    def _read_words(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve the words of a link on their own: a place or document they name, or the bare number of a section."""
        words = reference
        if not (reference.path or reference.document):
            number = _NUMBER_ALONE.fullmatch(reference.text.strip())
            if number is None or len(self._resolutions.index(at.document).plain(number["number"])) != 1:
                return None
            words = reference.model_copy(update={"path": (("section", number["number"]),)})
        read = self._by_words(words.model_copy(update={"method": "grammar"}), at, collections)
        return read if read.status == "resolved" and (read.section or read.document != at.document) else None

    def to_page(self, reference: Reference, file: str, at: Place, collections: Sequence[str]) -> Resolution:
        """Resolve "Section 4.2" with a link to a page: to that section of it, or to the page; else by its words."""
        page = self._linked_file(file, at)
        if page is None:
            read = self._by_words(reference.model_copy(update={"file": None, "method": "grammar"}), at, collections)
            return read if read.status != "missing" else self._absent_page(file, at) or read
        if outside := self._outside(page, collections):
            return outside
        target = self._resolutions.target(page, "link to a page of the collection")
        placed = self._resolutions.place(target, reference, reference.path, None)
        return placed if placed.status == "resolved" else self._resolutions.whole(target)

    def address(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve an address as a link to a held file, or by an identifier in it (DOI, arXiv id, RFC number)."""
        if reference.method == "link" and at is not None:
            if held := self._linked_file(reference.target, at):
                target = self._resolutions.target(held, "link to a file of the collection")
                return self._outside(held, collections) or self._resolutions.whole(target)
            if absent := self._absent_page(reference.target, at):
                return absent
        return self._cited.address(reference, collections)

    def _outside(self, linked: Document, collections: Sequence[str]) -> Resolution | None:
        """Return that a linked file is missing if its collection is not among those asked for (all if empty)."""
        if not collections or linked.collection in collections:
            return None
        return Resolution(
            status="missing",
            rule="link to a file of a collection that is not asked for",
            name=self._registry.proper_name(linked),
        )

    def _absent_page(self, file: str, at: Place) -> Resolution | None:
        """Return that a page of the same site is not held; None if the link leads to no page but to a picture."""
        citing = self._registry.documents.get(at.document)
        if citing is None or not is_relative(file) or not is_page(file):
            return None
        name = book_of(citing) or posixpath.dirname(citing.file) or citing.collection
        return Resolution(status="missing", rule=PAGE_NOT_HELD, name=name, note=file.partition("#")[0])

    def _linked_file(self, target: str, at: Place) -> Document | None:
        """Return the document that a relative link names, '../rules/a.html#s3': a file of the citing collection."""
        citing = self._registry.documents.get(at.document)
        path = target.partition("#")[0].partition("?")[0]
        if citing is None or not path or not is_relative(target):
            return None
        file = posixpath.normpath(posixpath.join(posixpath.dirname(citing.file), path))
        found = self._registry.store.of_file(citing.collection, file)
        return self._registry.documents.get(found[-1]) if found else None
