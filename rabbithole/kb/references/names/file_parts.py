"""Files that hold several documents, such as all licences of a program: the parts, and the names they are cited by.

The parts are the sections at the top of the outline. They have no numbers, and those with numbered sections count them
anew: a section number alone then tells no place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rabbithole.kb.models import Document, Section

_NUMBER = re.compile(r"(?:§\s*|(?:Art|Article|Artikel|Section)\.?\s*)?(\d{1,3})[a-z]?\.?", re.IGNORECASE)
_LEAST_PARTS, _LEAST_SECTIONS, _FIRST = 2, 2, 1
"""Least number of parts that number sections, and of sections in each; the highest number that one begins with."""
_SUPPLEMENT = re.compile(
    r"(?:(?:table of )?contents|index|(?:general )?references|bibliography|glossary|notes|acknowledge?ments?|colophon|"
    r"inhalt(?:sverzeichnis|sübersicht)?|(?:sach|stichwort)(?:register|verzeichnis)|literatur(?:verzeichnis)?|glossar)",
    re.IGNORECASE,
)
"""Headings of parts that belong to the whole file."""
_ADDRESS = re.compile(r"\s*<?\bhttps?://\S+")
_VERSION = re.compile(
    r",?\s+(?:\(?v(?:ersion|ers\.|\.)?\s*(?P<number>\d[\w.]*)\)?|(?:stand|vom|dated|as of)\s+\d).*\Z", re.IGNORECASE
)
_SMALL = frozenset("of the and for on in to der die das des und für zur zum von".split())
_ACRONYM = 3
"""Most letters of a word in a heading in capitals that is kept, "GNU", and least of an abbreviation by initials."""
_VERSION_BEHIND = re.compile(r",?\s+\(?(?:v(?:ersion|ers\.|\.)?\s*)?(?P<number>\d+(?:\.\d+)+)(?!\w)", re.IGNORECASE)
KIND_OF_DOCUMENT = (
    r"(?:[\w-]*(?:manual|guide|handbook|book|specification|standard|document|documentation|report|paper|act|law|rules?|"
    r"regulations?|policy|licen[cs]e|guidelines?|agreement|contract|constitution|code|"
    r"handbuch|buch|anleitung|leitfaden|norm|dokument|bericht|gesetz|ordnung|verordnung|satzung|richtlinie|vorschrift|"
    r"vertrag|lizenz|grundsätze|bedingungen|verfassung)(?:s|es|n|en|e)?)"
)
"""A word for a kind of document, which does not say whose document is meant."""
_OF_A_KIND = re.compile(rf"\b{KIND_OF_DOCUMENT}\b", re.IGNORECASE)


class FilePart(NamedTuple):
    """A document in a file that holds several: its heading, and where it begins and ends in the file's text."""

    name: str
    start: int
    end: int


def file_parts(outline: Sequence[Section]) -> tuple[FilePart, ...]:
    """Return the documents that a file holds, in order; () if it is one document."""
    top = min((section.level for section in outline), default=0)
    outermost = [section for section in outline if section.level == top]
    if len(outermost) < _LEAST_PARTS or any(section.number for section in outermost):
        return ()
    first = [found for section in outermost if (found := _numbers(outline, section))]
    if sum(len(found) >= _LEAST_SECTIONS for found in first) < _LEAST_PARTS:
        return ()
    if any(found[0] > _FIRST for found in first):
        return ()
    has_sections = {section.parent for section in outline}
    parts = outermost if outermost[0].id in has_sections else outermost[1:]  # else a title page
    return tuple(
        FilePart(_heading(section), section.start, section.end)
        for section in parts
        if section.heading and not _SUPPLEMENT.fullmatch(section.heading.strip(" :."))
    )


def part_at(parts: Sequence[FilePart], offset: int) -> FilePart | None:
    """Return the part that contains an offset, or None."""
    return next((part for part in parts if part.start <= offset < part.end), None)


def names_first_part(title: str, parts: Sequence[FilePart]) -> bool:
    """Return whether the title of a file is only that of its first part, so that it does not name the others."""
    one, other = _letters(title), _letters(parts[0].name) if parts else ""
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def title_at(document: Document, parts: Sequence[FilePart], offset: int) -> str:
    """Return the title of the document at a place of a file with these parts: the file's own, else that of the part."""
    part = part_at(parts, offset)
    return part.name if part is not None and names_first_part(document.title, parts) else document.title


def part_names(parts: Sequence[FilePart]) -> Iterator[tuple[str, FilePart]]:
    """Yield the names by which parts are cited: headings of documents, with their version and, if unique, without."""
    named = [part for part in parts if _OF_A_KIND.search(part.name) and " " in _short(part.name)]
    count = Counter(_letters(_short(part.name)) for part in named)
    for part in named:
        names, short = [part.name], _short(part.name)
        if (version := _VERSION.search(part.name)) and version["number"]:
            names += [f"{short} Version {version['number']}", f"{short} {version['number']}"]
        if count[_letters(short)] == 1:
            names.append(short)
        for name in dict.fromkeys((*names, *map(_in_a_sentence, names))):
            yield name, part


def other_version(name: str, behind: str) -> str:
    """Return the version that stands behind a name in a text if it is not that of the part so named; else ''.

    >>> other_version("Reed License Version 2.0", ", Version 1.1 of May"), other_version("Reed License v2.0", " 2.0.")
    ('1.1', '')
    """
    own, asked = _VERSION.search(name), _VERSION_BEHIND.match(behind)
    return asked["number"] if own and asked and own["number"] not in (None, asked["number"]) else ""


def abbreviations(name: str, *, spelled: bool = False) -> tuple[str, ...]:
    """Return the abbreviations of a name by its initials, with and without its first word.

    ``spelled``: any other word may be left out too, as it is spelled before the abbreviation: "the Lesser RPL".

    >>> abbreviations("REED LESSER PUBLIC LICENSE Version 2"), abbreviations("Reed License")
    (('RLPL', 'LPL'), ())
    """
    initials = "".join(word[0] for word in _short(name).split() if word[0].isupper())
    found = [initials, initials[1:]]
    if spelled:
        found += [each[:at] + each[at + 1 :] for each in (*found,) for at in range(len(each))]
    return tuple(dict.fromkeys(each for each in found if len(each) >= _ACRONYM))


def _numbers(outline: Sequence[Section], part: Section) -> list[int]:
    """Return the plain numbers of the sections in a part, in reading order."""
    inside = (each for each in outline if part.start <= each.start < part.end and each.id != part.id)
    found = (_NUMBER.fullmatch(each.number) for each in inside if each.number)
    return [int(number[1]) for number in found if number]


def _heading(section: Section) -> str:
    return " ".join(_ADDRESS.sub("", section.heading).split()) or section.heading


def _short(name: str) -> str:
    """Return a name without its version and date."""
    return _VERSION.sub("", name).strip(" ,–-")


def _in_a_sentence(name: str) -> str:
    """Return a name in capitals as it stands in a sentence: 'REED LICENSE OF ABC' -> 'Reed License of ABC'."""
    if not name.isupper() and not _short(name).isupper():
        return name
    words = name.split(" ")
    small = [word.lower() if word.lower() in _SMALL else word for word in words]
    return " ".join(word.capitalize() if len(word) > _ACRONYM and word.isupper() else word for word in small)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
