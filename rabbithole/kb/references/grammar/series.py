"""Designations of series: "CNSS Instruction 4009", "OMB M-07-16", "AMBl. HTW Berlin Nr. 17/14"."""

from __future__ import annotations

import re
from functools import lru_cache

from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.designations.well_known_series import gazettes, well_known

from .form import WS, Form, FormMatch, Scan, spell
from .section_after import section_after

_LEAST = 3
"""Spellings need more letters than this to be looked for in running text; shorter ones are ambiguous."""
_MOST = 30
_MORE = re.compile(rf"{WS}(?:,{WS}(?:and|or|und|oder)?|and|or|und|oder|&|/){WS}(?=\d{{3,4}}-\d)")
_WORDS = frozenset({"guidelines", "recommendations", "circular"})
_READ_ELSEWHERE = frozenset(
    "KTA DIN ISO IEC EN VDI VDE ICRP IAEA NUREG RG RFC IEEE ASME ASTM ANSI API BSI TRGS TRBS".split()
)
_ISSUE = re.compile(
    rf"(?:{WS}(?:der|des|für)?{WS}(?P<issuer>[A-ZÄÖÜ][\wÄÖÜäöüß-]*(?:{WS}[A-ZÄÖÜ][\wÄÖÜäöüß-]*){{0,3}}))?"
    rf"{WS},?{WS}(?:(?P<year>(?:19|20)\d\d){WS},?{WS})?(?:Nr|No)\.?{WS}(?P<number>\d{{1,4}}(?:/\d{{2,4}})?)(?![\w/])"
)


@lru_cache(maxsize=1)
def _spellings() -> tuple[str, ...]:
    return (
        "SP 800",
        "SP-800",
        "SP800",
        "SP 1800",
        "FIPS",
        *_long_spellings(),
    )


def _long_spellings() -> tuple[str, ...]:
    return tuple(
        spelling
        for reader in well_known().readers
        for spelling in reader.row.spelled
        if len(spelling) > _LEAST
        and spelling.casefold() not in _WORDS
        and re.split(r"[ /-]", reader.row.series)[0] not in _READ_ELSEWHERE
    )


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read the longest designation of any series that begins here, and further numbers of the series after it."""
    read = max(well_known().at(scan.text, at), key=lambda each: each[0], default=None)
    if read is None:
        return []
    end, designation = read
    found = [_found(scan, at, end, designation)]
    while len(found) < _MOST and (more := _MORE.match(scan.text, found[-1].end)):
        read = well_known().alone(scan.text, more.end(), designation.series)
        if read is None:
            break
        found.append(_found(scan, more.end(), *read))
    return found


def _found(scan: Scan, at: int, end: int, designation: Designation) -> FormMatch:
    path, end = section_after(scan.text, end)
    name = designation.full if designation.dashed else designation.name
    target = spell(path, designation.full) if path else designation.full
    return FormMatch(at, end, "document_mention", target, name, path, edition=designation.printed_edition or None)


def parse_issue(scan: Scan, at: int) -> list[FormMatch]:
    """Read an issue of a gazette by its number."""
    name = next((each for each in sorted(_gazettes(), key=len, reverse=True) if scan.text.startswith(each, at)), None)
    match = _ISSUE.match(scan.text, at + len(name)) if name else None
    if name is None or match is None:
        return []
    short = gazettes()[name.casefold()]
    words = [short, match["issuer"], match["year"], f"Nr. {match['number']}"]
    target = " ".join(" ".join(word for word in words if word).split())
    return [FormMatch(at, match.end(), "document_mention", target, target)]


@lru_cache(maxsize=1)
def _gazettes() -> tuple[str, ...]:
    spelled = (
        "AMBl.",
        "AMBl",
        "Amtliches Mitteilungsblatt",
        "Amtlichen Mitteilungsblatt",
        "Dienstblatt",
        "Verkündungsblatt",
        "Amtliche Bekanntmachungen",
    )
    return tuple(each for each in spelled if each.casefold() in gazettes())


FORMS = (
    Form("designation of a series", _spellings(), parse),
    Form("issue of a gazette", _gazettes(), parse_issue),
)
