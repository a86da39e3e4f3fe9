"""Keeps footnotes beside their text and out of sentences that continue on the next page."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from .lines import Line
from .paragraphs import Edges, begins_paragraph, line_pitches

_LIFTED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED = re.compile(r"(?<=[^\s⁰-⁾¹²³])[⁰¹²³⁴-⁹]{1,3}(?![⁰¹²³⁴-⁹⁺⁻])")
_NUMBER = re.compile(r"\d{1,3}(?=\)?(?:\s+\S|[A-ZÄÖÜ]))")
SMALLER = 0.93
LOWEST_SHARE = 0.4
_MARKER = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s?\S|[*∗†‡§]{1,3}\s?[^\W\d]|\d{1,3}\)?(?:\s+\S|[A-ZÄÖÜ])|\[\d{1,3}\]\s")


def mark_notes(lines: Sequence[Line], body_size: float, height: float) -> list[Line]:
    """Mark the footnotes of a page: small print that begins with a marker at the end of a column.

    ``lines`` are in reading order; ``height`` is the page's in points.
    """
    marked = list(lines)
    columns = sorted({line.column for line in lines})
    for column in columns:
        places = [place for place, line in enumerate(lines) if line.column == column]
        first = len(places)
        while first > 0 and lines[places[first - 1]].size <= SMALLER * body_size:
            first -= 1
        while first < len(places) and not _MARKER.match(lines[places[first]].text):
            first += 1
        if first < len(places) and first > 0 and lines[places[first]].y0 > LOWEST_SHARE * height:
            for place in places[first:]:
                marked[place] = replace(lines[place], note=True)
    return marked


def raised(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Return the pages' lines with the numbers of footnotes raised: "3 The fee" below a text with "fee³".

    Else the number seems to be one of the sentence, and a note begins no paragraph if the one before ends without a
    full stop. Only a number that the text of the page or of the one before has raised is one of a note, and each is
    greater than the one before.
    """
    found: list[list[Line]] = []
    before: set[int] = set()
    for lines in pages:
        body = (line.text for line in lines if not line.note)
        called = {int(number.translate(_LOWERED)) for text in body for number in _RAISED.findall(text)}
        found.append(_with_numbers(lines, called | before))
        before = called
    return found


def _with_numbers(lines: Sequence[Line], called: Set[int]) -> list[Line]:
    shown, last = list(lines), 0
    for place, line in enumerate(lines):
        number = _NUMBER.match(line.text) if line.note else None
        if number is not None and last < int(number[0]) in called:
            last = int(number[0])
            rest = line.text[number.end() :].removeprefix(")").lstrip()
            shown[place] = replace(line, text=f"{number[0].translate(_LIFTED)} {rest}")
    return shown


def settle_notes(lines: Sequence[Line]) -> list[Line]:
    """Move footnotes before their paragraph if its sentence continues after them."""
    pitches, edges = line_pitches(lines), Edges(lines)

    def opens(before: Line, line: Line) -> bool:
        return begins_paragraph(before, line, pitches.get(line.size, 1.25 * line.size), edges.of(before))

    settled: list[Line] = []
    index = 0
    while index < len(lines):
        if not lines[index].note:
            settled.append(lines[index])
            index += 1
            continue
        end = index
        while end < len(lines) and lines[end].note and lines[end].page == lines[index].page:
            end += 1
        run = list(lines[index:end])
        place = len(settled)
        if settled and end < len(lines) and not lines[end].note and not opens(settled[-1], lines[end]):
            while place > 1 and not opens(settled[place - 2], settled[place - 1]):
                place -= 1
            place -= 1
            # the paragraph is longer than the page: the notes stay where they are
            if settled[place].page != run[0].page:
                place = len(settled)
        settled[place:place] = run
        index = end
    return settled
