"""Finds where the authors of a bibliography entry end and its title begins, for the common styles."""

from __future__ import annotations

import re
from typing import NamedTuple

_PARTICLE = r"(?:[Vv]an|VAN|[Vv]on|VON|[Dd]e|DE|[Dd]er|DER|[Dd]en|DEN|[Dd]i|DI|[Dd]a|DA|[Ll]e|LE|[Ll]a|LA)"
_CAPITAL = r"[A-ZÄÖÜÉÀÈÁÍÓÚØÅŠŽČ]"
_NAME = rf"{_CAPITAL}[\w'’´-]{{1,40}}"
_SURNAME = rf"(?:{_PARTICLE}[ ]){{0,3}}{_NAME}(?:[ ]{_NAME})?"
_INITIALS = rf"(?:{_CAPITAL}[a-z]?\.[ -]?){{1,4}}"
_SHORT = rf"{_CAPITAL}{{1,3}}(?=[,.;:\s])"
_EDITOR = r"(?:\s?\((?:[Ee]ds?|Hrsg)\.?\))?"
_NEXT = r"\s?(?:,\s(?:and|AND|und|&)\s|[,;]\s|(?:and|AND|und|&)\s)"
_ETAL = r"(?:,?\s?(?:et\sal|ET\sAL|u\.\s?a)\b\.?(?:,?\s?al\.)?)?"
_END = r"\s{0,2}(?:[.:,](?=\s)|(?=[(\"“„]))"


def _list(person: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<people>(?:{person}){_EDITOR}(?:{_NEXT}(?:{person}){_EDITOR}){{0,40}}{_ETAL}){_END}?\s{{0,3}}"
    )


# Surname before initials ("DEAN, J., AND GHEMAWAT, S."), after them ("J. Dean and S. Ghemawat"), surname and capitals.
_STYLES = (
    _list(rf"{_SURNAME},\s?(?:{_INITIALS}|{_SHORT})"),
    _list(rf"{_INITIALS}\s?(?:{_PARTICLE}[ ]){{0,3}}{_NAME}"),
    _list(rf"{_NAME}\s{_CAPITAL}{{1,3}}(?=[,;:\s])"),
)
_FULL_NAME = rf"{_NAME}(?:[ ](?:{_CAPITAL}\.(?:[ -]?{_CAPITAL}\.)?|{_PARTICLE}|{_NAME}|{_CAPITAL}(?=[ ]))){{1,4}}"
_FULL = re.compile(
    rf"(?P<people>{_FULL_NAME}(?:{_NEXT}{_FULL_NAME}){{0,40}}{_ETAL})(?:\.(?=\s)|:(?=\s))\s{{1,3}}(?=\S)"
)
_NO_PEOPLE = re.compile(r"\b(?:The|Inc|Corp|Ltd|GmbH|Team|Committee|Homepage|Manual|Guide|Report|of|for)\b")


class People(NamedTuple):
    """The authors as written, and the offset of the text after them."""

    written: str
    end: int


def people_of(entry: str) -> People | None:
    """Return the authors an entry begins with, or None if it begins otherwise."""
    found = [match for match in (style.match(entry) for style in _STYLES) if match]
    full = _FULL.match(entry)
    if full and not _NO_PEOPLE.search(full["people"]):
        found.append(full)
    longest = max(found, key=lambda match: match.end("people"), default=None)
    return People(longest["people"], longest.end()) if longest else None
