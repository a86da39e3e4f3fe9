"""Finds the exact place of a path in a document: the section by number, then paragraph, sentence, item or table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rabbithole.kb.models import PathElement, Section
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.grammar.units import CAPTIONED, PART_UNITS

from .list_items import clauses, find_item
from .section_index import SectionIndex
from .section_parts import caption_inside_a_line, find_parts, is_title

_CHAPTERS = frozenset({"section", "chapter", "Abschnitt", "Kapitel"})
_LETTERED = re.compile(r"(?P<number>\d+(?:\.\d+)*)(?P<letter>[a-z])")
"""'Figure 2a' is found by the caption of figure 2."""
_CLAUSED = frozenset({"section", "Abschnitt"})
_ITSELF = re.compile(
    r"\b(?:this|diese[rs]?|vorliegende[nrs]?)\s+"
    r"(?:licen[cs]e|agreement|contract|lizenz|vertrag(?:e?s)?|vereinbarung|nutzungsbedingungen)\b",
    re.IGNORECASE,
)
_LEAST_ITSELF = 2
"""Least number of times a text must name itself to have sections of its own in a document that has such sections."""
_CLAUSE = re.compile(r"(?P<number>\d{1,2})(?P<letter>[a-z])?")
_WITH_ITEMS = frozenset({"§", "section", "Abschnitt"})
_UNLISTED = frozenset(
    {
        "section",
        "Abschnitt",
        "chapter",
        "Kapitel",
        "Anlage",
        "Anhang",
        "annex",
        "appendix",
        "schedule",
        "table",
        "Tabelle",
        "figure",
    }
)


class FoundPlace(NamedTuple):
    """A place in a document. ``missing`` is the first element of the path that is not there."""

    section: Section | None
    start: int
    end: int
    missing: PathElement | None
    note: str = ""


def find_place(
    reader: CorpusReader,
    document: str,
    index: SectionIndex,
    path: tuple[PathElement, ...],
    near: Section | None = None,
) -> FoundPlace | None:
    """The place ``path`` names. None when its first element, a section, does not exist in the document.

    If a number occurs more than once (an act that contains others), the one in the same part as ``near`` is taken.
    """
    if clause := _clause_around(reader, document, index, path, near):
        return clause
    section: Section | None = None
    note = ""
    rest = path
    while rest and rest[0][0] not in PART_UNITS and rest[0][0] not in CAPTIONED:
        candidates = index.find(*rest[0], within=section)
        if not candidates:
            break
        chosen = _nearest(candidates, index, near)
        if len(candidates) > 1 and chosen.level == candidates[0].level:
            note = f"the number occurs {len(candidates)} times in the document"
        section, rest = chosen, rest[1:]
    if section is None and rest:
        unlisted = _unlisted(reader, document, index, rest, near) or _item_of(reader, document, index, rest, near)
        whole = _LETTERED.fullmatch(rest[0][1]) if unlisted is None and rest[0][0] in CAPTIONED else None
        if whole is None:
            return unlisted
        unlisted = _unlisted(reader, document, index, ((rest[0][0], whole["number"]),), near)
        return unlisted._replace(note=f"part {whole['letter']} of it") if unlisted else None
    if section is None:
        return None
    if not rest:
        return FoundPlace(section, section.start, section.end, None, note)
    found = find_parts(reader.text(document, section.start, section.end), rest, section.start)
    return _deepest(index, section, found.span.start, found.span.end, found.missing, note)


def find_in_section(
    reader: CorpusReader, document: str, index: SectionIndex, section: Section, path: tuple[PathElement, ...]
) -> FoundPlace:
    """The place of a path that begins inside a section: 'paragraph 2', 'sentence 1'."""
    found = find_parts(reader.text(document, section.start, section.end), path, section.start)
    return _deepest(index, section, found.span.start, found.span.end, found.missing, "")


def _unlisted(
    reader: CorpusReader, document: str, index: SectionIndex, path: tuple[PathElement, ...], near: Section | None
) -> FoundPlace | None:
    """A numbered heading or caption that the outline does not list, the nearest around ``near`` first."""
    if path[0][0] not in _UNLISTED:
        return None
    if path[0][0] in _CHAPTERS and path[0][1].isdecimal() and (chapter := index.unnumbered_chapter(path[0][1])):
        section, whole = chapter
        note = "" if whole else "the chapter's own heading is not in the outline; its first section is given"
        return FoundPlace(section, section.start, section.end, None, note)
    room = index.room(path[0][1]) if path[0][0] in _CHAPTERS else None
    if room:
        spans: list[tuple[int, int | None]] = [room]  # the same number elsewhere belongs to a list item
    elif path[0][0] in CAPTIONED or index.annexes_like(path[0][1]):
        around = index.ancestors(near) if near is not None else ()
        spans = [*((each.start, each.end) for each in around), (index.start, index.end)]
    else:
        return None
    for start, end in spans:
        found = find_parts(reader.text(document, start, end), path, start)
        if found.missing != path[0]:
            opening = reader.text(document, found.span.start, found.span.end).partition("\n")[0]
            if room and not is_title(opening) and not _is_numbered_paragraph(index, path[0], found.span.start, opening):
                continue
            return FoundPlace(
                index.at(found.span.start), found.span.start, found.span.end, found.missing, "not in the outline"
            )
    if room and path[0][0] in _CLAUSED and (clause := _clause(reader, document, index, path, *room)):
        return clause
    return _caption_inside_a_line(reader, document, index, path) if path[0][0] in CAPTIONED else None


def _is_numbered_paragraph(index: SectionIndex, element: PathElement, start: int, opening: str) -> bool:
    """Return whether a line that begins with '5.1.' in section 5 is a paragraph of that number, though no heading."""
    unit, value = element
    parents = index.find(unit, value.rpartition(".")[0]) if "." in value else ()
    inside = any(parent.start < start < parent.end for parent in parents)
    return inside and opening.removeprefix(value).lstrip(". \t")[:1].isupper()


def _caption_inside_a_line(
    reader: CorpusReader, document: str, index: SectionIndex, path: tuple[PathElement, ...]
) -> FoundPlace | None:
    """A caption that was read together with the text beside its figure, if none begins a line."""
    span = caption_inside_a_line(reader.text(document), *path[0])
    if span is None:
        return None
    found = find_parts(reader.text(document, span.start, span.end), path[1:], span.start)
    return FoundPlace(
        index.at(span.start), found.span.start, found.span.end, found.missing, "its caption stands inside a line"
    )


def _clause_around(
    reader: CorpusReader, document: str, index: SectionIndex, path: tuple[PathElement, ...], near: Section | None
) -> FoundPlace | None:
    """'section 6' in one of several licences of a document, or in one in its appendix: the clause of that text.

    If the document has such a section, too, the text must call itself a licence or contract of its own.
    """
    if near is None or path[0][0] not in _CLAUSED or not _CLAUSE.fullmatch(path[0][1]):
        return None
    around = [each for each in index.ancestors(near) if not each.number or index.is_annex(each)]
    for section in around:
        if not index.has_numbered(section.start, section.end) and (
            found := _clause(reader, document, index, path, section.start, section.end)
        ):
            itself = len(_ITSELF.findall(reader.text(document, section.start, section.end)))
            return found if itself >= _LEAST_ITSELF or not index.find(*path[0]) else None
    return None


def _clause(
    reader: CorpusReader, document: str, index: SectionIndex, path: tuple[PathElement, ...], start: int, end: int | None
) -> FoundPlace | None:
    """The clause with this number, and the item with this letter in it, of a text that is numbered throughout."""
    asked = _CLAUSE.fullmatch(path[0][1])
    text = reader.text(document, start, end)
    span = clauses(text).get(asked["number"]) if asked else None
    if asked is None or span is None:
        return None
    note, rest = f"clause {asked['number']}, which the outline does not list", path[1:]
    lettered = path[1:2] if path[1:2] and path[1][0] == "paragraph" else ()
    letter = asked["letter"] or (lettered[0][1] if lettered else "")
    if letter and (item := find_item(text[slice(*span)], [letter])):
        span = span[0] + item[0], span[0] + item[1]
        rest = rest if asked["letter"] else rest[1:]
    elif asked["letter"]:
        return None
    found = find_parts(text[slice(*span)].rstrip(), rest, start + span[0])
    return FoundPlace(index.at(found.span.start), found.span.start, found.span.end, found.missing, note)


def _item_of(
    reader: CorpusReader, document: str, index: SectionIndex, path: tuple[PathElement, ...], near: Section | None
) -> FoundPlace | None:
    """'§ 8.4', 'section 4.2.1' or 'section 6b' where the section has the items '4.', '1.' or 'b)' and none so numbered.

    A letter is an item only of the text the reference stands in, and only in English: '§ 6b' is another section.
    """
    unit, value = path[0]
    lettered = _LETTERED.fullmatch(value.casefold()) if unit == "section" and near is not None else None
    parts = value.split(".")
    splits = [(".".join(parts[:count]), parts[count:]) for count in reversed(range(1, len(parts)))]
    if lettered and not index.has_lettered():
        splits = [(lettered["number"], [lettered["letter"]])]
    for number, items in splits if unit in _WITH_ITEMS else ():
        if sections := index.find(unit, number):
            alone = len(sections) == 1 and len(items) == 1 and items[0].isdecimal()
            if alone and sections[0].number.startswith("§"):
                return _numbered_item(reader, document, index, sections[0], items[0], path[1:])
            if unit == "§" or sections[0].number.startswith("§") or index.has_below(number):
                return None
            return _listed_item(reader, document, index, _nearest(sections, index, near), items, path[1:])
    return None


def _numbered_item(
    reader: CorpusReader, document: str, index: SectionIndex, section: Section, item: str, path: tuple[PathElement, ...]
) -> FoundPlace | None:
    """Item '4.' of '§ 8', wherever in the section it stands."""
    text = reader.text(document, section.start, section.end)
    found = find_parts(text, (("Nr", item), *path), section.start)
    if found.missing == ("Nr", item):
        return None
    note = "read as an item of that section"
    return _deepest(index, section, found.span.start, found.span.end, found.missing, note)


def _listed_item(
    reader: CorpusReader,
    document: str,
    index: SectionIndex,
    section: Section,
    items: Sequence[str],
    path: tuple[PathElement, ...],
) -> FoundPlace | None:
    """An item by its place in the section's nested lists."""
    text = reader.text(document, section.start, section.end)
    body = text.find("\n") + 1  # after the heading, which may begin like an item
    span = find_item(text[body:], items)
    if span is None:
        return None
    start, end = section.start + body + span[0], section.start + body + span[1]
    found = find_parts(reader.text(document, start, end), path, start)
    note = f"read as item {'.'.join(items)} of {section.number}"
    return _deepest(index, section, found.span.start, found.span.end, found.missing, note)


def _deepest(
    index: SectionIndex, section: Section, start: int, end: int, missing: PathElement | None, note: str
) -> FoundPlace:
    """The section named stays the section, but a place in a subsection belongs to that one."""
    inner = index.at(start) if start > section.start else section
    return FoundPlace(
        inner if inner is not None and inner.start >= section.start else section, start, end, missing, note
    )


def _nearest(candidates: tuple[Section, ...], index: SectionIndex, near: Section | None) -> Section:
    """Return the candidate in the same part as the reference, else one outside annexes, outermost and first."""
    if len(candidates) == 1:
        return candidates[0]
    if near is not None:
        for ancestor in index.ancestors(near):
            inside = [each for each in candidates if ancestor.start <= each.start < ancestor.end]
            if inside:
                return inside[0]
    return min(candidates, key=lambda each: (index.in_annex(each), each.level, each.start))
