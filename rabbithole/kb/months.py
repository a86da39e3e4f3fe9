"""The names of the months in the languages of the documents."""

from __future__ import annotations

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
