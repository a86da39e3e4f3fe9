"""Resolves references that name no document: from the place they stand in, or in the document they imply."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.models import Document, Enumeration, Place, Reference, Resolution, Section
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.grammar.number_keys import number_key, path_key
from rabbithole.kb.references.names.designations.cfr_parts import sibling_part, without_part
from rabbithole.kb.references.names.designations.multipart_standards import sibling_volume
from rabbithole.kb.references.names.name_keys import base_form
from rabbithole.kb.references.names.registry import Registry

from .book_pages import Books
from .enabling_acts import EnablingActs
from .enumeration_owner import owner
from .interpretation import Interpretation, Step, read_relative, work_of
from .named_documents import NamedDocuments, spoken
from .results import Resolutions, Target, joined
from .sections.places import FoundPlace, find_in_section
from .sections.section_parts import paragraph_at

_OF_THIS = re.compile(r"\b(?:of this|dieser|dieses|this)\b")
_SECTION_KINDS = frozenset({"§", "art", "section", "anlage", "anhang", "annex", "appendix"})
_LETTERED = re.compile(r"(?P<number>\d+)(?P<letter>[a-z])")
"""'paragraph 117b)': the letter is an item of the paragraph."""


_PART = re.compile(r"(?P<paragraph>\bAbsatz(?:es)?\Z|\bparagraph\Z)|\b(?:Absätzen?|Satz(?:es)?)\Z")


class RelativeReferences:
    """Finds the document and place that a reference means without naming the document."""

    def __init__(
        self, reader: CorpusReader, registry: Registry, resolutions: Resolutions, books: Books, named: NamedDocuments
    ) -> None:
        self._reader = reader
        self._registry = registry
        self._resolutions = resolutions
        self._books = books
        self._named = named
        self._enabling = EnablingActs(reader, registry, resolutions)

    def resolve(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        """Resolve a reference without a document from the place it stands in, else where its number can belong."""
        resolved = self._read(reference, at, collections)
        if resolved.status != "missing" or at is None or not reference.path:
            return resolved
        return self._numbered_paragraph(reference, at) or self._cited_act(reference, at, collections) or resolved

    def headed(self, reference: Reference, at: Place) -> Resolution | None:
        """Resolve a section of the citing document that the text names by its heading; None if it does not."""
        own = self._registry.documents.get(at.document)
        section = self._resolutions.index(at.document).at(reference.goal) if reference.goal is not None else None
        if own is None or section is None or section.start != reference.goal:
            return None
        target = self._resolutions.target(own, "a heading of the document it stands in")
        return self._resolutions.resolved(target, FoundPlace(section, section.start, section.end, None), reference)

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
        target = self._resolutions.target(own, "a numbered paragraph of the document it stands in")
        return self._resolutions.place(target, reference, (("section", number), *inner, *reference.path[1:]), None)

    def _cited_act(self, reference: Reference, at: Place, collections: Sequence[str]) -> Resolution | None:
        """Resolve 'section 92(2)' in a document without such a section: to the act it cites, if that has one."""
        if not reference.antecedent or (reference.relative and reference.path[0][0] != "paragraph"):
            return None
        unit, value = reference.path[0]
        whole = reference.model_copy(update={"path": (("section", value), *reference.path[1:])})
        found = self._named.resolve(whole if unit == "paragraph" else reference, reference.antecedent, at, collections)
        if found.status != "resolved" or found.section is None or found.document == at.document:
            return None
        note = "the document has no such section; the act whose sections it cites is taken"
        return found.model_copy(
            update={
                "rule": f"the document whose sections are cited here: {found.rule}",
                "note": joined(found.note, note),
            }
        )

    def _read(self, reference: Reference, at: Place | None, collections: Sequence[str]) -> Resolution:
        own = self._registry.documents.get(at.document) if at is not None else None
        reading = read_relative(reference, work_of(self._registry.names_of(own.id)) if own else None)
        if other := self._other_document(reference, reading, own, at):
            resolved = self._named.resolve(reference, other, at, collections)
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
        meant = owner(
            self._reader, self._resolutions, enumeration, own, self._resolutions.enclosing_section(at), shared
        )
        if meant == "shared":
            of_it = reference.model_copy(update={"edition": enumeration.edition})
            resolved = self._named.resolve(of_it, enumeration.document, at, collections)
            return resolved.model_copy(update={"rule": f"the law the enumeration names: {resolved.rule}"})
        resolved = self._read_in(own, reference, reading, at, collections)
        if meant == "own":
            return resolved
        note = f"the enumeration goes on to name {spoken(lookup)}, which may be meant instead"
        return resolved.model_copy(update={"note": joined(resolved.note, note)})

    def _read_in(
        self, own: Document, reference: Reference, reading: Interpretation, at: Place, collections: Sequence[str]
    ) -> Resolution:
        """Resolve a relative reference inside the citing document."""
        target = self._resolutions.target(own, reading.rule)
        enclosing = self._resolutions.enclosing_section(at)
        if reading.step != "this":
            return self._step(target, reference, reading, at, enclosing) or Resolution(
                status="missing", rule=f"no {reading.rule}", name=reference.target or reference.text
            )
        if reading.within_section or not reference.path:
            return self._inside(target, reference, reading, at, enclosing)
        names = self._registry.names_of(own.id)
        volume = sibling_volume(names, reference.path)
        if volume and (_OF_THIS.search(reference.text) or not self._resolutions.index(own.id).find(*reference.path[0])):
            return self._named.in_volume(reference, volume, collections)
        sibling = sibling_part(names, reference.path)
        if sibling and not self._resolutions.index(own.id).find(*reference.path[0]):
            inside = reference.model_copy(update={"path": without_part(reference.path)})
            return self._named.resolve(inside, sibling, None, collections)
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
        target = self._resolutions.target(page, "a page of the same book")
        return self._resolutions.place(target, reference, path, None)

    def _other_document(
        self, reference: Reference, reading: Interpretation, own: Document | None, at: Place | None
    ) -> str | None:
        """Return the name of the document meant if it is not the citing one, else None."""
        if own is not None and (reading.base == "enabling" or self._enabling.cited_before_sections(own, reference, at)):
            named = reference.antecedent if reading.base != "enabling" else None
            act = base_form(named) if named else ""
            amends = act.startswith("Gesetz vom")  # the act that changed the section, named later in the formula
            return named if work_of((act,)) == "act" and not amends else self._enabling.of(own)
        if not reference.antecedent:
            return None
        elsewhere = reading.base == "own_or_antecedent" and not (own and self._divided_so(own, reference))
        return reference.antecedent if reading.base == "antecedent" or elsewhere or own is None else None

    def _divided_so(self, own: Document, reference: Reference) -> bool:
        """Return whether the citing document has sections of this kind; otherwise a bare number belongs to another."""
        unit = reference.path[0][0] if reference.path else ""
        return unit not in ("§", "Art") or path_key(unit, "").kind in self._resolutions.index(own.id).kinds

    def _step(
        self, target: Target, reference: Reference, reading: Interpretation, at: Place, enclosing: Section | None
    ) -> Resolution | None:
        """Resolve to the section, or the numbered paragraph, before or after the one around; None if there is none.

        Which sentence is meant by "the preceding sentence" is not said exactly enough to be looked up.
        """
        if enclosing is None:
            return None
        index = self._resolutions.index(target.document.id)
        numbered = next((each for each in index.ancestors(enclosing) if each.number), enclosing)
        part = _PART.search(reference.text)
        if part is not None:
            around = self._paragraph_around(numbered, at.offset) if at.offset is not None else None
            number = _beside(around, reading.step) if around and part["paragraph"] else None
            if number is None:
                return None
            path = (("Abs", number),)
            found = find_in_section(self._reader, target.document.id, index, numbered, path)
            return None if found.missing else self._resolutions.resolved(target, found, reference)
        if numbered.id != enclosing.id and "schnitt" in reference.text:
            return None  # a section without a number, and "Abschnitt" may mean the one beside it
        after = index.successors(numbered, 1)
        other = index.predecessor(numbered) if reading.step == "previous" else (after[0] if after else None)
        if other is None:
            return None
        return self._resolutions.resolved(target, FoundPlace(other, other.start, other.end, None), reference)

    def _inside(
        self, target: Target, reference: Reference, reading: Interpretation, at: Place, enclosing: Section | None
    ) -> Resolution:
        """Resolve 'Absatz 3', 'Satz 2' inside the section of the reference; deeper units inside its paragraph."""
        if enclosing is None or not reading.within_section:
            return self._resolutions.whole(target)
        index = self._resolutions.index(target.document.id)
        sections = [each for each in index.ancestors(enclosing) if number_key(each.number).kind in _SECTION_KINDS]
        section = sections[0] if sections else enclosing
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


def _beside(number: str, step: Step) -> str | None:
    """Return the number of the paragraph before or after the one of this number; None if letters are counted too."""
    return str(int(number) + (1 if step == "next" else -1)) if number.isdecimal() and number != "0" else None
