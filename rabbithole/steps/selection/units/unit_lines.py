"""The lines of a section's text, and the units made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rabbithole.kb.notation.captions import TABLE_CAPTION
from rabbithole.steps.reasoning.text.markdown_tables import is_row
from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection.models import UnitKind

from .item_markers import markers

WHOLE = 750
"""Maximum number of characters of a list, or of paragraphs that belong together, that stay one unit."""
LONGEST = 1100
"""Maximum number of characters of any other unit of several lines."""
CAPTION = 90
"""Maximum number of characters of a caption or a heading."""
_LONGEST_CAPTION = 300
"""Maximum number of characters of a caption that begins with the number of its table."""
CLOSED = re.compile(r"[.!?…][\"“”»«')\]]*\s*\Z")
LEADS = re.compile(r"[:?]\s*\Z|\?\s+[^.!?\n]{0,60}(?:\.\.\.|…)\s*\Z")
"""The end of a line that belongs to what follows: a rule continued below, or a question answered below."""
_COUNT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|several|various|multiple|different|a number of|a few|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|mehrere[nr]?|verschiedene[nr]?|unterschiedliche[nr]?)"
)
_SEVERAL = re.compile(
    rf"\b(?:{_COUNT}|(?:the|as) (?:following|follows)|(?:nach)?folgende[nrms]?|wie folgt)\b", re.IGNORECASE
)
_ONLY_COUNTED = re.compile(
    r"\b(?:there (?:are|were|exist|can be)|es (?:gibt|bestehen|existieren)|(?:exist|gibt|bestehen) es)\b"
    rf"|\b(?:in|on|for|aus|auf) {_COUNT} (?:\w+ )?\w+\W*\Z",
    re.IGNORECASE,
)
_LONGEST_LEAD = 40
"""Maximum number of words of a sentence that only says how many things follow."""
FOOTNOTE = re.compile(r"\A[\d⁰¹²³⁴-⁹]{1,3}\s+[A-ZÄÖÜ]")
"""The beginning of a footnote."""
ORDINAL = re.compile(
    r"\A(?:First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Fourth(?:ly)?|Finally|Lastly|"
    r"The (?:first|second|third|other|last|next)|"
    r"Erstens|Zweitens|Drittens|Viertens|Schließlich|Zum (?:einen|anderen|ersten|zweiten|dritten)|"
    r"(?:Der|Die|Das) (?:erste|zweite|dritte|andere|letzte))\b"
)
"""The beginning of a paragraph that is one of several things announced before."""


@dataclass(frozen=True)
class UnitSpan:
    """The place of a unit in its section's text; ``head`` is the span of the line that introduces it."""

    start: int
    end: int
    kind: UnitKind
    block: int
    head: tuple[int, int] | None = None


@dataclass(frozen=True)
class Line:
    """A line without the white space around it; ``marker`` is the kind of its number or bullet, if it has one."""

    start: int
    end: int
    text: str
    marker: int | None

    @property
    def row(self) -> bool:
        """Whether the line is a row of a table."""
        return is_row(self.text)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text that are not empty."""
    found: list[Line] = []
    matches = list(re.finditer(r"[^\n]*[^\s][^\n]*", text))
    for match, marker in zip(matches, markers([match.group() for match in matches]), strict=True):
        words = match.group()
        start = match.start() + len(words) - len(words.lstrip())
        found.append(Line(start, match.start() + len(words.rstrip()), words.strip(), marker))
    return found


def is_caption(line: Line) -> bool:
    """Return whether a line may be a caption: it is short and ends no sentence."""
    return len(line.text) <= CAPTION and not CLOSED.search(line.text)


def is_table_caption(line: Line) -> bool:
    """Return whether a line is a caption with the number of its table, which may be sentences: 'Table 2: ...'."""
    return len(line.text) <= _LONGEST_CAPTION and TABLE_CAPTION.match(line.text) is not None


def announces_several(text: str) -> bool:
    """Return whether the last sentence of a text may announce a list below it: 'Several conditions must be met.'"""
    last = _last_sentence(text)
    return len(last.split()) <= _LONGEST_LEAD and _SEVERAL.search(last) is not None


def only_counts(text: str) -> bool:
    """Return whether the last sentence of a text says how many things there are, and names none of them.

    'There are two conditions for this.' and 'This is wrong for several reasons.' are no answers without these.
    """
    last = _last_sentence(text)
    named = last.count(",") > 1 or ":" in last.rstrip()[:-1]
    return announces_several(text) and not named and _ONLY_COUNTED.search(last) is not None


def _last_sentence(text: str) -> str:
    found = sentences(text.strip().rpartition("\n")[2])
    return found[-1].text if found else ""
