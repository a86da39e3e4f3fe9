"""The keys by which the numbers of sections are compared: '§ 27 a', '4.2.3.', 'Annex B', 'Zweiter Abschnitt'."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rabbithole.kb.models import Section
from rabbithole.kb.notation.roman import from_roman
from rabbithole.kb.references.names.name_keys import fold

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
_ANNEX_HEADING = re.compile(r"(?:Anhang|Anlage|Annex|Appendix)\s+(?:[A-Z]|\d{1,2}|[IVX]{1,5})(?!\w)")
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_TO_ROMAN = tuple("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split())
_DIVISIONS = frozenset({"part", "chapter", "title", "book", "abschnitt", "unterabschnitt"})
ANNEXES = frozenset({"anlage", "anhang", "annex", "appendix", "schedule"})


class NumberKey(NamedTuple):
    """The kind of a section ('§', 'art', 'annex', ... or '' for a bare number) and its number."""

    kind: str
    value: str


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


def section_keys(section: Section) -> tuple[NumberKey, ...]:
    """Return the keys of a section's number, and of the annex that a numbered heading names: '26 Anhang A - ...'."""
    if not section.number:
        return ()
    key = number_key(section.number)
    named = _ANNEX_HEADING.match(section.heading) if key.kind == "" else None
    return (key, number_key(named[0])) if named else (key,)


def spellings(key: NumberKey) -> tuple[str, ...]:
    """Return the number as asked, and for divisions also in Roman or Arabic figures. Annex 'X' is not annex '10'."""
    if key.kind not in _DIVISIONS:
        return (key.value,)
    if _ROMAN.fullmatch(key.value):
        return (key.value, str(from_roman(key.value)))
    if key.value.isdecimal() and 0 < int(key.value) <= len(_TO_ROMAN):
        return (key.value, _TO_ROMAN[int(key.value) - 1])
    return (key.value,)


def is_letter(value: str) -> bool:
    """Return whether a number is a single letter, as those of many annexes are."""
    return len(value) == 1 and value.isalpha()


def counting(value: str) -> str:
    """Return how an annex is counted: by figures, by single letters ('B', 'B.1'), or by longer codes."""
    first = value.partition(".")[0]
    return "figures" if first[:1].isdigit() else "letters" if len(first) == 1 else "longer"


def _value(text: str) -> str:
    value = re.sub(r"\s+", "", text).strip(".:()").casefold()
    return value.removesuffix(".0") if _CHAPTER.fullmatch(value) else value
