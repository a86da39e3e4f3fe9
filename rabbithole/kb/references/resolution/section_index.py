"""Finds a document's sections by number: '§ 27', 'Art. 5', '4.2.3', 'Annex B', 'Zweiter Abschnitt'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.models import Section
from rabbithole.kb.references.grammar.units import COUNTED
from rabbithole.kb.references.names.name_keys import fold


class NumberKey(NamedTuple):
    """The kind of a section ('§', 'art', 'annex', ... or '' for a bare number) and its number."""

    kind: str
    value: str


_KINDS = {
    "§": "§",
    "§§": "§",
    "art": "art",
    "artikel": "art",
    "article": "art",
    "articles": "art",
    "anlage": "anlage",
    "anhang": "anhang",
    "annex": "annex",
    "appendix": "appendix",
    "app": "appendix",
    "schedule": "schedule",
    "sched": "schedule",
    "abschnitt": "abschnitt",
    "unterabschnitt": "unterabschnitt",
    "section": "section",
    "sec": "section",
    "clause": "section",
    "kapitel": "chapter",
    "chapter": "chapter",
    "teil": "part",
    "part": "part",
    "subpart": "subpart",
    "titel": "title",
    "title": "title",
    "buch": "book",
    "tabelle": "table",
    "table": "table",
    "abbildung": "figure",
    "figure": "figure",
}
_ORDINALS = {
    stem: str(number)
    for number, stem in enumerate(
        [
            *("erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt"),
            *("elft", "zwölft", "dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt"),
        ],
        start=1,
    )
}
_NUMBERED = re.compile(r"^(?P<kind>§§?|[^\W\d_]+)\.?\s*(?P<value>[^\s§].*)$")
_LABELLED = re.compile(r"^(?P<kind>[^\W\d_]{3,20})\.?\s+(?P<value>\d+[a-zA-Z]?(?:\.\d+)*)$")
"""A number with a word of its own kind: 'Principle 7', 'Rule 12', 'Schedule 1'."""
_ORDINAL = re.compile(r"^(?P<ordinal>[^\W\d_]+?)(?:er|es|e|en)\s+(?P<kind>[^\W\d_]+)$")
_CHAPTER = re.compile(r"\d{1,2}\.0")
"""'4.0' stands for chapter 4 in documents that write it this way."""
_COUNTED = re.compile(r"\d{1,3}(?:\.\d{1,3})*")
_COUNTED_FROM = re.compile(r"(\d{1,6})[a-z]?(?=\.|$)")
_COUNTED_KINDS = frozenset({"section", "chapter", "abschnitt"})
_LEAST_COUNTED = 3
"""Least number of numbered sections for a document to count as decimally numbered."""
_DECIMAL = re.compile(r"\d+(?:\.\d+)+")
_WITH_LETTER = re.compile(r"\d+[a-z]")
_ANNEX_HEADING = re.compile(r"(?:Anhang|Anlage|Annex|Appendix)\s+(?:[A-Z]|\d{1,2}|[IVX]{1,5})(?!\w)")
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
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


@lru_cache(maxsize=16_384)
def number_key(number: str) -> NumberKey:
    """Return a number's key: '§ 27 a' -> ('§', '27a'); '4.2.3.' -> ('', '4.2.3'); 'Zweiter Teil' -> ('part', '2')."""
    folded = fold(number).strip(" .:")
    if (found := _ORDINAL.match(folded.casefold())) and found["ordinal"] in _ORDINALS and found["kind"] in _KINDS:
        return NumberKey(_KINDS[found["kind"]], _ORDINALS[found["ordinal"]])
    if (found := _NUMBERED.match(folded)) and found["kind"].casefold() in _KINDS:
        return NumberKey(_KINDS[found["kind"].casefold()], _value(found["value"]))
    if (found := _LABELLED.match(folded)) is not None:
        return NumberKey(found["kind"].casefold(), _value(found["value"]))
    return NumberKey(_KINDS.get(folded.casefold(), ""), "" if folded.casefold() in _KINDS else _value(folded))


def path_key(unit: str, value: str) -> NumberKey:
    """Return the key that an element of a reference's path asks for."""
    key = number_key(value)
    kind = _KINDS.get(unit.casefold(), "")
    return NumberKey(kind or key.kind, key.value)


