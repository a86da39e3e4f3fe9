"""Tells whether entries of two bibliographies are the same work, by first author, year and beginning of the title."""

from __future__ import annotations

import re

from rabbithole.kb.references.names.name_keys import fold

_LEAST = 60
"""Least number of characters of an entry; shorter names are titles or abbreviations."""
_AUTHORS = 400
_YEAR = re.compile(r"\((?P<year>(?:19|20)\d\d)(?P<letter>[a-z]?)\)[.,:;]?\s+")
_BEHIND = re.compile(r"\b(?:19|20)\d\d\b(?!.*\b(?:19|20)\d\d\b)")
_END_OF_AUTHORS = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=et al))[.:]\s+(?=[“\"„']?[A-ZÄÖÜ][^\s.]*\s)")
_WORD = re.compile(r"[^\W_]+")
_END_OF_TITLE = re.compile(r"[.?!](?:\s|[”“\"']|\Z)|[”\"](?:\s|\Z)")
_SURNAME = re.compile(r"[^\W\d_]{3,}")
_ADDRESS = frozenset({"url", "http", "https", "www"})
_TITLE_WORDS = 6
_LEAST_WORDS = 4


def entry_key(entry: str) -> tuple[str, ...] | None:
    """Return surname, year and first words of the title, in small letters; None if the text does not show all three.

    'Held, L. and Paul, M. (2012). Modeling ...' and 'L. Held and M. Paul. Modeling .... Stat. Med., 2012' are the same.
    """
    text = fold(entry)
    if len(text) < _LEAST:
        return None
    year = _YEAR.search(text, 0, _AUTHORS)
    authors = _END_OF_AUTHORS.search(text, 0, _AUTHORS)
    if year is not None and year.start() > 0 and (authors is None or year.start() <= authors.start() + 2):
        written, begin, head = year["year"] + year["letter"], year.end(), text[: year.start()]
    elif authors is not None and (last := _BEHIND.search(text, authors.end())):
        written, begin, head = last[0], authors.end(), text[: authors.start()]
    else:
        return None
    rest = text[begin:].lstrip("“\"„' ")
    end = _END_OF_TITLE.search(rest)
    title = [word.casefold() for word in _WORD.findall(rest[: end.start()] if end else rest)]
    surname = _SURNAME.search(head)
    if surname is None or len(title) < _LEAST_WORDS or not _ADDRESS.isdisjoint(title[:_TITLE_WORDS]):
        return None
    return (surname[0].casefold(), written, *title[:_TITLE_WORDS])
