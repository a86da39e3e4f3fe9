"""Removes what the outline shows to be no reference: a heading's own number, a contents line, a caption. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from rabbithole.kb.models import Reference, Section
from rabbithole.kb.references.grammar.units import CAPTIONED

_SHORTEST = 6
"""Minimum number of letters for a line to be compared with headings: a number may continue on the next line."""
_LONGEST = 240
_MARKS = re.compile(r"[^\w§]+")
_PAGE = re.compile(r"[\s.|…]*\d{0,4}[\s|]*$")
_BEFORE = " \t\u00a0\u2009#*|"
_CAPTION_REST = re.compile(r"[ \t]*[.:–—](?!\d)")


def without_headings(text: str, outline: Sequence[Section], references: Iterable[Reference]) -> list[Reference]:
    """Return the references without those in headings, in tables of contents and in captions.

    The parsers of single mentions leave out what the line itself shows; this function uses the outline.
    """
    numbered = [section for section in outline if section.number]
    starts = {section.start for section in numbered}
    labels = sorted(_plain(section.label) for section in numbered if section.heading)
    return [one for one in references if not (one.path and _opens_line(text, one, starts, labels))]


def _opens_line(text: str, reference: Reference, starts: set[int], labels: Sequence[str]) -> bool:
    if reference.start in starts:
        return True
    first = text.rfind("\n", max(0, reference.start - _LONGEST), reference.start) + 1
    if text[first : reference.start].strip(_BEFORE):
        return False
    word = reference.text.partition(" ")[0]
    if reference.path[0][0] in CAPTIONED and (word.isupper() or _CAPTION_REST.match(text, reference.end)):
        return True
    last = text.find("\n", first, first + _LONGEST)
    line = _plain(_PAGE.sub("", text[first : last if last >= 0 else first + _LONGEST]))
    place = bisect_left(labels, line)
    return len(line) >= _SHORTEST and place < len(labels) and labels[place].startswith(line)


def _plain(words: str) -> str:
    return _MARKS.sub("", words).casefold()
