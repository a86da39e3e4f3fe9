"""Recognises text that says nothing by itself: lines of contents, mastheads, titles with a date, legends. Pure."""

from __future__ import annotations

import re

from rabbithole.kb.notation.months import MONTH

_LEADERS = re.compile(r"(?:[.·…]\s?){5,}|…\s?…")
"""The dots between a title and its page."""
_SPACED = re.compile(r"\b(?:[A-ZÄÖÜ] ){4,}[A-ZÄÖÜ]\b")
_DATE = (
    rf"(?:\d{{1,2}}\.\s?(?:{MONTH}|\d{{1,2}}\.)\s?\d{{4}}|(?:{MONTH})\s+(?:\d{{1,2}},\s+)?\d{{4}}|"
    r"\d{4}-\d{2}-\d{2})"
)
_ANY_DATE = re.compile(rf"\b(?:vom|stand:?|of|from|dated)?\s*{_DATE}", re.IGNORECASE)
_DATE_LINE = re.compile(rf"\A\s*{_DATE}\s+(?=[A-ZÄÖÜ]\S*\s+\S)")
_SENTENCE = re.compile(r"\A(?:\S+\s+){7,}?\S*[^\W\d_]{2}[.;:](?:\s|\Z)")
"""At least eight words that end a sentence: an entry such as "1. Mai 2024 Beginn der Vorlesungen" has fewer."""
_LEGEND = re.compile(
    r"\A\W*(?:Erläuterung(?:en)?|Legende|Legend|Abkürzung(?:en|sverzeichnis)?|Abbreviations|Key)\W*:", re.IGNORECASE
)
_FRONT = 1000
"""Characters at the beginning of a document among which its date line stands."""


def is_debris(text: str) -> bool:
    """Return whether a text is part of a table of contents or of a masthead: it has leaders or spaced capitals."""
    if _LEADERS.search(text):
        return True
    spaced = _SPACED.search(text)
    letters = spaced.group().split() if spaced else []
    return bool(letters) and letters != sorted(set(letters))  # "A B C D E" are marks


def is_title(text: str, title: str) -> bool:
    """Return whether a text is the title of its document with a date."""
    rest = _ANY_DATE.sub(" ", text)
    words = re.findall(r"\w{2,}", rest.casefold())
    return rest != text and set(words) <= set(re.findall(r"\w{2,}", title.casefold()))


def is_legend(text: str) -> bool:
    """Return whether a text explains the abbreviations of a table and has no sentence."""
    found = _LEGEND.match(text)
    return found is not None and _SENTENCE.search(text[found.end() :].lstrip()) is None


def date_line(text: str, start: int) -> int:
    """Return the length of the date line glued in front of a sentence that begins a document; 0 if there is none.

    ``start`` is where the text stands in the document: further below, a date says when.
    """
    found = _DATE_LINE.match(text) if start < _FRONT else None
    return found.end() if found and _SENTENCE.match(text[found.end() :]) else 0
