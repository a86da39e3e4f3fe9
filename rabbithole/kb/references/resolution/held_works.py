"""Finds the held documents that an entry of a bibliography, or an address, identifies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

from rapidfuzz import fuzz, process

from rabbithole.kb.models import BibliographyEntry, Document
from rabbithole.kb.references.bibliography.cited_entry import capitalised_names
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.name_keys import NameKey, fold, name_key, numbers, words
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.stored.stored_titles import StoredTitles
from rabbithole.kb.references.names.stored.title_keys import identifier_key

from .titles_in_entries import TitleFinder

_TITLE_LIKENESS = 92.0
"""Minimum similarity of titles, of 100; titles in bibliographies differ by punctuation or a word, not by more."""
_LEADING = 60
"""Characters within which an entry's number or abbreviation ends with a colon."""
_DRAFT = re.compile(r"work in progress|internet[- ]draft|\bdraft-[a-z]", re.I)
_RFC_ADDRESS = re.compile(
    r"(?:(?:rfc-editor\.org|ietf\.org)/\S*?\b|10\.17487/)rfc0*(\d{1,5})(?:\.\w+)?/?(?:#\S*)?$", re.I
)
_ADDRESSES = (
    ("doi", re.compile(r"(?:^|doi\.org/|doi:\s*)(10\.\d{4,9}/\S+)", re.I)),
    ("arxiv", re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|:\s*)(\S+)", re.I)),
)
_NAME_ENDS = re.compile(r"\s*(?:$|[,:;.(–-]|vom\b|in der\b|of\b|as amended)")
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)[a-z]?\b")


class Works(NamedTuple):
    """The documents an entry leads to. ``name`` is the entry's text, for people who want to acquire the work."""

    documents: tuple[Document, ...]
    rule: str
    name: str
    note: str = ""


