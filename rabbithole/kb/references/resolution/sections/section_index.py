"""Finds a document's sections by number: '§ 27', 'Art. 5', '4.2.3', 'Annex B', 'Zweiter Abschnitt'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice

from rabbithole.kb.models import Section
from rabbithole.kb.references.grammar.number_keys import (
    ANNEXES,
    NumberKey,
    counting,
    is_letter,
    number_key,
    path_key,
    section_keys,
    spellings,
)
from rabbithole.kb.references.grammar.units import COUNTED

_COUNTED = re.compile(r"\d{1,3}(?:\.\d{1,3})*")
_COUNTED_FROM = re.compile(r"(\d{1,6})[a-z]?(?=\.|$)")
_COUNTED_KINDS = frozenset({"section", "chapter", "abschnitt"})
_LEAST_COUNTED = 3
"""Least number of numbered sections for a document to count as decimally numbered."""
_DECIMAL = re.compile(r"\d+(?:\.\d+)+")
_WITH_LETTER = re.compile(r"\d+[a-z]")
_SAME_KIND: dict[str, tuple[str, ...]] = {
    "section": ("section", "", "§", "abschnitt"),
    "abschnitt": ("abschnitt", "", "section", "part", "chapter"),
    "chapter": ("chapter", "", "section"),
    "part": ("part", "", "section"),
    "§": ("§", "section", ""),
    "art": ("art", ""),
    "anlage": ("anlage", "anhang", "annex", "appendix", ""),
    "anhang": ("anhang", "anlage", "annex", "appendix", ""),
    "annex": ("annex", "anhang", "anlage", "appendix", ""),
    "appendix": ("appendix", "annex", "anhang", "anlage", ""),
    "schedule": ("schedule", "annex", "appendix", "anlage", "anhang", ""),
    "": ("", "section", "§", "art", "chapter", "abschnitt", "annex", "appendix"),
}
_EXCLUSIVE = frozenset({"§", "art", "anlage", "anhang", "annex", "appendix"})
"""Kinds that are not interchangeable in a document that uses them: 'Anlage 2' is then not 'Anhang 2'."""
_GENERAL = frozenset("rule provision requirement regulation subclause regel klausel randnummer punkt".split())
"""Words that number all sections of a document, unlike 'principle' or 'control', which are counted separately."""


class SectionIndex:
    """The sections of one document by number; ``start`` and ``end`` bound its text in a file that holds several."""

    def __init__(self, outline: Sequence[Section], start: int = 0, end: int | None = None) -> None:
        self.start, self.end = start, end
        self.sections = tuple(sorted(outline, key=lambda section: (section.start, section.index)))
        self.by_id = {section.id: section for section in self.sections}
        self._starts = [section.start for section in self.sections]
        self._by_key: dict[NumberKey, list[Section]] = defaultdict(list)
        self.kinds: set[str] = set()
        for section in self.sections:
            for key in section_keys(section):
                self._by_key[key].append(section)
                if key.value:
                    self.kinds.add(key.kind)
        # "Teil 2" in a document with sections 2.1, 2.2 means another volume, not section 2.
        self._same_kind = _SAME_KIND | ({"part": ("part",)} if self._has_decimal_numbers() else {})
        if "chapter" in self.kinds and not self.kinds & {"", "§", "section", "abschnitt", "art"}:
            # Only the chapters are numbered, and "section 6" is one of them.
            self._same_kind |= {"section": ("section", "chapter"), "abschnitt": ("abschnitt", "chapter", "part")}

    def _has_decimal_numbers(self) -> bool:
        return any(key.kind == "" and _DECIMAL.fullmatch(key.value) for key in self._by_key)

    def find(self, unit: str, value: str, within: Section | None = None) -> tuple[Section, ...]:
        """Return the sections with this number, inside ``within`` if given; the kind asked for is preferred."""
        key = path_key(unit, value)
        for same in spellings(key):
            for kind in self._same_kind.get(key.kind) or _kinds_of_word(key):
                within_annex = kind == "" and "." in same
                if kind == "" and key.kind in ANNEXES and same.isdecimal():
                    continue  # "Anlage 4" is not the numbered line "4. Semester"
                if kind != key.kind and key.kind in self.kinds and key.kind in _EXCLUSIVE and not within_annex:
                    continue
                found = [
                    section
                    for section in self._by_key.get(NumberKey(kind, same), ())
                    if within is None or (within.start <= section.start < within.end and section.id != within.id)
                ]
                if found:
                    return tuple(found)
        # "Kapitel B" is the appendix of that letter.
        return self.find("appendix", value, within) if key.kind == "chapter" and is_letter(key.value) else ()

    def at(self, offset: int) -> Section | None:
        """Return the innermost section that contains an offset, or None."""
        for section in reversed(self.sections[: bisect_right(self._starts, offset)]):
            if offset < section.end:
                return section
        return None

    def headed(self, words: str, page: int) -> Section | None:
        """Return the only section that begins on a page and has these words as its heading, or None."""
        said = _letters(words)
        found = [
            each
            for each in self.sections
            if each.page == page and said in (_letters(each.heading), _letters(each.label))
        ]
        return found[0] if said and len(found) == 1 else None

    def ancestors(self, section: Section) -> tuple[Section, ...]:
        """Return the section and those around it, from the inside out."""
        chain = [section]
        while chain[-1].parent is not None and (parent := self.by_id.get(chain[-1].parent)) and parent not in chain:
            chain.append(parent)
        return tuple(chain)

    def unnumbered_chapter(self, value: str) -> tuple[Section, bool] | None:
        """Return the chapter whose sections count '2.1', '2.2' while its own heading has no number or was lost.

        The second value is False if the chapter itself is not in the outline; its first section is returned then.
        Returns None if there is no such chapter.
        """
        inside = [each for each in self.sections if number_key(each.number).value.startswith(f"{value}.")]
        parent = self.by_id.get(inside[0].parent or "") if inside else None
        if parent is not None and not parent.number:
            return parent, True
        return (inside[0], False) if inside else None

    def room(self, value: str) -> tuple[int, int | None] | None:
        """Return the span between the next smaller and next larger number, where this section would be.

        Returns None if the document does not number its sections this way.
        """
        counted = [
            (tuple(map(int, key.value.split("."))), section.start)
            for section in self.sections
            if section.number
            and (key := number_key(section.number)).kind in ("", "section", "chapter")
            and _COUNTED.fullmatch(key.value)
            and not self.in_annex(section)
        ]
        if len(counted) < _LEAST_COUNTED or not _COUNTED.fullmatch(value):
            return None
        wanted = tuple(map(int, value.split(".")))
        start = max(((number, place) for number, place in counted if number < wanted), default=((), self.start))[1]
        end = min(((number, place) for number, place in counted if number > wanted and place > start), default=None)
        return start, end[1] if end else self.end

    def has_below(self, value: str) -> bool:
        """Return whether sections are numbered below this number: '4.2.1' below '4.2'."""
        return any(key.value.startswith(f"{value.casefold()}.") for key in self._by_key)

    def has_numbered(self, start: int, end: int) -> bool:
        """Return whether sections with plain numbers lie inside a span."""
        inside = (each for each in self.sections if start < each.start < end and each.number)
        return any(number_key(each.number).kind == "" for each in inside)

    def is_annex(self, section: Section) -> bool:
        return any(key.kind in ANNEXES for key in section_keys(section)) or is_letter(number_key(section.number).value)

    def has_lettered(self) -> bool:
        """Return whether sections are numbered with letters, so that '6b' is a section beside 6."""
        return any(_WITH_LETTER.fullmatch(key.value) for key in self._by_key)

    def annexes_like(self, value: str) -> bool:
        """Return whether the document's annexes, if any, are counted in the same style (letters or figures)."""
        styles = {counting(key.value) for key in self._by_key if key.kind in ANNEXES and key.value}
        return not styles or counting(value) in styles

    def can_have(self, unit: str, value: str) -> bool:
        """Return whether the document's own numbering may reach this number.

        'Section 3542' is none of 1.1 to 9.4, and 'Rule 12' none of a document that calls no section a rule.
        """
        key = path_key(unit, value)
        if unit in COUNTED and value.isdecimal():
            return unit in self.kinds
        if key.kind in ANNEXES:
            return self.annexes_like(key.value)
        first = _COUNTED_FROM.match(key.value)
        if key.kind not in _COUNTED_KINDS or first is None or not self._has_decimal_numbers():
            return True
        own = [
            int(each.value.split(".")[0])
            for each in self._by_key
            if each.kind in _COUNTED_KINDS | {""} and _COUNTED.fullmatch(each.value)
        ]
        return int(first[1]) <= max(own, default=0)

    def in_annex(self, section: Section) -> bool:
        """Return whether a section lies in an annex, appendix or schedule; a bare number means one in the main body."""
        return any(number_key(each.number).kind in ANNEXES for each in self.ancestors(section)[1:])

    def plain(self, value: str) -> tuple[Section, ...]:
        """Return the sections with this number and no word or sign before it: numbered paragraphs."""
        return tuple(self._by_key.get(NumberKey("", value.casefold()), ()))

    def successors(self, section: Section, limit: int) -> tuple[Section, ...]:
        """Return the following sections of the same kind and level, at most ``limit``."""
        return tuple(islice((other for other in self._like(section) if other.start >= section.end), limit))

    def predecessor(self, section: Section) -> Section | None:
        """Return the previous section of the same kind and level, or None."""
        before = [other for other in self._like(section) if other.end <= section.start]
        return before[-1] if before else None

    def _like(self, section: Section) -> Iterator[Section]:
        """Yield the numbered sections of the same kind and level, in reading order."""
        kind = number_key(section.number).kind
        for other in self.sections:
            if other.number and number_key(other.number).kind == kind and other.level == section.level:
                yield other


def _letters(words: str) -> str:
    return "".join(filter(str.isalnum, words)).casefold()


def _kinds_of_word(key: NumberKey) -> tuple[str, ...]:
    """Return the kinds under which a number with its own word may be listed: 'Rule 1.3.1' as '1.3.1'."""
    bare = key.kind in _GENERAL or "." in key.value
    return (key.kind, "section", "", "§", "art") if bare else (key.kind,)
