"""The names of the months in the languages of the documents, and days as people write them."""

from __future__ import annotations

import re
from typing import Final

GERMAN_MONTHS: Final = tuple(
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
)
ENGLISH_MONTHS: Final = tuple(
    "January February March April May June July August September October November December".split()
)
GERMAN_MONTH: Final = "|".join(GERMAN_MONTHS)
"""Alternatives for a regular expression."""
MONTH: Final = "|".join(dict.fromkeys((*ENGLISH_MONTHS, *GERMAN_MONTHS)))
"""German or English; 'January' comes before its prefix 'Januar'."""
_DAY: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?")


def day_name(day: str, language: str) -> str:
    """Return '2026-11-23' as '23. November 2026' or '23 November 2026', and '2026-11' as 'November 2026'.

    Anything else is returned unchanged ('2016').
    """
    known = _DAY.fullmatch(day)
    if known is None:
        return day
    months, point = (GERMAN_MONTHS, ".") if language == "de" else (ENGLISH_MONTHS, "")
    number = f"{int(known[3])}{point} " if known[3] else ""
    return f"{number}{months[int(known[2]) - 1]} {known[1]}"
