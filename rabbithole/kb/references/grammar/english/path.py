"""English numbers and paths: "Section 5.2", "Articles 13 and 14", "20.1201(a)(1)", "paragraphs (b) through (d)"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.references.grammar.form import WS, WS1, Path
from rabbithole.kb.references.grammar.numbers import expand

MAX_TARGETS = 400
MAX_PARENS = 8

_WORDS = {
    "section": "section sections sec. secs. sect. § §§ clause clauses subsection subsections",
    "article": "article articles art.",
    "annex": "annex annexes",
    "schedule": "schedule schedules",
    "appendix": "appendix appendices app.",
    "table": "table tables",
    "figure": "figure figures fig. figs.",
    "chapter": "chapter chapters ch.",
    "paragraph": "paragraph paragraphs para. paras. subparagraph subparagraphs point points",
    "part": "part parts",
    "subpart": "subpart subparts",
    "subchapter": "subchapter",
    "title": "title",
    "subtitle": "subtitle",
    "division": "division",
    "recital": "recital recitals",
}
UNITS = {word: unit for unit, words in _WORDS.items() for word in words.split()}

_DASH = "-–‑"
NUMBER = re.compile(
    rf"\d{{1,6}}(?:[A-Z]{{1,2}}(?=\.\d))?(?:\.\d{{1,5}}(?:[A-Z]{{1,2}}(?=\.\d))?){{0,5}}[A-Za-z]{{0,4}}(?:[{_DASH}]\d{{1,6}}(?:\.\d{{1,5}})?[a-z]{{0,3}}){{0,2}}(?![\w])"
)
LETTERED = re.compile(
    r"[A-Z](?:[.-]?\d{1,3}){0,1}(?:\.\d{1,3}){0,4}(?![\w'’])|[IVXLC]{1,7}(?:\.\d{1,3}){0,3}(?![\w'’])"
)
SECTION_LETTERED = re.compile(
    r"[A-Z](?:\.?\d{1,3})(?:\.\d{1,3}){0,4}[A-Z]?(?!\w)|[IVX]{1,5}(?:\.[A-Z\d]{1,3}){0,3}(?![\w'’])"
)
PARENS = re.compile(
    rf"(?:{WS}?\((?:[a-z]{{1,2}}|[ivxl]{{1,6}}|[A-Z]{{1,2}}|[IVXL]{{1,5}}|\d{{1,3}})\)){{1,{MAX_PARENS}}}"
)
_DAY = re.compile(r"\d{1,2}-\d{1,2}-(?:19|20)\d\d")
_PAREN = re.compile(r"\((\w{1,5})\)")
SEPARATOR = re.compile(
    rf"{WS}(?:(?P<range>through|thru|to|until|[–—-](?=\s?[\d(]))|,{WS}(?:and|or|to){WS1}|,|;|and/or|and|or|&)"
    rf"(?={WS}[\d(A-Z]){WS}"
)
_NOT_A_SIBLING = re.compile(
    rf"{WS}(?:U\.?{WS}S\.?{WS}C|USC|CFR|C\.F\.R|FR(?!\w)|F\.R|Fed|Stat|STAT|F\.|S\.{WS}Ct|%|percent|years?|days?"
    rf"|months?"
    rf"|hours?|and{WS}\d+/|million|billion)|/\d|:\d\d"
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The targets below one unit, and the end of the match."""

    items: list[Path]
    end: int


def parens(text: str) -> Path:
    """Return "(a)(1)" as two paragraphs."""
    return tuple(("paragraph", value) for value in _PAREN.findall(text))


def split_range(number: str) -> tuple[str, str] | None:
    """Return the two ends of "4321–4370f", or None if the dash belongs to the number ("300u–11")."""
    first, dash, last = number.partition(next((char for char in number if char in _DASH), "\0"))
    if not dash or not first[-1:].isdigit():
        return None
    a, b = re.match(r"(\d+)(?:\.(\d+))?\Z", first), re.match(r"(\d+)(?:\.(\d+))?[a-z]*\Z", last)
    if not a or not b:
        return None
    if a[2] and not b[2]:  # "385.2001–2005"
        return (first, f"{a[1]}.{last}") if int(b[1]) > int(a[2]) else None
    if bool(a[2]) != bool(b[2]):
        return None
    return (first, last) if (int(b[1]), int(b[2] or 0)) >= (int(a[1]), int(a[2] or 0)) and last != first else None


def one(text: str, pos: int, unit: str, *, ranges: bool = True) -> Numbers | None:
    """Read one value with its paragraphs, or a range with a dash if ``ranges`` allows it."""
    parenthesised = PARENS.match(text, pos)
    if parenthesised and unit in ("paragraph", "section", "recital"):
        return Numbers([parens(parenthesised[0])], parenthesised.end())
    match = NUMBER.match(text, pos)
    if not match and unit not in ("paragraph", "recital"):
        match = (SECTION_LETTERED if unit == "section" else LETTERED).match(text, pos)
    if not match or _DAY.fullmatch(match[0]):
        return None
    end, value = match.end(), match[0]
    ends = split_range(value) if ranges else None
    if ends:
        return Numbers([((unit, each),) for each in expand(*ends)], end)
    tail = PARENS.match(text, end)
    path: Path = ((unit, value),)
    return Numbers([(*path, *parens(tail[0]))], tail.end()) if tail else Numbers([path], end)


def read_numbers(text: str, pos: int, unit: str, *, lists: bool = True, ranges: bool = True) -> Numbers | None:
    """Read a list of values: "13 and 14", "3.1 to 3.3", "(b) through (d)", "179.141(a)(1) and (2)"."""
    first = one(text, pos, unit, ranges=ranges)
    if first is None:
        return None
    items, end = list(first.items), first.end
    while lists and len(items) < MAX_TARGETS:
        separator = SEPARATOR.match(text, end)
        following = one(text, separator.end(), unit, ranges=ranges) if separator else None
        if not separator or not following or _NOT_A_SIBLING.match(text, following.end):
            break
        last, new = items[-1], following.items
        if new[0][0][0] == "paragraph":
            new = [_graft(last, new[0])]
        elif not _alike(last, new[0]):
            break
        if separator["range"] and len(last) == len(new[0]) and last[:-1] == new[0][:-1]:
            name = last[-1][0]
            new = [(*last[:-1], (name, each)) for each in expand(last[-1][1], new[0][-1][1])[1:]] or new
        items.extend(new)
        end = following.end
    return Numbers(items, end)


def _level(value: str, depth: int) -> str:
    """Return how a paragraph's value is counted; a single "i" is Roman where Roman numerals usually stand."""
    if value.isdigit():
        return "digit"
    if set(value) <= set("ivxl") and (len(value) > 1 or depth > 1):
        return "roman"
    return "upper" if value.isupper() else "lower"


def _graft(last: Path, tail: Path) -> Path:
    """Replace the deepest level counted in the same way: "(2)" after "(a)(1)" means "(a)(2)"."""
    for index in range(len(last) - 1, -1, -1):
        unit, value = last[index]
        if unit == "paragraph" and _level(value, index) == _level(tail[0][1], index):
            return (*last[:index], *tail)
    return (*last[:1], *tail) if last[0][0] != "paragraph" else tail


def _alike(last: Path, new: Path) -> bool:
    """Return whether a value has the shape of the last one: "20.1201 and 20.1202", but not "20.1201, 2017"."""
    a, b = last[0][1], new[0][1]
    if "." in a or "." in b:
        return ("." in a) == ("." in b) or len(b) < 3
    return a[:1].isdigit() == b[:1].isdigit()
