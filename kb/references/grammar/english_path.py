"""English numbers and paths: "Section 5.2", "Articles 13 and 14", "20.1201(a)(1)", "paragraphs (b) through (d)"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .form import WS, WS1, Path
from .numbers import expand

MAX_TARGETS = 400
MAX_PARENS = 8

UNITS = {
    "section": "section", "sections": "section", "sec.": "section", "secs.": "section", "sect.": "section", "§": "section", "§§": "section",
    "clause": "section", "clauses": "section", "subsection": "section", "subsections": "section",
    "article": "article", "articles": "article", "art.": "article", "annex": "annex", "annexes": "annex",
    "appendix": "appendix", "appendices": "appendix", "app.": "appendix", "table": "table", "tables": "table",
    "figure": "figure", "figures": "figure", "fig.": "figure", "figs.": "figure", "chapter": "chapter", "chapters": "chapter",
    "ch.": "chapter", "paragraph": "paragraph", "paragraphs": "paragraph", "para.": "paragraph", "paras.": "paragraph",
    "subparagraph": "paragraph", "subparagraphs": "paragraph", "part": "part", "parts": "part", "subpart": "subpart", "subparts": "subpart",
    "subchapter": "subchapter", "title": "title", "subtitle": "subtitle", "division": "division", "point": "paragraph", "points": "paragraph",
    "schedule": "annex", "recital": "recital", "recitals": "recital",
}  # fmt: skip

_DASH = "-–‑"
NUMBER = re.compile(
    rf"\d{{1,6}}(?:\.\d{{1,5}}){{0,5}}[A-Za-z]{{0,4}}(?:[{_DASH}]\d{{1,6}}(?:\.\d{{1,5}})?[a-z]{{0,3}}){{0,2}}(?![\w])"
)
LETTERED = re.compile(
    r"[A-Z](?:[.-]?\d{1,3}){0,1}(?:\.\d{1,3}){0,4}(?![\w'’])|[IVXLC]{1,7}(?:\.\d{1,3}){0,3}(?![\w'’])"
)
PARENS = re.compile(rf"(?:{WS}?\((?:[a-zA-Z]{{1,5}}|\d{{1,3}})\)){{1,{MAX_PARENS}}}")
_PAREN = re.compile(r"\((\w{1,5})\)")
SEPARATOR = re.compile(
    rf"{WS}(?:(?P<range>through|thru|to|until|[–—-](?=\s?[\d(]))|,{WS}(?:and|or|to){WS1}|,|;|and/or|and|or|&)(?={WS}[\d(A-Z]){WS}",
    re.UNICODE,
)
_NOT_A_SIBLING = re.compile(
    rf"{WS}(?:U\.?{WS}S\.?{WS}C|USC|CFR|C\.F\.R|FR(?!\w)|F\.R|Fed|Stat|STAT|F\.|S\.{WS}Ct|%|percent|years?|days?|months?|hours?|and{WS}\d+/|million|billion)|/\d|:\d\d"
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Targets below one unit and where the reading ended."""

    items: list[Path]
    end: int


def parens(text: str) -> Path:
    """ "(a)(1)" as two paragraphs."""
    return tuple(("paragraph", value) for value in _PAREN.findall(text))


def split_range(number: str) -> tuple[str, str] | None:
    """The two ends of "4321–4370f"; None when the dash belongs to the number ("300u–11")."""
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


def one(text: str, pos: int, unit: str) -> Numbers | None:
    """One value with its paragraphs, or a range written with a dash."""
    parenthesised = PARENS.match(text, pos)
    if parenthesised and unit in ("paragraph", "section", "recital"):
        return Numbers([parens(parenthesised[0])], parenthesised.end())
    match = NUMBER.match(text, pos)
    if not match and unit not in ("section", "paragraph", "recital"):
        match = LETTERED.match(text, pos)
    if not match and unit == "section":
        match = re.compile(r"[A-Z](?:\.\d{1,3}){1,4}(?!\w)|[IVX]{1,5}(?:\.[A-Z\d]{1,3}){0,3}(?![\w'’])").match(
            text, pos
        )
    if not match:
        return None
    end, value = match.end(), match[0]
    ends = split_range(value)
    if ends:
        return Numbers([((unit, each),) for each in expand(*ends)], end)
    tail = PARENS.match(text, end)
    path: Path = ((unit, value),)
    return Numbers([(*path, *parens(tail[0]))], tail.end()) if tail else Numbers([path], end)


def read_numbers(text: str, pos: int, unit: str, *, lists: bool = True) -> Numbers | None:
    """A list of values: "13 and 14", "3.1 to 3.3", "(b) through (d)"; a bare "(2)" later in the list keeps the section."""
    first = one(text, pos, unit)
    if first is None:
        return None
    items, end = list(first.items), first.end
    while lists and len(items) < MAX_TARGETS:
        separator = SEPARATOR.match(text, end)
        if not separator:
            break
        following = one(text, separator.end(), unit)
        if (
            following is None
            or _NOT_A_SIBLING.match(text, following.end)
            or not _alike(items[-1], following.items[0], unit)
        ):
            stem = items[-1][:1] if items[-1][0][0] == unit and unit == "section" and len(items[-1]) > 1 else None
            tail = PARENS.match(text, separator.end()) if stem else None
            if not stem or not tail:
                break
            items.append((*stem, *parens(tail[0])))
            end = tail.end()
            continue
        last, new = items[-1], following.items
        if new[0][0][0] != unit and items[-1][0][0] == unit:
            new = [(*items[-1][:1], *path) for path in new]
        if separator["range"] and len(last) == len(new[0]) and last[:-1] == new[0][:-1]:
            name = last[-1][0]
            new = [(*last[:-1], (name, each)) for each in expand(last[-1][1], new[0][-1][1])[1:]] or new
        items.extend(new)
        end = following.end
    return Numbers(items, end)


def _alike(last: Path, new: Path, unit: str) -> bool:
    """Whether a further value has the shape of the last one: "20.1201 and 20.1202", not "20.1201, 2017"."""
    a, b = last[0][1], new[0][1]
    if new[0][0] != unit:
        return True
    if "." in a or "." in b:
        return ("." in a) == ("." in b)
    return a[:1].isdigit() == b[:1].isdigit()
