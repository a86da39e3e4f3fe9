"""Resolves citations of literature: from the call-out to the bibliography entry, and from there to a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import NamedTuple

from rapidfuzz import fuzz, process

from rabbithole.kb.models import BibliographyEntry, Document, Reference
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.names.name_keys import NameKey, fold, name_key, numbers, words
from rabbithole.kb.references.names.registry import Registry
from rabbithole.kb.references.names.stored.stored_titles import StoredTitles
from rabbithole.kb.references.names.stored.title_keys import identifier_key

from .titles_in_entries import TitleFinder

_TITLE_LIKENESS = 92.0
"""Minimum similarity of titles, of 100; titles in bibliographies differ by punctuation or a word, not by more."""
_SHOWN = 30
"""Letters at an entry's beginning by which it is recognised in the text."""
_LABEL = 12
"""Letters that the entry's label may take up there."""
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
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)([a-z])?\b")
_NAME = re.compile(r"[^\W\d_][\w'’-]+")
_SMALL = frozenset({"et", "al", "und", "and", "u", "a", "see", "siehe", "vgl", "cf", "eds", "ed", "hrsg", "e", "g"})


class Works(NamedTuple):
    """The documents an entry leads to. ``name`` is the entry's text, for people who want to acquire the work."""

    documents: tuple[Document, ...]
    rule: str
    name: str
    note: str = ""


def label_key(label: str) -> str:
    """Return the key of a label: '[RFC-2104]', 'RFC2104' -> 'rfc2104'; hyphens and brackets do not matter."""
    return re.sub(r"[^0-9a-zäöüß+]", "", fold(label).casefold())


class Bibliography:
    """The entries of one document's bibliography by label, and by authors and year."""

    def __init__(self, entries: Sequence[BibliographyEntry]) -> None:
        self.entries = tuple(entries)
        self._shown = [(entry, _letters(entry.text)[:_SHOWN]) for entry in self.entries]
        self._by_label: dict[str, list[BibliographyEntry]] = {}
        for entry in self.entries:
            if entry.label:
                self._by_label.setdefault(label_key(entry.label), []).append(entry)

    def labelled(self, label: str) -> BibliographyEntry | None:
        """Return the entry with this label, or None if there is none or several differ."""
        found = self._by_label.get(label_key(label), [])
        exact = [entry for entry in found if fold(entry.label) == fold(label).strip("[]")]
        chosen = exact or found
        return chosen[0] if len({entry.text for entry in chosen}) == 1 else None

    def author_year(self, cited: str) -> BibliographyEntry | None:
        """Return the entry of a citation such as '(Müller et al., 2019a)' if it is the only one that fits."""
        years = _YEAR.findall(cited)
        names = [
            name for name in _NAME.findall(_YEAR.sub(" ", cited)) if name.casefold() not in _SMALL and name[0].isupper()
        ]
        if not years or not names:
            return None
        year, letter = years[-1]
        found = [entry for entry in self.entries if entry.year[:4] == year and _has_author(entry, names[0])]
        for refine in (
            lambda entry: entry.year[4:] == letter,
            lambda entry: all(_has_author(entry, name) for name in names),
            lambda entry: _first_author(entry, names[0]),
        ):
            narrowed = [entry for entry in found if refine(entry)]
            found = narrowed or found
            if len(found) == 1:
                break
        return found[0] if len(found) == 1 else None

    def standing_at(self, text: str) -> BibliographyEntry | None:
        """Return the entry that ``text`` begins with, label apart; used for links into the bibliography."""
        letters = _letters(text)[: _SHOWN + _LABEL]
        found = [each for each, shown in self._shown if shown and shown in letters]
        return found[0] if len(found) == 1 else None

    def find(self, reference: Reference) -> BibliographyEntry | None:
        label = cited_label(reference)
        if reference.kind == "academic_shortform":
            return self.labelled(label) or self.author_year(reference.target) or self.author_year(reference.text)
        return self.labelled(label)


def _letters(text: str) -> str:
    return "".join(char for char in fold(text[:200]).casefold() if char.isalnum())


def cited_label(reference: Reference) -> str:
    """Return the label of a call-out: its 'ref' element, else its target without brackets."""
    values = [value for unit, value in reference.path if unit == "ref"]
    return values[0] if values else reference.target.strip("[]() ")


class Library:
    """The documents of the knowledge base by identifier and by title."""

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
        found = [*self._standing_in(entry), *self._alike(name_key(entry.title))]
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

    def _standing_in(self, entry: BibliographyEntry) -> list[str]:
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
        names = [name for name in _NAME.findall(people) if len(name) > 2 and name.casefold() not in _SMALL]
        return any(name[0].isupper() and name.casefold() in opening for name in names)


def _agrees(entry: BibliographyEntry, document: Document) -> bool:
    """Return whether the years of entry and document do not contradict each other (they may differ by one)."""
    held = next((str(document.metadata[field]) for field in ("year", "date") if document.metadata.get(field)), "")
    found = _YEAR.search(held)
    return not (found and entry.year) or abs(int(found[1]) - int(entry.year[:4])) <= 1


def _within(documents: Sequence[Document], collections: Sequence[str]) -> tuple[Document, ...]:
    return tuple(document for document in documents if not collections or document.collection in collections)


def _has_author(entry: BibliographyEntry, name: str) -> bool:
    sought = fold(name).casefold()
    people = entry.authors or (entry.text[:200],)
    return any(sought in {word.casefold() for word in _NAME.findall(fold(person))} for person in people)


def _first_author(entry: BibliographyEntry, name: str) -> bool:
    first = entry.authors[0] if entry.authors else entry.text[:60]
    return fold(name).casefold() in fold(first).casefold()