class SectionIndex:
    """The sections of one document by number."""

    def __init__(self, outline: Sequence[Section]) -> None:
        self.sections = tuple(sorted(outline, key=lambda section: (section.start, section.index)))
        self.by_id = {section.id: section for section in self.sections}
        self._starts = [section.start for section in self.sections]
        self._by_key: dict[NumberKey, list[Section]] = defaultdict(list)
        self.kinds: set[str] = set()
        for section in self.sections:
            for key in _keys(section):
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
        for same in _variants(key):
            for kind in self._same_kind.get(key.kind) or _kinds_of_word(key):
                within_annex = kind == "" and "." in same
                if kind == "" and key.kind in _ANNEXES and same.isdecimal():
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
        return self.find("appendix", value, within) if key.kind == "chapter" and _is_letter(key.value) else ()

    def at(self, offset: int) -> Section | None:
        """Return the innermost section that contains an offset, or None."""
        for section in reversed(self.sections[: bisect_right(self._starts, offset)]):
            if offset < section.end:
                return section
        return None

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
        start = max(((number, place) for number, place in counted if number < wanted), default=((), 0))[1]
        end = min(((number, place) for number, place in counted if number > wanted and place > start), default=None)
        return start, end[1] if end else None

    def has_below(self, value: str) -> bool:
        """Return whether sections are numbered below this number: '4.2.1' below '4.2'."""
        return any(key.value.startswith(f"{value.casefold()}.") for key in self._by_key)

    def has_numbered(self, start: int, end: int) -> bool:
        """Return whether sections with plain numbers lie inside a span."""
        inside = (each for each in self.sections if start < each.start < end and each.number)
        return any(number_key(each.number).kind == "" for each in inside)

    def is_annex(self, section: Section) -> bool:
        return any(key.kind in _ANNEXES for key in _keys(section)) or _is_letter(number_key(section.number).value)

    def has_lettered(self) -> bool:
        """Return whether sections are numbered with letters, so that '6b' is a section beside 6."""
        return any(_WITH_LETTER.fullmatch(key.value) for key in self._by_key)

    def annexes_like(self, value: str) -> bool:
        """Return whether the document's annexes, if any, are counted in the same style (letters or figures)."""
        styles = {_counting(key.value) for key in self._by_key if key.kind in _ANNEXES and key.value}
        return not styles or _counting(value) in styles

    def can_have(self, unit: str, value: str) -> bool:
        """Return whether the document's own numbering may reach this number.

        'Section 3542' is none of 1.1 to 9.4, and 'Rule 12' none of a document that calls no section a rule.
        """
        key = path_key(unit, value)
        if unit in COUNTED and value.isdecimal():
            return unit in self.kinds
        if key.kind in _ANNEXES:
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
        return any(number_key(each.number).kind in _ANNEXES for each in self.ancestors(section)[1:])

    def plain(self, value: str) -> tuple[Section, ...]:
        """Return the sections with this number and no word or sign before it: numbered paragraphs."""
        return tuple(self._by_key.get(NumberKey("", value.casefold()), ()))

    def successors(self, section: Section, limit: int) -> tuple[Section, ...]:
        """Return the following sections of the same kind and level, at most ``limit``."""
        kind = number_key(section.number).kind
        after = (
            other
            for other in self.sections
            if other.start >= section.end
            and other.number
            and number_key(other.number).kind == kind
            and other.level == section.level
        )
        return tuple(other for other, _ in zip(after, range(limit), strict=False))

    def predecessor(self, section: Section) -> Section | None:
        """Return the previous section of the same kind and level, or None."""
        kind = number_key(section.number).kind
        before = [
            other
            for other in self.sections
            if other.end <= section.start
            and other.number
            and number_key(other.number).kind == kind
            and other.level == section.level
        ]
        return before[-1] if before else None


def _keys(section: Section) -> tuple[NumberKey, ...]:
    """Return the keys of a section's number, and of the annex that a numbered heading names: '26 Anhang A - ...'."""
    if not section.number:
        return ()
    key = number_key(section.number)
    named = _ANNEX_HEADING.match(section.heading) if key.kind == "" else None
    return (key, number_key(named[0])) if named else (key,)


_GENERAL = frozenset("rule provision requirement regulation subclause regel klausel randnummer punkt".split())
"""Words that number all sections of a document, unlike 'principle' or 'control', which are counted separately."""


def _kinds_of_word(key: NumberKey) -> tuple[str, ...]:
    """Return the kinds under which a number with its own word may be listed: 'Rule 1.3.1' as '1.3.1'."""
    bare = key.kind in _GENERAL or "." in key.value
    return (key.kind, "section", "", "§", "art") if bare else (key.kind,)


_ANNEXES = frozenset({"anlage", "anhang", "annex", "appendix", "schedule"})
_EXCLUSIVE = frozenset({"§", "art", "anlage", "anhang", "annex", "appendix"})
"""Kinds that are not interchangeable in a document that uses them: 'Anlage 2' is then not 'Anhang 2'."""


def _variants(key: NumberKey) -> tuple[str, ...]:
    """Return the number as asked, and for divisions also in Roman or Arabic figures. Annex 'X' is not annex '10'."""
    if key.kind not in _DIVISIONS:
        return (key.value,)
    if _ROMAN.fullmatch(key.value):
        return (key.value, str(_arabic(key.value)))
    if key.value.isdecimal() and 0 < int(key.value) <= len(_TO_ROMAN):
        return (key.value, _TO_ROMAN[int(key.value) - 1])
    return (key.value,)


_DIVISIONS = frozenset({"part", "chapter", "title", "book", "abschnitt", "unterabschnitt"})
_TO_ROMAN = tuple("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split())


def _is_letter(value: str) -> bool:
    return len(value) == 1 and value.isalpha()


def _counting(value: str) -> str:
    """Return how an annex is counted: by figures, by single letters ('B', 'B.1'), or by longer codes."""
    first = value.partition(".")[0]
    return "figures" if first[:1].isdigit() else "letters" if len(first) == 1 else "longer"


def _arabic(roman: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}[letter] for letter in roman]
    return sum(
        -value if any(later > value for later in values[place + 1 : place + 2]) else value
        for place, value in enumerate(values)
    )


def _value(text: str) -> str:
    value = re.sub(r"\s+", "", text).strip(".:()").casefold()
    return value.removesuffix(".0") if _CHAPTER.fullmatch(value) else value
