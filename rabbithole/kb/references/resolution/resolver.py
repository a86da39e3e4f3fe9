"""Resolves references by key, never by similarity. A work that is not held is missing, by its proper name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from rabbithole.kb.models import BibliographyEntry, Document, Enumeration, Place, Reference, Resolution, Section
from rabbithole.kb.references.detection.detect import detect
from rabbithole.kb.references.detection.merge import is_relative
from rabbithole.kb.references.names.abbreviations import spelled_out
from rabbithole.kb.references.names.books import book_of
from rabbithole.kb.references.names.cfr_parts import part_of_code, sibling_part, without_part
from rabbithole.kb.references.names.designation import designation_of
from rabbithole.kb.references.names.editions import EXACT_DAY, Entry, Lookup, version_asked
from rabbithole.kb.references.names.entering import generic_key
from rabbithole.kb.references.names.german_nominative import nominative, with_kind
from rabbithole.kb.references.names.multipart_standards import sibling_volume, volume_of
from rabbithole.kb.references.names.name_keys import base_form
from rabbithole.kb.references.names.registry import Registry

from .book_pages import PAGE_NOT_HELD, Books, is_page
from .enumeration_owner import owner
from .family import settle
from .literature import Bibliography, Library, Works, cited_label
from .places import FoundPlace, find_in_section
from .reader import Reader
from .relative_base import Interpretation, read_relative, work_of
from .results import Resolutions, Target
from .section_index import number_key, path_key
from .section_parts import paragraph_at

_SENTENCE = 160
"""Characters after a mention in which its version may be stated."""
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-ZÄÖÜ(])|\n\n")
_OF_THIS = re.compile(r"\b(?:of this|dieser|dieses|this)\b")
_OF_KIND = re.compile(
    r"\b(?:der|des|die|dem)\s+(?P<kind>[A-ZÄÖÜ]\w*?(?:ordnung|satzung|richtlinie|vertrag(?=e?s?$)|vereinbarung)|Satzung)(?:en|e?s)?$"
)
_SECTION_KINDS = frozenset({"§", "art", "section", "anlage", "anhang", "annex", "appendix"})
_LETTERED = re.compile(r"(?P<number>\d+)(?P<letter>[a-z])")
"""'paragraph 117b)': the letter is an item of the paragraph."""
_NUMBER_ALONE = re.compile(r"\(?(?P<number>\d{1,3}(?:\.\d{1,3}){1,5})\.?\)?")
_CAPTION = re.compile(r"\W*(?P<kind>Fig|Tab|Abb)[a-z]*\.?\s*(?P<number>\d+(?:[.-]\d+)*)")
_REMEMBERED = 256
"""Number of documents, and of abbreviations in them, whose results are cached."""
_OPENING = 3000
"""Characters at the beginning of an ordinance in which it names the act that authorises it."""


class Resolver:
    """Resolves references among a reader's documents. Results for recent documents are cached for a generation."""

    def __init__(self, reader: Reader, registry: Registry) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = Resolutions(reader, registry)
        self._books = Books(reader)
        self._bibliography = lru_cache(_REMEMBERED)(lambda document: Bibliography(reader.bibliography(document)))
        self._enabling = lru_cache(_REMEMBERED)(self._first_act)
        self._abbreviation = lru_cache(_REMEMBERED)(self._look_spelled_out)
        self._called = lru_cache(_REMEMBERED)(self._hold_in_common)

    @cached_property
    def _library(self) -> Library:
        return Library(self._registry, lambda document: self._reader.text(document, 0, _OPENING))

    def resolve(self, reference: Reference, at: Place | None = None, collections: Sequence[str] = ()) -> Resolution:
        """Return where ``reference``, found at ``at``, leads among the documents of ``collections`` (all if empty)."""
        academic = reference.kind in ("academic_numbered", "academic_shortform")
        if reference.method == "link" and reference.page is not None and at is not None and not academic:
            return self._link(reference, at, collections)
        if reference.kind == "external":
            return self._external(reference, at, collections)
        if reference.file and at is not None:
            return self._page_linked(reference, reference.file, at, collections)
        if academic:
            return self._literature(reference, at, collections)
        if reference.document:
            return self._named(reference, reference.document, at, collections)
        kind = _OF_KIND.search(" ".join(reference.text.split())) if at is not None else None
        if kind and at is not None and (found := self._of_family(kind["kind"], reference, at, collections)):
            return found
        return self._relative(reference, at, collections)

    def standing(self, document: Document) -> str:
        """Return what the collection says against a document being in force: what replaced it, its status; or ''."""
        return self._resolutions.standing_of(document)

    @property
    def registry(self) -> Registry:
        return self._registry

    def bibliography(self, document: str) -> Bibliography:
        return self._bibliography(document)

    def _named(self, reference: Reference, name: str, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a document named in the text: by a label of the citing bibliography, else by the registry."""
        if at is not None and (entry := self.bibliography(at.document).labelled(name.strip("[]"))):
            works = self._library.works(entry, collections)
            if works.documents or not self._names_a_work(name):
                return self._settled_works(works, reference, at)
        if volume := sibling_volume((name,), reference.path):
            return self._named(reference.model_copy(update={"path": reference.path[1:]}), volume, None, collections)
        if book := self._of_book(name, reference, at, collections):
            return book
        if at is not None and (meant := self._of_family(name, reference, at, collections)):
            return meant
        lookup = self._registry.lookup(name, edition=reference.edition, collections=collections)
        if not lookup.entries and (volume := volume_of(name, reference.path)):
            return self._named(reference.model_copy(update={"path": reference.path[1:]}), volume, None, collections)
        if not lookup.entries and (part := part_of_code(name, reference.path)):
            held = self._registry.lookup(part, collections=collections)
            if held.entries:
                inside = reference.model_copy(update={"path": without_part(reference.path)})
                return self._settled(held.entries, f"{held.rule} of the part", held.name, held.note, inside, at)
        if len(lookup.entries) != 1 and at is not None:
            lookup = self._spelled_out(name, at.document, collections) or lookup
        if not lookup.entries:
            name = with_kind(_spoken(lookup), reference.text)
            return Resolution(status="missing", rule=lookup.rule, name=name, note=lookup.note)
        note = "; ".join(each for each in (lookup.note, self._version_asked(reference, at)) if each)
        return self._settled(lookup.entries, lookup.rule, lookup.name, note, reference, at)

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
        return self._settled(entries, meant.rule, meant.name, "", reference, None)

    def _around(self, reference: Reference, at: Place) -> tuple[str, str]:
        """Return the text before and after a mention, up to the ends of its sentence."""
        if at.offset is None:
            return "", ""
        end = at.offset + len(reference.text)
        standing = self._resolutions.standing(at)
        above = self._resolutions.index(at.document).ancestors(standing) if standing else ()
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

    def _settled_works(self, works: Works, reference: Reference, at: Place) -> Resolution:
        """Resolve to the works of an entry, without the citing document.

        A bibliography does not list its own document: an entry that seems to has picked up a page header.
        """
        entries = tuple(Entry(document, works.name, None) for document in works.documents if document.id != at.document)
        if not entries:
            return Resolution(status="missing", rule=works.rule, name=works.name, note=works.note)
        return self._settled(entries, works.rule, works.name, works.note, reference, at)

    def _settled(
        self, entries: tuple[Entry, ...], rule: str, name: str, note: str, reference: Reference, at: Place | None
    ) -> Resolution:
        """Return the resolution to a single document; of several, to the one in the citing document's collection."""
        documents = [entry.document for entry in entries]
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
            candidates = tuple(document.id for document in documents)
            return Resolution(status="ambiguous", rule=rule, name=name, candidates=candidates, note=note)
        path = tuple(element for element in reference.path if element[0] != "ref")
        target = Target(documents[0], self._registry.proper_name(documents[0]), rule, note)
        return self._resolutions.place(target, reference, path, at)

    def _relative(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a reference without a document from the place it stands in, else where its number can belong."""
        resolved = self._read(reference, at, collections)
        if resolved.status != "missing" or at is None or not reference.path:
            return resolved
        return self._numbered_paragraph(reference, at) or self._cited_act(reference, at, collections) or resolved

    def _numbered_paragraph(self, reference: Reference, at: Place) -> Resolution | None:
        """Resolve 'paragraph 53 above' in a document whose paragraphs are numbered throughout."""
        own = self._registry.documents.get(at.document)
        unit, value = reference.path[0]
        lettered = _LETTERED.fullmatch(value)
        number = lettered["number"] if lettered else value
        sections = self._resolutions.index(at.document).plain(number) if unit in ("paragraph", "Nr") else ()
        if own is None or len(sections) != 1:
            return None
        inner = (("paragraph", lettered["letter"]),) if lettered else ()
        target = Target(own, self._registry.proper_name(own), "a numbered paragraph of the document it stands in")
        return self._resolutions.place(target, reference, (("section", number), *inner, *reference.path[1:]), None)

    def _cited_act(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve 'section 92(2)' in a document without such a section: to the act it cites, if that has one."""
        if not reference.antecedent or (reference.relative and reference.path[0][0] != "paragraph"):
            return None
        unit, value = reference.path[0]
        whole = reference.model_copy(update={"path": (("section", value), *reference.path[1:])})
        found = self._named(whole if unit == "paragraph" else reference, reference.antecedent, at, collections)
        if found.status != "resolved" or found.section is None or found.document == at.document:
            return None
        note = "the document has no such section; the act whose sections it cites is taken"
        return found.model_copy(
            update={
                "rule": f"the document whose sections are cited here: {found.rule}",
                "note": "; ".join(each for each in (found.note, note) if each),
            }
        )

    def _read(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        own = self._registry.documents.get(at.document) if at is not None else None
        reading = read_relative(reference, work_of(self._registry.names_of(own.id)) if own else None)
        if other := self._other_document(reference, reading, own, at):
            resolved = self._named(reference, other, at, collections)
            rule = reading.rule if reading.base == "enabling" else "the document last named"
            return resolved.model_copy(update={"rule": f"{rule}: {resolved.rule}"})
        if own is None or at is None or reading.base in ("enabling", "unknown"):
            rule = "names no document, and where it stands is not known" if own is None else reading.rule
            return Resolution(status="missing", rule=rule, name=reference.target or reference.text)
        if reading.base == "own_or_antecedent" and reference.enumeration is not None:
            return self._enumerated(reference, reference.enumeration, reading, own, at, collections)
        return self._read_in(own, reference, reading, at, collections)

    def _enumerated(
        self,
        reference: Reference,
        enumeration: Enumeration,
        reading: Interpretation,
        own: Document,
        at: Place,
        collections: Sequence[str],
    ) -> Resolution:
        """Resolve a section of an enumeration followed by a law's name: to that law or to the citing document."""
        lookup = self._registry.lookup(enumeration.document, edition=enumeration.edition, collections=collections)
        shared = lookup.entries[0].document if len(lookup.entries) == 1 else None
        meant = owner(self._reader, self._resolutions, enumeration, own, self._resolutions.standing(at), shared)
        if meant == "shared":
            of_it = reference.model_copy(update={"edition": enumeration.edition})
            resolved = self._named(of_it, enumeration.document, at, collections)
            return resolved.model_copy(update={"rule": f"the law the enumeration names: {resolved.rule}"})
        resolved = self._read_in(own, reference, reading, at, collections)
        if meant == "own":
            return resolved
        note = f"the enumeration goes on to name {_spoken(lookup)}, which may be meant instead"
        return resolved.model_copy(update={"note": "; ".join(each for each in (resolved.note, note) if each)})

    def _read_in(
        self, own: Document, reference: Reference, reading: Interpretation, at: Place, collections: Sequence[str]
    ) -> Resolution:
        """Resolve a relative reference inside the citing document."""
        target = Target(own, self._registry.proper_name(own), reading.rule)
        standing = self._resolutions.standing(at)
        if reading.step != "this":
            return self._step(target, reference, reading, standing)
        if reading.within_section or not reference.path:
            return self._inside(target, reference, reading, at, standing)
        names = self._registry.names_of(own.id)
        volume = sibling_volume(names, reference.path)
        if volume and (_OF_THIS.search(reference.text) or not self._resolutions.index(own.id).find(*reference.path[0])):
            return self._named(reference.model_copy(update={"path": reference.path[1:]}), volume, None, collections)
        sibling = sibling_part(names, reference.path)
        if sibling and not self._resolutions.index(own.id).find(*reference.path[0]):
            inside = reference.model_copy(update={"path": without_part(reference.path)})
            return self._named(inside, sibling, None, collections)
        if sister := self._on_sister_page(own, reference):
            return sister
        found = self._resolutions.place(target, reference, reference.path, at)
        if found.status == "missing" and not self._resolutions.index(own.id).can_have(*reference.path[0]):
            rule = "a number of another document, which is not named"
            return Resolution(status="missing", rule=rule, name=reference.target or reference.text)
        return found

    def _on_sister_page(self, own: Document, reference: Reference) -> Resolution | None:
        """Resolve a section that the citing page does not have to the page of the same book that has it.

        "Chapter 7" on a page with sections 1 to 9 of chapter 44 is no section of that page.
        """
        book = self._books.of(own)
        if book is None:
            return None
        here = self._resolutions.index(own.id).find(*reference.path[0])
        asked = path_key(*reference.path[0])
        if here and (asked.kind != "chapter" or any(number_key(each.number) == asked for each in here)):
            return None
        found = self._books.page_with(book, reference.path, own, exact=bool(here))
        if found is None:
            return None
        page, path = found
        target = Target(page, self._registry.proper_name(page), "a page of the same book")
        return self._resolutions.place(target, reference, path, None)

    def _other_document(
        self, reference: Reference, reading: Interpretation, own: Document | None, at: Place | None
    ) -> str | None:
        """Return the name of the document meant if it is not the citing one, else None."""
        if own is not None and (reading.base == "enabling" or self._before_sections(own, reference, at)):
            named = reference.antecedent if reading.base != "enabling" else None
            act = base_form(named) if named else ""
            amends = act.startswith("Gesetz vom")  # the act that changed the section, named later in the formula
            return named if work_of((act,)) == "act" and not amends else self._enabling_act(own)
        if not reference.antecedent:
            return None
        elsewhere = reading.base == "own_or_antecedent" and not (own and self._divided_so(own, reference))
        return reference.antecedent if reading.base == "antecedent" or elsewhere or own is None else None

    def _enabling_act(self, own: Document) -> str | None:
        """Return the first act that the title or the opening of an ordinance names."""
        return self._enabling(own.id, own.title)

    def _first_act(self, document: str, title: str) -> str | None:
        opening = f"{title}.\n{self._reader.text(document, 0, _OPENING)}"
        acts = [found.document for found in detect(opening, language="de") if found.document]
        return next((act for act in acts if work_of((base_form(act),)) == "act"), None)

    def _before_sections(self, own: Document, reference: Reference, at: Place | None) -> bool:
        """Return whether it stands before an ordinance's own § 1, where the sections that authorise it are named."""
        if reference.document or at is None or at.offset is None or not reference.path or reference.path[0][0] != "§":
            return False
        sections = self._resolutions.index(own.id).sections
        first = next((each.start for each in sections if number_key(each.number).kind == "§"), None)
        return first is not None and at.offset < first and work_of(self._registry.names_of(own.id)) == "ordinance"

    def _divided_so(self, own: Document, reference: Reference) -> bool:
        """Return whether the citing document has sections of this kind; otherwise a bare number belongs to another."""
        unit = reference.path[0][0] if reference.path else ""
        return unit not in ("§", "Art") or path_key(unit, "").kind in self._resolutions.index(own.id).kinds

    def _step(
        self, target: Target, reference: Reference, reading: Interpretation, standing: Section | None
    ) -> Resolution:
        """Resolve to the section before or after the one it stands in."""
        if standing is None:
            return self._resolutions.no_such(target, reference.path, reference.text)
        index = self._resolutions.index(target.document.id)
        numbered = next((each for each in index.ancestors(standing) if each.number), standing)
        after = index.successors(numbered, 1)
        other = index.predecessor(numbered) if reading.step == "previous" else (after[0] if after else None)
        if other is None:
            return self._resolutions.no_such(target, reference.path, reference.text)
        return self._resolutions.resolved(target, FoundPlace(other, other.start, other.end, None), reference)

    def _inside(
        self, target: Target, reference: Reference, reading: Interpretation, at: Place, standing: Section | None
    ) -> Resolution:
        """Resolve 'Absatz 3', 'Satz 2' inside the section of the reference; deeper units inside its paragraph."""
        if standing is None or not reading.within_section:
            return self._resolutions.whole(target)
        index = self._resolutions.index(target.document.id)
        sections = [each for each in index.ancestors(standing) if number_key(each.number).kind in _SECTION_KINDS]
        section = sections[0] if sections else standing
        path = reference.path
        if (
            path[0][0] in ("Satz", "Nr", "Buchst")
            and at.offset is not None
            and (around := self._paragraph_around(section, at.offset))
        ):
            path = (("Abs", around), *path)
        found = find_in_section(self._reader, target.document.id, index, section, path)
        if found.missing == reference.path[0]:
            unit = reference.path[0][0]
            first = ((unit, "a" if unit in ("Buchst", "DBuchst") else "1"),)
            if find_in_section(self._reader, target.document.id, index, section, first).missing:
                rule = "the section it stands in has no such parts; something else is meant"
                return Resolution(status="missing", rule=rule, name=reference.target or reference.text)
            return self._resolutions.no_such(target, ((section.number or section.heading, ""), *reference.path))
        return self._resolutions.resolved(target, found, reference)

    def _paragraph_around(self, section: Section, offset: int) -> str | None:
        """Return the number of the paragraph '(3)' that contains an offset."""
        text = self._reader.text(section.document, section.start, section.end)
        return paragraph_at(text, offset - section.start)

    def _literature(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a call-out by its bibliography entry, or without one by its label if that is a name ('[RFC2119]')."""
        entry = self.bibliography(at.document).find(reference) if at is not None else None
        entry = entry or (self._linked_entry(reference, at) if at is not None else None)
        if entry is not None and at is not None:
            return self._settled_works(self._library.works(entry, collections), reference, at)
        label = cited_label(reference)
        lookup = self._registry.lookup(label, collections=collections)
        if lookup.entries and lookup.rule.startswith("exact") and any(letter.isalpha() for letter in label):
            return self._settled(lookup.entries, f"{lookup.rule} as label", lookup.name, lookup.note, reference, at)
        return Resolution(
            status="missing", rule="no entry in the bibliography", name=reference.target or reference.text
        )

    def _external(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve an address by an identifier in it (DOI, arXiv id, RFC number) or as a link to a held file."""
        if reference.method == "link" and at is not None and (held := self._linked_file(reference.target, at)):
            return self._resolutions.whole(
                Target(held, self._registry.proper_name(held), "link to a file of the collection")
            )
        if reference.method == "link" and at is not None and (absent := self._absent_page(reference.target, at)):
            return absent
        documents, rule = self._library.by_address(reference.target, collections)
        if len(documents) == 1:
            return self._resolutions.whole(Target(documents[0], self._registry.proper_name(documents[0]), rule))
        return Resolution(status="missing", rule="an address outside the collection", name=reference.target)

    def _page_linked(self, reference: Reference, file: str, at: Place, collections: Sequence[str]) -> Resolution:
        """Resolve "Section 4.2" with a link to a page: to that section of it, or to the page; else by its words."""
        page = self._linked_file(file, at)
        if page is None:
            read = self.resolve(reference.model_copy(update={"file": None, "method": "grammar"}), at, collections)
            return read if read.status != "missing" else self._absent_page(file, at) or read
        target = Target(page, self._registry.proper_name(page), "link to a page of the collection")
        placed = self._resolutions.place(target, reference, reference.path, None)
        return placed if placed.status == "resolved" else self._resolutions.whole(target)

    def _absent_page(self, file: str, at: Place) -> Resolution | None:
        """Return that a page of the same site is not held; None if the link leads to no page but to a picture."""
        citing = self._registry.documents.get(at.document)
        if citing is None or not is_relative(file) or not is_page(file):
            return None
        name = book_of(citing) or posixpath.dirname(citing.file) or citing.collection
        return Resolution(status="missing", rule=PAGE_NOT_HELD, name=name, note=file.partition("#")[0])

    def _linked_file(self, target: str, at: Place) -> Document | None:
        """Return the document that a relative link names: '../rules/a.html#s3'."""
        citing = self._registry.documents.get(at.document)
        path = target.partition("#")[0].partition("?")[0]
        if citing is None or not path or not is_relative(target):
            return None
        file = posixpath.normpath(posixpath.join(posixpath.dirname(citing.file), path))
        found = self._registry.store.of_file(citing.collection, file)
        return self._registry.documents.get(found[-1]) if found else None

    def _link(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution:
        """Resolve a link annotation: it gives the page exactly, and its words may name the place on it more exactly."""
        document = self._registry.documents.get(at.document)
        if document is None or reference.page is None or 0 < document.pages <= reference.page:
            return Resolution(status="missing", rule="the link's page does not exist", name=reference.target)
        if entry := self._linked_entry(reference, at):
            return self._settled_works(self._library.works(entry, collections), reference, at)
        index = self._resolutions.index(at.document)
        start, end = self._reader.page_span(at.document, reference.page)
        led_to = index.at(start)
        if reference.goal is not None:
            start, led_to = reference.goal, index.at(reference.goal)
            end = led_to.end if led_to is not None and led_to.start == start else max(start, end)
        captioned = self._captioned(reference, at.document, start)
        if not captioned and (read := self._read_words(reference, at, collections)):
            same = read.document == at.document and (led_to is None or read.section == led_to.id)
            if same or (read.document == at.document and read.page == reference.page):
                return read.model_copy(update={"rule": f"link of the PDF; {read.rule}"})
            if read.document != at.document:
                return read
            label = led_to.label if led_to is not None else f"page {reference.page + 1}"
            note = f"the link leads elsewhere, to {label}; the number in its words is taken"
            return read.model_copy(update={"note": "; ".join(each for each in (read.note, note) if each)})
        if missing := self._missing_by_number(reference, at, collections):
            return missing
        target = Target(document, self._registry.proper_name(document), "link of the PDF")
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
        named = self._named(reference.model_copy(update={"method": "grammar"}), name, at, collections)
        return named if named.status == "missing" else None

    def _read_words(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve the words of a link on their own: a place or document they name, or the bare number of a section."""
        words = reference
        if not (reference.path or reference.document):
            number = _NUMBER_ALONE.fullmatch(reference.text.strip())
            if number is None or len(self._resolutions.index(at.document).plain(number["number"])) != 1:
                return None
            words = reference.model_copy(update={"path": (("section", number["number"]),)})
        read = self.resolve(words.model_copy(update={"method": "grammar"}), at, collections)
        return read if read.status == "resolved" and (read.section or read.document != at.document) else None

    def _linked_entry(self, reference: Reference, at: Place) -> BibliographyEntry | None:
        """Return the bibliography entry that a link leads to."""
        entries = self.bibliography(at.document)
        if reference.goal is None or not entries.entries:
            return None
        return entries.standing_at(self._reader.text(at.document, reference.goal, reference.goal + 200))


def _spoken(lookup: Lookup) -> str:
    """Return the name in the nominative with the edition asked for, but without the day an act was passed."""
    name = nominative(lookup.name)
    edition = lookup.edition or ""
    said = edition.casefold() in name.casefold().replace("rev. ", "rev ")
    return name if said or EXACT_DAY.fullmatch(edition) else f"{name} ({edition})"
