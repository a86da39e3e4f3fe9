"""Keeps footnotes beside their text and out of sentences that continue on the next page."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import Edges, begins_paragraph, line_pitches
from rabbithole.kb.notation.raised_digits import plain_digits, raised_digits

from .note_places import Opens, paragraph_start, with_notes

_RAISED = re.compile(r"(?<=[^\s⁰-⁾¹²³])[⁰¹²³⁴-⁹]{1,3}(?![⁰¹²³⁴-⁹⁺⁻])")
_NUMBER = re.compile(r"\d{1,3}(?=\)?(?:\s+\S|[A-ZÄÖÜ]))")
SMALLER = 0.93
LOWEST_SHARE = 0.4
_MARKER = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s?\S|[*∗†‡§]{1,3}\s?[^\W\d]|\d{1,3}\)?(?:\s+\S|[A-ZÄÖÜ])|\[\d{1,3}\]\s")


def mark_notes(lines: Sequence[TextLine], body_size: float, height: float) -> list[TextLine]:
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


def raised(pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """Return the pages' lines with the numbers of footnotes raised: "3 The fee" below a text with "fee³".

    Else the number seems to be one of the sentence, and a note begins no paragraph if the one before ends without a
    full stop. Only a number that the text of the page or of the one before has raised is one of a note, and each is
    greater than the one before.
    """
    found: list[list[TextLine]] = []
    before: set[int] = set()
    for lines in pages:
        body = (line.text for line in lines if not line.note)
        called = {int(plain_digits(number)) for text in body for number in _RAISED.findall(text)}
        found.append(_with_numbers(lines, called | before))
        before = called
    return found


def _with_numbers(lines: Sequence[TextLine], called: Set[int]) -> list[TextLine]:
    shown, last = list(lines), 0
    for place, line in enumerate(lines):
        number = _NUMBER.match(line.text) if line.note else None
        if number is not None and last < int(number[0]) in called:
            last = int(number[0])
            rest = line.text[number.end() :].removeprefix(")").lstrip()
            shown[place] = replace(line, text=f"{raised_digits(number[0])} {rest}")
    return shown


def settle_notes(lines: Sequence[TextLine]) -> list[TextLine]:
    """Move footnotes to the paragraphs that call them, and out of sentences that continue after them."""
    pitches, edges = line_pitches(lines), Edges(lines)

    def opens(before: TextLine, line: TextLine) -> bool:
        return begins_paragraph(before, line, pitches.get(line.size, 1.25 * line.size), edges.of(before))

    rest = list(lines)
    settled: list[TextLine] = []
    index = 0
    while index < len(rest):
        if not rest[index].note:
            settled.append(rest[index])
            index += 1
            continue
        end = index
        while end < len(rest) and rest[end].note and rest[end].page == rest[index].page:
            end += 1
        run = rest[index:end]
        after = rest[end] if end < len(rest) else None
        if not settled or (after is not None and after.note):
            settled += run
        elif after is not None and (last := _beside(settled, rest, end, opens)):
            rest[index:last] = [*rest[end:last], *run]
            continue
        else:
            settled = with_notes(settled, run, after, opens)
        index = end
    return settled


def _beside(before: Sequence[TextLine], lines: Sequence[TextLine], start: int, opens: Opens) -> int:
    """Return the end of the part of a paragraph below a word in the margin, if it goes on from the page before; else 0.

    The word cannot stand above it: the text of a page stays together.
    """
    word = lines[start - 1]
    if word.column >= 0 or opens(before[-1], lines[start]):
        return 0
    if before[paragraph_start(before, len(before), opens)].page == word.page:
        return 0
    end = start
    while end < len(lines) and lines[end].page == word.page and not lines[end].note:
        end += 1
        if end < len(lines) and opens(lines[end - 1], lines[end]):
            break
    return end if end > start else 0
