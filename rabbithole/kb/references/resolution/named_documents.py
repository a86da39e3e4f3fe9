"""Resolves references that name a document: by the citing bibliography, as a book, in a family, by the registry."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rabbithole.kb.models import Document, Place, Reference, Resolution
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.abbreviations import spelled_out
from rabbithole.kb.references.names.designations.cfr_parts import part_of_code, without_part
from rabbithole.kb.references.names.designations.multipart_standards import sibling_volume, volume_of
from rabbithole.kb.references.names.edition_choice import EXACT_DAY, Entry, Lookup, version_asked
from rabbithole.kb.references.names.entering import generic_key
from rabbithole.kb.references.names.file_parts import file_parts, other_version, part_at
from rabbithole.kb.references.names.german_nominative import nominative, with_kind
from rabbithole.kb.references.names.name_keys import base_form
from rabbithole.kb.references.names.registry import Registry

from .book_pages import Books
from .cited_works import CitedWorks
from .family import settle
from .interpretation import work_of
from .results import CACHED, Resolutions, Target, joined

_SENTENCE = 160
"""Characters after a mention in which its version may be stated."""
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-ZÄÖÜ(])|\n\n")
_OF_KIND = re.compile(
    r"\b(?:der|des|die|dem)\s+(?P<kind>[A-ZÄÖÜ]\w*?(?:ordnung|satzung|richtlinie|vertrag(?=e?s?$)|vereinbarung)|Satzung)(?:en|e?s)?$"
)


class NamedDocuments:
    """Finds the document that a name means, and the place in it. What names mean in recent documents is cached."""

    def __init__(
        self, reader: CorpusReader, registry: Registry, resolutions: Resolutions, books: Books, cited: CitedWorks
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = resolutions
        self._books = books
        self._cited = cited
        self._abbreviation = lru_cache(CACHED)(self._look_spelled_out)
        self._called = lru_cache(CACHED)(self._hold_in_common)

    def resolve(self, reference: Reference, name: str, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a document named in the text: by a label of the citing bibliography, else by the registry."""
        if at is not None and (entry := self._cited.bibliography(at.document).labelled(name.strip("[]"))):
            works = self._cited.described_by(entry, collections)
            if works.documents or not self._names_a_work(name):
                return self._cited.of_works(works, reference, at)
        if at is not None and (cited := self._cited_beside(name, reference, at, collections)):
            return cited
        if volume := sibling_volume((name,), reference.path):
            return self.in_volume(reference, volume, collections)
        if book := self._of_book(name, reference, at, collections):
            return book
        if at is not None and (meant := self._of_family(name, reference, at, collections)):
            return meant
        lookup = self._registry.lookup(name, edition=reference.edition, collections=collections)
        if not lookup.entries and (volume := volume_of(name, reference.path)):
            return self.in_volume(reference, volume, collections)
        if not lookup.entries and (part := part_of_code(name, reference.path)):
            held = self._registry.lookup(part, collections=collections)
            if held.entries:
                inside = reference.model_copy(update={"path": without_part(reference.path)})
                return self._resolutions.of_candidates(held._replace(rule=f"{held.rule} of the part"), inside, at)
        if len(lookup.entries) != 1 and at is not None:
            lookup = self._spelled_out(name, at.document, collections) or lookup
        if not lookup.entries:
            name = with_kind(spoken(lookup), reference.text)
            return Resolution(status="missing", rule=lookup.rule, name=name, note=lookup.note)
        if other := self._other_version(lookup, reference, at):
            rule = "another version than the one held"
            return Resolution(status="missing", rule=rule, name=f"{name} {other}", note=lookup.note)
        note = joined(lookup.note, self._version_asked(reference, at))
        return self._resolutions.of_candidates(lookup._replace(note=note), reference, at)

    def _cited_beside(
        self, name: str, reference: Reference, at: Place, collections: Sequence[str]
    ) -> Resolution | None:
        """Resolve a title with a call-out behind it to the work cited, whatever other document has this title.

        Names with numbers and names of laws say themselves what they mean. An entry without an identifier that is not
        found is no proof that the work is not held.
        """
        if " " not in name or any(map(str.isdigit, name)) or work_of((name,)) != "other":
            return None
        entry = self._cited.entry_beside(name, at)
        titled = self._registry.lookup(name, collections=collections).entries if entry is not None else ()
        if titled and all(one.document.id == at.document for one in titled):
            return None  # the document's own title
        works = self._cited.described_by(entry, collections) if entry is not None else None
        if entry is None or works is None or not (works.documents or "rfc" in entry.identifiers):
            return None
        return self._cited.of_works(works, reference, at)

    def in_volume(self, reference: Reference, volume: str, collections: Sequence[str]) -> Resolution:
        """Resolve 'Part 2, section 4' of a standard in several volumes, of which ``volume`` is the name of part 2."""
        return self.resolve(reference.model_copy(update={"path": reference.path[1:]}), volume, None, collections)

    def of_kind(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve 'der Satzung' in the family of the citing document; None if the text names no such kind."""
        kind = _OF_KIND.search(" ".join(reference.text.split()))
        return self._of_family(kind["kind"], reference, at, collections) if kind else None

    def _of_book(
        self, name: str, reference: Reference, at: Place | None, collections: Sequence[str]
    ) -> Resolution | None:
        """Resolve the name of a manual whose pages are documents: to its page with the section, or to its first."""
        books = self._books.named(base_form(name), self._called(name))
        own = self._registry.documents.get(at.document) if at is not None else None
        wanted = (own.collection,) if own is not None and not collections else tuple(collections)
        fitting = [book for book in books if not wanted or book.collection in wanted] or list(books)
        if not fitting:
            return None
        if len(fitting) > 1:
            starts = tuple(self._books.start_of(book).id for book in fitting)
            return Resolution(status="ambiguous", rule="several books of this name", name=name, candidates=starts)
        (book,) = fitting
        found = self._books.page_with(book, reference.path, own)
        page, path = found or (self._books.start_of(book), ())
        target = Target(page, book.name, "the book of this name")
        if found is None and reference.path:
            return self._resolutions.no_such(target, reference.path)
        return self._resolutions.place(target, reference, path, None)

    def _hold_in_common(self, name: str) -> tuple[Document, ...]:
        """Return the documents that have a generic name, or the name of the book they are pages of."""
        called = self._registry.store.generic(generic_key(base_form(name)))
        return tuple(document for each in called if (document := self._registry.documents.get(each)))

    def _of_family(self, name: str, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve a name that many documents share ('Satzung') within the citing document's family, else None."""
        own = self._registry.documents.get(at.document)
        called = self._called(name)
        if own is None or not called:
            return None
        candidates = [
            each
            for each in called
            if each.collection == own.collection and (not collections or each.collection in collections)
        ]
        before, after = self._around(reference, at)
        written = " ".join(reference.text.split())
        rest = written.rpartition(base_form(name))[2] if base_form(name) in written else ""
        after = f"{rest} {after}"
        meant = settle(base_form(name), own, candidates, before, after)
        if not meant.documents:
            return Resolution(status="missing", rule=meant.rule, name=meant.name)
        entries = tuple(Entry(document, meant.name, None) for document in meant.documents)
        return self._resolutions.of_candidates(Lookup(entries, meant.rule, meant.name), reference, None)

    def _around(self, reference: Reference, at: Place) -> tuple[str, str]:
        """Return the text before and after a mention, up to the ends of its sentence."""
        if at.offset is None:
            return "", ""
        end = at.offset + len(reference.text)
        enclosing = self._resolutions.enclosing_section(at)
        above = self._resolutions.index(at.document).ancestors(enclosing) if enclosing else ()
        heading = " ".join(each.heading for each in above)
        before = self._reader.text(at.document, max(0, at.offset - _SENTENCE), at.offset)
        after = self._reader.text(at.document, end, end + _SENTENCE)
        before = f"{heading} {re.split(_SENTENCE_END, before)[-1]}"
        return before, re.split(r"(?<!\d)(?<!e)\.\s+(?=[A-ZÄÖÜ(])|\.?\n", after)[0]

    def _version_asked(self, reference: Reference, at: Place | None) -> str:
        """Return a note on the version that the citing text asks for, or ''."""
        if at is None or at.offset is None:
            return ""
        after = self._reader.text(at.document, at.offset, at.offset + len(reference.text) + _SENTENCE)
        when = version_asked(after[len(reference.text) :]) if after.startswith(reference.text) else ""
        return f"the text means the version {when}; see whether this is it" if when else ""

    def _other_version(self, lookup: Lookup, reference: Reference, at: Place | None) -> str:
        """Return the version that a text asks for of a document in a file that holds several, if another is held."""
        entry = lookup.entries[0]
        part = (
            part_at(file_parts(self._reader.outline(entry.document.id)), entry.part) if entry.part is not None else None
        )
        if part is None or at is None or at.offset is None:
            return ""
        end = at.offset + len(reference.text)
        return other_version(part.name, self._reader.text(at.document, end, end + _SENTENCE))

    def _names_a_work(self, name: str) -> bool:
        """Return whether a label is also the exact name of a law or standard ('[AtG]', '[KTA 1404]')."""
        lookup = self._registry.lookup(name)
        return lookup.rule.startswith("exact") and (work_of((name,)) != "other" or any(map(str.isdigit, name)))

    def _spelled_out(self, name: str, citing: str, collections: Sequence[str]) -> Lookup | None:
        """Look up what an abbreviation means in the citing document; None unless it is exactly one document's name."""
        if " " in name or not name[:1].isupper() or name == name.capitalize() or self._registry.known_name(name):
            return None
        return self._abbreviation(citing, name, tuple(collections))

    def _look_spelled_out(self, citing: str, name: str, collections: tuple[str, ...]) -> Lookup | None:
        longer = spelled_out(self._reader.text(citing), name)
        lookups = (self._registry.lookup(long, collections=collections) for long in longer)
        settled = (found for found in lookups if len(found.entries) == 1 and found.rule.startswith("exact"))
        found = next(settled, None)
        return found._replace(rule=f"abbreviation of the citing document, {found.rule}") if found else None


def spoken(lookup: Lookup) -> str:
    """Return the name in the nominative with the edition asked for, but without the day an act was passed."""
    name = nominative(lookup.name)
    edition = lookup.edition or ""
    said = edition.casefold() in name.casefold().replace("rev. ", "rev ")
    return name if said or EXACT_DAY.fullmatch(edition) else f"{name} ({edition})"
