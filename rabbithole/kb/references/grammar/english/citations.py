"""Reads English citations: "Section 5.2", "Article 6(1)(f) GDPR", "section 552 of title 5, United States Code"."""

from __future__ import annotations

import re
from dataclasses import replace

from rabbithole.kb.models import ReferenceKind
from rabbithole.kb.references.grammar.exclusions import is_heading, is_listing
from rabbithole.kb.references.grammar.form import WS, WS1, Form, FormMatch, Path, Scan, spell
from rabbithole.kb.references.grammar.german.counted import counts_things, is_idiom
from rabbithole.kb.references.grammar.german.law_names import law_after
from rabbithole.kb.references.grammar.german.path import COUNTED
from rabbithole.kb.references.names.name_index import NameHit

from .container import ACT, CODE, Container, code_name, container, unit_at
from .path import read_numbers
from .us_sources import places_of_code

_MARK = re.compile(rf"(§§?){WS}")
_SPACE = re.compile(WS1)
_COMMA = re.compile(rf",?{WS1}")
_ACT_ENDS = re.compile(r"(?:Act|Rules|Regulations|Order|Code)(?: (?:of )?\d{4})?\Z")
_BEFORE_UNIT = re.compile(rf",?{WS1}\Z")


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read a unit with its numbers and the document or part they belong to."""
    text = scan.text
    head = unit_at(text, at)
    if not head:
        return []
    unit, word, end = head
    space = _SPACE.match(text, end)
    if not space:
        return []
    plural = word.lower().rstrip(".").endswith("s")
    numbers = read_numbers(text, space.end(), unit, ranges=plural)
    if not numbers:
        return []
    if word.lower() == "title":
        code = CODE.match(text, numbers.end)
        title = numbers.items[0][0][1]
        if code:
            return places_of_code(text, at, code.end(), code_name(title, code["code"])[0])
        if inner := _sections_of_title(text, at, numbers.end, title):
            return inner
    outer = container(scan, numbers.end)
    start, outer = _with_document_before(scan, at, outer, numbers.end)
    named = outer is not None and (outer.document or outer.relative)
    if unit in _PLAIN_NOUNS and not named and not scan.units.is_own(unit, numbers.items[0][0][1]):
        return []
    if outer is None or not (outer.document or outer.relative):
        if is_heading(text, at, numbers.end) or is_listing(text, numbers.end):
            return []
        if word[0].islower() and unit == "table" and not word.startswith("table"):
            return []
        if word[0].islower() and unit in ("table", "figure") and not any(map(str.isdigit, numbers.items[0][0][1])):
            return []  # "the fact table F"
    return _founds(start, numbers.items, numbers.end, outer, unit)


def _sections_of_title(text: str, start: int, pos: int, title: str) -> list[FormMatch]:
    """Read what follows "Title 18" in "Title 18, Section 1708 of the United States Code"."""
    comma = _COMMA.match(text, pos)
    head = unit_at(text, comma.end()) if comma else None
    space = _SPACE.match(text, head[2]) if head and head[0] == "section" else None
    numbers = read_numbers(text, space.end(), "section") if space else None
    code = CODE.match(text, numbers.end) if numbers else None
    if numbers is None or code is None:
        return []
    name = code_name(title, code["code"])[0]
    return [FormMatch(start, code.end(), "legal_section", spell(path, name), name, path) for path in numbers.items]


def parse_usage(scan: Scan, at: int) -> list[FormMatch]:
    """Read a word this text uses before section numbers: "Rule 1.3.1", "GEN Rule 5.5.1", "Regel 4.2 der DIN 1"."""
    text = scan.text
    head = scan.units.at(text, at)
    space = _SPACE.match(text, head[2]) if head else None
    if not head or not space:
        return []
    unit, word, _ = head
    plural = word.rstrip(".").endswith(("s", "n"))
    numbers = read_numbers(text, space.end(), unit, ranges=plural)
    if not numbers or (scan.german and COUNTED.match(text, numbers.end)):
        return []
    value = numbers.items[0][0][1]
    law = law_after(scan, numbers.end) if scan.german else None
    outer = Container(law.end, (), law.document, law.canonical, law.relative, edition=law.edition) if law else None
    start, outer = _with_document_before(scan, at, outer or container(scan, numbers.end), numbers.end)
    owned = outer is not None and bool(outer.document) and value.isdecimal() and len(value) < 4
    if scan.german and not owned and _is_amount(scan, at, unit, word, value, numbers.end):
        return []
    if not owned and not scan.units.counts(unit, word, value):
        return []
    if (outer is None or not outer.document) and (is_heading(text, at, numbers.end) or is_listing(text, numbers.end)):
        return []
    return _founds(start, numbers.items, numbers.end, outer, unit)


def _is_amount(scan: Scan, at: int, unit: str, word: str, value: str, end: int) -> bool:
    """Return whether the number after a word of German text is an amount: "in der Regel 30 Minuten"."""
    if counts_things(scan.text, unit, value, end):
        return True
    return is_idiom(scan.text, at, word) and not scan.units.is_own(unit, value)


_PLAIN_NOUNS = frozenset({"part", "title", "division", "point", "subtitle"})
"""Words that mean a place only together with a document or with one of the document's own divisions."""


