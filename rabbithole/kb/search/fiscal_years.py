"""Write out fiscal years: reports say "fiscal 2022" or "year ended June 30, 2022" where people ask for "FY22"."""

from __future__ import annotations

import re

_SHORT = re.compile(r"\b(FY|GJ)[ -]?['’]?((?:19|20)\d\d|\d\d)\b")
_WORDS = {"FY": "fiscal year", "GJ": "Geschäftsjahr"}
_YEAR = re.compile(r"(?<![\d,])(?:19|20)\d\d(?!\d|[.,]\d)")
_REPORTED = re.compile(
    r"\b(?:fiscal(?: year)?|financial year|in|for|of|during|end of|im Jahr|Jahr|Jahre|Geschäftsjahr|Ende|seit|von|für)"
    r"(?: the)?(?: year)? ((?:19|20)\d\d)\b(?![.,/-]\d)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b((?:19|20)\d\d)\W+(?:\w+\W+){0,2}?(?:(?:to|until|till|through|bis)\W+(?:\w+\W+){0,2}?|(?<=[–-]))((?:19|20)\d\d)\b"
)
"""From one year to another: "from April 2017 until April 2019", "2017–2019"."""
_FISCAL = re.compile(r"\b(?:fiscal|financial year|Geschäftsjahr)", re.IGNORECASE)


def written_out(text: str) -> str:
    """Return a text with the short forms of fiscal years written out.

    >>> written_out("What was the FY2022 capex? And in FY21?")
    'What was the fiscal year 2022 capex? And in fiscal year 2021?'
    """
    return _SHORT.sub(lambda found: f"{_WORDS[found[1]]} {found[2] if len(found[2]) > 2 else '20' + found[2]}", text)


def years_in(text: str) -> tuple[str, ...]:
    """Return the years that a text names, in order, each once.

    >>> years_in("from FY21 to 2022 (2,022 units)")
    ('2021', '2022')
    """
    return tuple(dict.fromkeys(_YEAR.findall(written_out(text))))


def is_fiscal(text: str) -> bool:
    """Return whether a text speaks of fiscal years, which may end in the calendar year after."""
    return _FISCAL.search(written_out(text)) is not None


def is_of_year(question: str, text: str) -> bool:
    """Return whether a text may be about the year of a question: it names this year or one in between, or no year.

    >>> is_of_year("What were sales for FY2018?", "Sales in 2022 were 5 million."), is_of_year("Sales?", "In 2022.")
    (False, True)
    """
    asked = set(_REPORTED.findall(written_out(question)))
    said = set(years_in(text))
    after = {str(int(year) + 1) for year in asked} if is_fiscal(question) else set()
    during = any(first <= year <= last for first, last in _RANGE.findall(text) for year in asked)
    return not asked or not said or during or bool((asked | after) & said)
