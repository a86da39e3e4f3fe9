"""Official gazettes: "BGBl. I S. 1966", "BGBl. 2018 I Nr. 12", "ABl. L 180 S. 60", "BAnz AT 12.03.2020 B1"."""

from __future__ import annotations

import re

from .form import WS, Form, Found, Scan

_GAZETTE = re.compile(
    rf"(?P<name>Bundesgesetzblatt|Reichsgesetzblatt|BGBl\.?|RGBl\.?|GVBl\.?|GVOBl\.?|GBl\.?|GMBl\.?|BStBl\.?|BAnz\.?"
    rf"|ABl\.?|Amtsblatt)"
    rf"(?:{WS}(?:der{WS}EU|EU|EG))?"
    rf"(?P<where>(?:{WS},?{WS}(?:Teil{WS}[IVX]+|[IVX]{{1,4}}(?!\w)|(?:18|19|20)\d\d(?![\d.])"
    rf"|Nr\.?{WS}[LC]?{WS}\d{{1,5}}|S(?:eite|\.)?{WS}\d{{1,6}}|[LC](?:{WS}\d{{1,4}})?(?!\w)"
    rf"|AT(?!\w)|B\d|\d{{2}}\.\d{{2}}\.\d{{4}}|\d{{1,5}}(?![\d.]))){{1,6}})(?:{WS}vom{WS}\d{{1,2}}\.{WS}\d{{1,2}}\.{WS}\d{{4}}(?:{WS},{WS}S\.{WS}\d{{1,5}})?)?(?:{WS}ff?\.)?"
)


# A page or a number besides the year; without one, only the gazette is named and no place in it.
_PLACE = re.compile(r"S(?:eite|\.)\s*\d|Nr|[LCB]\s?\d|(?<!\d)(?!(?:18|19|20)\d\d(?!\d))\d{1,5}")


def parse(scan: Scan, at: int) -> list[Found]:
    """Read a gazette with year, part, number and page in any order."""
    match = _GAZETTE.match(scan.text, at)
    if not match:
        return []
    if not _PLACE.search(match["where"]):
        return []
    target = " ".join(match[0].split())
    return [Found(at, match.end(), "document", target, target)]


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
