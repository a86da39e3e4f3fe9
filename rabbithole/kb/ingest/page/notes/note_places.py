"""Chooses where the notes of a page stand: after the paragraph that calls them, and in no sentence or list."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import ENUMERATOR
from rabbithole.kb.notation.raised_digits import plain_digits

Opens = Callable[[TextLine, TextLine], bool]
_NUMBER = re.compile(r"(?:[⁰¹²³⁴-⁹]{1,3}|\d{1,3})(?=\)?(?:\s|[^\W\d_]))")
_CALLS = re.compile(r"(?<=[^\s⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]{1,3}(?![⁰¹²³⁴-⁹])")


def with_notes(
    before: Sequence[TextLine], notes: Sequence[TextLine], after: TextLine | None, opens: Opens
) -> list[TextLine]:
    """Return the lines of the text so far with the notes of their page.

    ``after`` is the next line of the text, if there is one, and ``opens`` tells whether a line begins a paragraph. A
    note goes after the paragraph that calls it, unless that is an item of a list, and so into its section. Others go
    before the paragraph they interrupt, or before the whole list, if it begins on their page; else they stand at the
    end.
    """
    lines = list(before)
    place = len(lines)
    if after is not None and not opens(before[-1], after):
        place = paragraph_start(before, len(before), opens)
    elif after is not None and _is_list(before, len(before), after, opens):
        place = _list(before, opens)
    if place < len(lines) and before[place].page != notes[0].page:
        place = len(lines)
    calls = _calls(before, notes[0].page)
    for number, note in reversed(_each(notes, calls)):
        called = _after_call(before, calls[number], opens) if number in calls else None
        place = place if called is None else min(place, called)
        lines[place:place] = note
    return lines


def _calls(before: Sequence[TextLine], page: int) -> dict[int, int]:
    """Return the line of a page that calls each note, by the note's number."""
    first = len(before)
    while first > 0 and before[first - 1].page == page:
        first -= 1
    return {
        int(plain_digits(number)): index
        for index in range(first, len(before))
        for number in _CALLS.findall(before[index].text)
    }


def _each(notes: Sequence[TextLine], calls: Container[int]) -> list[tuple[int, list[TextLine]]]:
    """Return the lines of each note with its number; only a number that is called and counts up begins another."""
    each: list[tuple[int, list[TextLine]]] = []
    last = 0
    for line in notes:
        number = _number(line)
        begins = number > last and number in calls
        if not each or line.column < 0 or begins:
            each.append((number if begins else 0, []))
        last = number if begins else last
        each[-1][1].append(line)
    return each


def _number(line: TextLine) -> int:
    match = _NUMBER.match(line.text)
    return int(plain_digits(match[0])) if match else 0


def _after_call(before: Sequence[TextLine], call: int, opens: Opens) -> int | None:
    """Return the end of the paragraph with the line that calls a note; None if it is not on the page, or an item."""
    end = call + 1
    while end < len(before) and not opens(before[end - 1], before[end]):
        end += 1
    whole = end < len(before) and before[end].page == before[call].page
    return end if whole and not _is_list(before, end, before[end], opens) else None


def paragraph_start(before: Sequence[TextLine], end: int, opens: Opens) -> int:
    """Return where the paragraph begins that ends before ``end``."""
    place = end - 1
    while place > 0 and not opens(before[place - 1], before[place]):
        place -= 1
    return place


def _is_list(before: Sequence[TextLine], end: int, after: TextLine, opens: Opens) -> bool:
    """Return whether a list, or what a colon announces, goes on with the line after the paragraph before ``end``."""
    if before[end - 1].text.endswith(":"):
        return True
    return bool(ENUMERATOR.match(after.text) and ENUMERATOR.match(before[paragraph_start(before, end, opens)].text))


def _list(before: Sequence[TextLine], opens: Opens) -> int:
    """Return where the list begins that goes on after the last line, or the paragraph that announces it."""
    place = paragraph_start(before, len(before), opens)
    while place > 0 and before[place - 1].page == before[-1].page and not before[place - 1].note:
        above = paragraph_start(before, place, opens)
        announced = before[place - 1].text.endswith(":")
        if not announced and not (ENUMERATOR.match(before[place].text) and ENUMERATOR.match(before[above].text)):
            break
        place = above
    return place
