"""English citations: "Section 5.2", "Article 6(1)(f) GDPR", "section 552 of title 5, United States Code"."""

from __future__ import annotations

import re
from dataclasses import replace

from rabbithole.kb.models import ReferenceKind
from rabbithole.kb.references.detection.exclusions import is_heading, is_listing
from rabbithole.kb.references.grammar.form import WS, WS1, Form, Found, Path, Scan, spell

from .container import CODE, Container, code_name, container, unit_at
from .path import read_numbers

_MARK = re.compile(rf"(§§?){WS}")
_SPACE = re.compile(WS1)


def parse(scan: Scan, at: int) -> list[Found]:
    """A unit with its numbers and what they belong to."""
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
        if code:
            name, key = code_name(numbers.items[0][0][1], code["code"])
            return [Found(at, code.end(), "document_mention", key, name)]
    outer = container(scan, numbers.end)
    if unit in ("part", "title", "division", "point", "subtitle") and not (
        outer and (outer.document or outer.relative)
    ):
        return []
    if outer is None or not (outer.document or outer.relative):
        if is_heading(text, at, numbers.end) or is_listing(text, numbers.end):
            return []
        if word[0].islower() and unit == "table" and not word.startswith("table"):
            return []
    return _founds(at, numbers.items, numbers.end, outer, unit)


def _founds(at: int, items: list[Path], end: int, outer: Container | None, unit: str) -> list[Found]:
    if outer is None:
        relative = unit == "paragraph"
        return [Found(at, end, "section", spell(path), None, path, relative=relative) for path in items]
    kind: ReferenceKind = "section" if not outer.document else "document_mention" if outer.mention else "legal_section"
    relative = outer.relative or (not outer.document and unit == "paragraph" and outer.path == ())
    paths = [(*outer.path, *path) for path in items]
    return [
        Found(
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
)


def parse_mark(scan: Scan, at: int) -> list[Found]:
    """ "§ 404.271", "§§ 404.380 through 404.384": a section sign in English text or before a dotted number."""
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
