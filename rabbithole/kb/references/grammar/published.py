"""Official gazettes: "BGBl. I S. 1966", "BGBl. 2018 I Nr. 12", "ABl. L 180 S. 60", "BAnz AT 12.03.2020 B1"."""

from __future__ import annotations

import re
from functools import lru_cache

from rabbithole.kb.references.names.designations.well_known_series import gazettes

from .form import WS, Form, FormMatch, Scan

_GAZETTE = re.compile(
    rf"(?P<name>Bundesgesetzblatt|Reichsgesetzblatt|BGBl\.?|RGBl\.?|GVBl\.?|GVOBl\.?|GBl\.?|GMBl\.?|BStBl\.?|BAnz\.?"
    rf"|ABl\.?|Amtsblatt)"
    rf"(?:{WS}(?:der{WS}EU|EU|EG))?"
    rf"(?P<where>(?:{WS},?{WS}(?:Teil{WS}[IVX]+|[IVX]{{1,4}}(?!\w)|(?:18|19|20)\d\d(?![\d.])"
    rf"|Nr\.?{WS}[LC]?{WS}\d{{1,5}}|S(?:eite|\.)?{WS}\d{{1,6}}|[LC](?:{WS}\d{{1,4}})?(?!\w)"
    rf"|AT(?!\w)|B\d|\d{{2}}\.\d{{2}}\.\d{{4}}|\d{{1,5}}(?![\d.]))){{1,6}})(?:{WS}vom{WS}\d{{1,2}}\.{WS}\d{{1,2}}\.{WS}\d{{4}}(?:{WS},{WS}S\.{WS}\d{{1,5}})?)?(?:{WS}ff?\.)?"
)


_FEDERAL_REGISTER = re.compile(r"\d{1,3}\s(?:FR|F\.\s?R\.|Fed\.\s?Reg\.)\s\d")
_REGION = r"(?:[A-ZÄÖÜ][a-zäöü]*)?"
"""The abbreviation of a state before that of its gazette: 'SächsGVBl.'."""
_IN_GAZETTE = re.compile(
    r"(?:\A|\b(?:Nrn?|Nos?|S|Seite|p{1,2}|pages?|Vol|Teil|Part|[LC]|[IVX]{1,4}|AT)\b\.?)[\s,]*\d", re.IGNORECASE
)


# A page or a number besides the year; without one, only the gazette is named and no place in it.
_PLACE = re.compile(r"S(?:eite|\.)\s*\d|Nr|[LCB]\s?\d|(?<!\d)(?!(?:18|19|20)\d\d(?!\d))\d{1,5}")


def parse(scan: Scan, at: int) -> list[FormMatch]:
    """Read a gazette with year, part, number and page in any order."""
    match = _GAZETTE.match(scan.text, at)
    if not match:
        return []
    if not _PLACE.search(match["where"]):
        return []
    target = " ".join(match[0].split())
    return [FormMatch(at, match.end(), "document", target, target)]


_NAMES = (
    "Bundesgesetzblatt",
    "Reichsgesetzblatt",
    "BGBl",
    "RGBl",
    "GVBl",
    "GVOBl",
    "GBl",
    "GMBl",
    "BStBl",
    "BAnz",
    "ABl",
    "Amtsblatt",
)
FORMS = (Form("gazette", _NAMES, parse),)


def is_gazette(name: str) -> bool:
    """Return whether a name is a place in a gazette: 'BGBl. I S. 1966', 'Official Journal L 119', '83 FR 62697'."""
    if _FEDERAL_REGISTER.match(name):
        return True
    found = _gazette_names().match(name)
    return found is not None and _IN_GAZETTE.search(name[found.end() :].lstrip(" ,.")) is not None


@lru_cache(maxsize=1)
def _gazette_names() -> re.Pattern[str]:
    spelled = sorted({*_NAMES, *gazettes()}, key=lambda name: (-len(name), name))
    listed = "|".join(re.escape(name.rstrip(".")) for name in spelled)
    short = "|".join(name for name in _NAMES if name.endswith("Bl"))
    return re.compile(rf"(?:(?i:{listed})|{_REGION}(?:{short}))(?!\w)")
