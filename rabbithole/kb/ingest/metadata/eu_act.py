"""Reads the title of an act of European Union law from its first page, as the Official Journal prints it.

The kind, number and issuer stand on one line, the date on the next, the subject on the lines up to the formula that
names the issuer or the legal basis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .front_matter import FrontMatter
from .printed_date import date_in

_MOST_LINES = 40
_MOST_TITLE = 300
_HEAD = re.compile(
    r"\W*(?:(?<=[►▼])\w{1,3}\W+)?(?P<head>(?:(?:Commission|Council|Delegated|Implementing|Framework|Delegierte)\s+){0,3}\w{0,14}"
    r"(?:Regulation|Directive|Decision|Recommendation|Verordnung|Richtlinie|Beschluss|Entscheidung|Empfehlung)\s+"
    r"(?:\([A-Z]+(?:,\s*[A-Z]+){0,2}\)\s*)?(?:N[or]\.?\s*)?\d{1,4}/\d{1,4}(?:/[A-Z]+)?"
    r"(?:\s(?:of the|des|der)\s.{4,90})?)",
    re.IGNORECASE,
)
_DATED = re.compile(r"(?:of|vom)\s\d{1,2}\.?\s[^\W\d_]+\s\d{4}", re.IGNORECASE)
_OVER = re.compile(
    r"\(?(?:Text with EEA|Text von Bedeutung|Only the|Nur der)|(?:Having regard|gestützt|auf Grund)\b"
    r"|\W*$",
    re.IGNORECASE,
)
_ISSUER = re.compile(r"(?:THE|DER|DIE|DAS)\s[^a-zäöüß]{4,},?")
_SMALL = frozenset("of the and on des der die und vom".split())


class PrintedAct(NamedTuple):
    """An act's title ("Decision (EU) 2031/4 of the Council of 2 May 2031 on air") and its date (ISO)."""

    title: str
    date: str


def printed_act(front: FrontMatter) -> PrintedAct | None:
    """Return the act on the first page; None if it has no title of the form that the Official Journal uses."""
    lines = [" ".join(line.text.split()) for line in (front.pages[0] if front.pages else ())[:_MOST_LINES]]
    for at, line in enumerate(lines):
        head = _HEAD.fullmatch(line)
        dated = next((index for index in (at + 1, at + 2) if index < len(lines) and _DATED.fullmatch(lines[index])), 0)
        if head is None or not dated or not (date := date_in(lines[dated])):
            continue
        named = [_spelled(text) for text in (head["head"], *lines[at + 1 : dated])]
        return PrintedAct(" ".join([*named, lines[dated], *_subject(lines[dated + 1 :])])[:_MOST_TITLE], date)
    return None


def _subject(lines: Sequence[str]) -> list[str]:
    """Return the lines that say what the act is on."""
    said: list[str] = []
    for line in lines:
        if _OVER.match(line) or _ISSUER.fullmatch(line) or sum(map(len, said)) > _MOST_TITLE:
            break
        said.append(line)
    return said


def _spelled(text: str) -> str:
    """Return a line in capitals as it is written in running text: 'Decision (EU) 2031/4 of the Council'."""
    if not text.isupper():
        return text
    words = (
        word if "(" in word or any(map(str.isdigit, word)) else word.lower() if word.lower() in _SMALL
        else word.capitalize() for word in text.split(" ")
    )  # fmt: skip
    return " ".join(words)