class HeldWorks:
    """Finds works among the documents of the knowledge base, by identifier and by title."""

    def __init__(self, registry: Registry, opening: Callable[[str], str] = lambda document: "") -> None:
        """``opening`` returns the beginning of a document's text, where its authors are named."""
        self._registry = registry
        self._opening = opening
        self._titles = StoredTitles(registry.store)
        self._finder = TitleFinder(self._titles.beginning)

    def by_identifier(self, kind: str, value: str) -> tuple[Document, ...]:
        return self._held(self._titles.identified(kind, identifier_key(kind, value)))

    def _held(self, documents: Iterable[str]) -> tuple[Document, ...]:
        held = self._registry.documents
        return tuple(document for each in dict.fromkeys(documents) if (document := held.get(each)) is not None)

    def by_address(self, address: str, collections: Sequence[str] = ()) -> tuple[tuple[Document, ...], str]:
        """Return the documents that an address identifies, and the rule that found them."""
        if found := _RFC_ADDRESS.search(address):
            lookup = self._registry.lookup(f"RFC {found[1]}", collections=collections)
            return tuple(held.document for held in lookup.entries), "by the RFC's number in the address"
        for kind, pattern in _ADDRESSES:
            if found := pattern.search(address):
                return _within(self.by_identifier(kind, found[1]), collections), f"by {kind}"
        return (), ""

    def works(self, entry: BibliographyEntry, collections: Sequence[str] = ()) -> Works:
        """Return the documents an entry describes: by identifier, else by title (letters similar, digits equal)."""
        name = fold(entry.text) or entry.title
        for kind, value in entry.identifiers.items():
            documents = _within(self.by_identifier(kind, value), collections)
            if documents:
                return Works(documents, f"bibliography entry, by {kind}", name)
        for kind in ("rfc", "report"):
            value = entry.identifiers.get(kind, "")
            if value:
                lookup = self._registry.lookup(f"RFC {value}" if kind == "rfc" else value, collections=collections)
                documents = tuple(held.document for held in lookup.entries)
                if documents and lookup.rule.startswith("exact"):
                    return Works(documents, f"bibliography entry, by {kind} number", name, lookup.note)
                if kind == "rfc":
                    return Works((), "bibliography entry, not in the collection", f"RFC {value}")
        return self._by_name(entry, name, collections) or self._by_title(entry, name, collections)

    def _by_name(self, entry: BibliographyEntry, name: str, collections: Sequence[str]) -> Works | None:
        """Resolve an entry that begins with a law or standard and is not about one: 'AtG, in der Fassung ...'."""
        text = fold(entry.text)
        lead, colon, _ = text[:_LEADING].partition(":")
        if colon and any(map(str.isdigit, lead)):  # 'TR-12: Operation and Maintenance of ...'
            named = self._registry.lookup(lead, collections=collections)
            if named.entries and named.rule.startswith("exact"):
                documents = tuple(held.document for held in named.entries)
                return Works(documents, f"bibliography entry, {named.rule}", name, named.note)
        first = next(iter(detect(text[:400])), None)
        if first is None or first.start > 0 or not first.document or not _NAME_ENDS.match(text, first.end):
            return None
        lookup = self._registry.lookup(first.document, edition=first.edition, collections=collections)
        if not lookup.entries or not lookup.rule.startswith("exact"):
            return None
        documents = tuple(held.document for held in lookup.entries)
        return Works(documents, f"bibliography entry, {lookup.rule}", name, lookup.note)

    def _by_title(self, entry: BibliographyEntry, name: str, collections: Sequence[str]) -> Works:
        found = [*self._titles_within(entry), *self._alike(name_key(entry.title))]
        documents = _within(self._held(found), collections)
        if documents and _DRAFT.search(entry.text):
            held_title = documents[0].title
            return Works(
                (), "bibliography entry, a draft", name, f"a later document of this title is held: {held_title}"
            )
        agreeing = tuple(document for document in documents if _agrees(entry, document))
        if documents and not agreeing:
            return Works((), "bibliography entry, other year than the document of this title", name)
        if agreeing:
            return Works(agreeing, "bibliography entry, by title", name)
        return Works((), "bibliography entry, not in the collection", name)

    def _alike(self, key: NameKey) -> list[str]:
        """Return the documents whose title has the same numbers and, except for a few letters, the same words."""
        if len(words(key)) < 3:
            return []
        asked = " ".join(words(key))
        shortest = floor(len(asked) * _TITLE_LIKENESS / (200 - _TITLE_LIKENESS))
        longest = ceil(len(asked) * (200 - _TITLE_LIKENESS) / _TITLE_LIKENESS)  # others differ too much
        titles = self._titles.of_length(numbers(key), shortest, longest)
        held = [title for title, _ in titles]
        alike = process.extract(asked, held, scorer=fuzz.ratio, score_cutoff=_TITLE_LIKENESS, limit=None)
        return self._titles.in_order([titles[at][1] for _, _, at in alike]) if alike else []

    def _titles_within(self, entry: BibliographyEntry) -> list[str]:
        """Return documents whose whole title occurs in the entry; without its subtitle a surname must match too."""
        found = [
            document
            for document, whole, people in self._finder.find(fold(entry.text))
            if whole or self._written_by(document, people)
        ]
        shortened = self._finder.begun_with(fold(entry.title))
        return found + [each for each in shortened if self._written_by(each, " ".join(entry.authors))]

    def _written_by(self, document: str, people: str) -> bool:
        """Return whether one of these surnames occurs at the beginning of the document."""
        opening = fold(self._opening(document)).casefold()
        return any(len(name) > 2 and name.casefold() in opening for name in capitalised_names(people))


def _agrees(entry: BibliographyEntry, document: Document) -> bool:
    """Return whether the years of entry and document do not contradict each other (they may differ by one)."""
    held = next((str(document.metadata[field]) for field in ("year", "date") if document.metadata.get(field)), "")
    found = _YEAR.search(held)
    return not (found and entry.year) or abs(int(found[1]) - int(entry.year[:4])) <= 1


def _within(documents: Sequence[Document], collections: Sequence[str]) -> tuple[Document, ...]:
    return tuple(document for document in documents if not collections or document.collection in collections)