def _with_document_before(scan: Scan, at: int, outer: Container | None, end: int) -> tuple[int, Container | None]:
    """Return where the mention begins and its container: "FSMR section 203", "GEN Rule 5.5.1", "COBS, Chapter 8"."""
    if outer is not None and (outer.document or outer.relative):
        return at, outer
    before = _BEFORE_UNIT.search(scan.text, max(scan.floor, at - 4), at)
    hit = scan.name_ends.get(before.start()) if before else None
    if hit is None and before and "," not in before[0] and _ACT_ENDS.search(scan.text, max(0, at - 24), before.start()):
        low = max(scan.floor, at - 120)
        named = [each for each in ACT.finditer(scan.text, low, before.start()) if each.end() == before.start()]
        if named:
            name = " ".join(named[-1]["name"].split())
            hit = NameHit(named[-1].start("name"), before.start(), name, True)
    if hit is None or hit.start < scan.floor or (before and "," in before[0] and not _is_short(scan.text, hit)):
        return at, outer
    name = scan.text[hit.start : hit.end]
    inner = outer.path if outer else ()
    return hit.start, Container(outer.end if outer else end, inner, name, hit.canonical)


def _is_short(text: str, hit: NameHit) -> bool:
    """Return whether a document is named by an abbreviation; a long name before a comma ends its own phrase."""
    return hit.end - hit.start < 12 and text[hit.start : hit.end].isupper()


def _founds(at: int, items: list[Path], end: int, outer: Container | None, unit: str) -> list[FormMatch]:
    if outer is None:
        relative = unit == "paragraph"
        return [FormMatch(at, end, "section", spell(path), None, path, relative=relative) for path in items]
    kind: ReferenceKind = "section" if not outer.document else "document_mention" if outer.mention else "legal_section"
    relative = outer.relative or (not outer.document and unit == "paragraph" and outer.path == ())
    paths = [(*outer.path, *path) for path in items]
    return [
        FormMatch(
            at,
            outer.end,
            kind,
            spell(path, outer.canonical or None),
            outer.document,
            path,
            relative=relative,
            edition=outer.edition,
        )
        for path in paths
    ]


_WORDS = (
    "Section",
    "section",
    "SECTION",
    "Sec.",
    "sec.",
    "Secs.",
    "secs.",
    "Sect.",
    "Article",
    "article",
    "Annex",
    "annex",
    "ANNEX",
    "Appendi",
    "appendi",
    "APPENDIX",
    "Table",
    "table ",
    "tables ",
    "TABLE",
    "Figure",
    "figure",
    "FIGURE",
    "Fig.",
    "fig.",
    "Figs.",
    "figs.",
    "Chapter",
    "chapter",
    "CHAPTER",
    "Paragraph",
    "paragraph",
    "Para.",
    "para.",
    "paras.",
    "Clause",
    "clause",
    "part ",
    "parts ",
    "Part ",
    "Parts ",
    "PART ",
    "PARTS ",
    "title ",
    "Title ",
    "TITLE ",
    "division ",
    "Subsection",
    "subsection",
    "Subparagraph",
    "subparagraph",
    "Subpart",
    "subpart",
    "Subchapter",
    "subchapter",
    "Subtitle",
    "subtitle",
    "point ",
    "points ",
    "Recital",
    "recital",
    "Schedule ",
    "Schedules ",
    "SCHEDULE ",
)


def parse_mark(scan: Scan, at: int) -> list[FormMatch]:
    """Read a section sign in English text or before a dotted number: "§ 404.271", "§§ 404.380 through 404.384"."""
    text = scan.text
    mark = _MARK.match(text, at)
    numbers = read_numbers(text, mark.end(), "section") if mark else None
    if not numbers or (scan.german and "." not in numbers.items[0][0][1]):
        return []
    outer = container(scan, numbers.end)
    if (
        outer is None
        and len(numbers.items) == 1
        and (is_heading(text, at, numbers.end) or is_listing(text, numbers.end))
    ):
        return []
    return [
        replace(found, kind="legal_section", relative=found.document is None)
        for found in _founds(at, numbers.items, numbers.end, outer, "section")
    ]


FORMS = (
    Form("section sign before an English number", ("§",), parse_mark),
    Form("English section, article, annex, table, figure", _WORDS, parse),
)
