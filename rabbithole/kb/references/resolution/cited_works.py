"""Resolves citations of literature: by the entry of the citing document's bibliography, or by an identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from rabbithole.kb.models import BibliographyEntry, Place, Reference, Resolution
from rabbithole.kb.references.bibliography.cited_entry import Bibliography, cited_label
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.edition_choice import Entry, Lookup
from rabbithole.kb.references.names.registry import Registry

from .held_works import HeldWorks, Works
from .results import CACHED, Resolutions

_OPENING = 3000
"""Characters at the beginning of a document in which its authors are named."""
_CALL_OUT = re.compile(r"(?:\s{1,2}\([^()\n]{1,20}\))?\s{0,2}\[(?P<label>[^\[\]\n]{1,30})\]")
"""A call-out behind a title, perhaps after its abbreviation: "Path Discovery (PD) [12]"."""
_BEHIND = 60
"""Characters after a title in which its call-out may stand."""
_LONGER = re.compile(r"\b(?!The\b)[A-Z][\w-]*[\s-]{1,2}\Z")
"""The word before a title that is the end of a longer one: "Lightweight Path Discovery"."""
_ENTRY = 200
"""Characters read where a link into the bibliography leads."""


class _CallOut(NamedTuple):
    """A call-out behind a title: where the title starts, the label, and whether the title is no end of a longer one."""

    start: int
    label: str
    whole: bool


class CitedWorks:
    """The works that documents cite. Bibliographies of recent documents are cached."""

    def __init__(self, reader: CorpusReader, registry: Registry, resolutions: Resolutions) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = resolutions
        self._bibliography = lru_cache(CACHED)(lambda document: Bibliography(reader.bibliography(document)))
        self._labels = lru_cache(CACHED)(self._labels_behind)

    @cached_property
    def _held(self) -> HeldWorks:
        return HeldWorks(self._registry, lambda document: self._reader.text(document, 0, _OPENING))

    def bibliography(self, document: str) -> Bibliography:
        """Return the bibliography of a document, by its id."""
        return self._bibliography(document)

    def resolve(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a call-out by its bibliography entry, or without one by its label if that is a name ('[RFC2119]')."""
        entry = self.bibliography(at.document).find(reference) if at is not None else None
        entry = entry or (self.linked_entry(reference, at) if at is not None else None)
        if entry is not None and at is not None:
            return self.of_works(self.described_by(entry, collections), reference, at)
        label = cited_label(reference)
        lookup = self._registry.lookup(label, collections=collections)
        if lookup.entries and lookup.rule.startswith("exact") and any(letter.isalpha() for letter in label):
            return self._resolutions.of_candidates(lookup._replace(rule=f"{lookup.rule} as label"), reference, at)
        return Resolution(
            status="missing", rule="no entry in the bibliography", name=reference.target or reference.text
        )

    def entry_beside(self, title: str, at: Place) -> BibliographyEntry | None:
        """Return the entry of the call-out behind a title, or of the only one behind it elsewhere in the document."""
        entries = self.bibliography(at.document)
        if not entries.entries:
            return None
        labels = self._labels(at.document, title)
        here = next((one.label for one in labels if one.start == at.offset), None)
        meant = {here} if here is not None else {one.label for one in labels if one.whole}
        return entries.labelled(meant.pop()) if len(meant) == 1 else None

    def _labels_behind(self, document: str, title: str) -> tuple[_CallOut, ...]:
        """Return the call-outs behind a title in a document."""
        text = self._reader.text(document)
        found = []
        for named in re.finditer(r"\s{1,2}".join(map(re.escape, title.split())), text):
            if call_out := _CALL_OUT.match(text, named.end(), named.end() + _BEHIND):
                whole = not _LONGER.search(text, max(0, named.start() - _BEHIND), named.start())
                found.append(_CallOut(named.start(), call_out["label"], whole))
        return tuple(found)

    def address(self, reference: Reference, collections: Sequence[str]) -> Resolution:
        """Resolve a web address by an identifier in it: DOI, arXiv id, RFC number."""
        documents, rule = self._held.by_address(reference.target, collections)
        if len(documents) == 1:
            return self._resolutions.whole(self._resolutions.target(documents[0], rule))
        return Resolution(status="missing", rule="an address outside the collection", name=reference.target)

    def described_by(self, entry: BibliographyEntry, collections: Sequence[str]) -> Works:
        """Return the works that an entry of a bibliography describes."""
        return self._held.works(entry, collections)

    def of_works(self, works: Works, reference: Reference, at: Place) -> Resolution:
        """Resolve to the works of an entry, without the citing document.

        A bibliography does not list its own document: an entry that seems to has picked up a page header.
        """
        entries = tuple(Entry(document, works.name, None) for document in works.documents if document.id != at.document)
        if not entries:
            return Resolution(status="missing", rule=works.rule, name=works.name, note=works.note)
        return self._resolutions.of_candidates(Lookup(entries, works.rule, works.name, note=works.note), reference, at)

    def linked_entry(self, reference: Reference, at: Place) -> BibliographyEntry | None:
        """Return the bibliography entry that a link leads to, or None."""
        entries = self.bibliography(at.document)
        if reference.goal is None or not entries.entries:
            return None
        return entries.entry_beginning(self._reader.text(at.document, reference.goal, reference.goal + _ENTRY))
