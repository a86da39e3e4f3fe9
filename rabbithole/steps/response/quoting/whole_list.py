"""Completes a list of which a passage is a part, because a part of what is asked for would look like the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from rabbithole.steps.reasoning.text.sentences import sentences
from rabbithole.steps.selection.models import UnitKind
from rabbithole.steps.selection.units.item_markers import PARAGRAPH, marker_of
from rabbithole.steps.selection.units.unit_lines import UnitSpan
from rabbithole.steps.selection.units.unit_splitting import split

_LISTS: frozenset[UnitKind] = frozenset({"list", "item", "steps"})
_STEP = re.compile(r"^[ \t]*\(?(\d{1,2})[.)][ \t]", re.MULTILINE)
_SEVERAL, _LEAST = 2, 8
"""Minimum number of items of a list shown by its beginnings, and of words for each."""
_INTERRUPTED = 2000
"""Maximum number of characters between two steps of one list, such as a note in a box."""


class ListSpan(NamedTuple):
    """The part of a list to show; ``goes_on`` if the list has more items than that."""

    start: int
    end: int
    goes_on: bool


def whole_list(text: str, start: int, end: int, words: int) -> ListSpan | None:
    """Return the list in ``text`` that contains the span or follows it directly, from its lead-in, up to ``words``.

    Steps continue after a note between them: "3." is followed by "4.". Returns None if there is no such list, or if
    more than ``words`` words stand between its beginning and the end of the span.
    """
    units = split(text)
    block = _block(text, units, start, end)
    if not block:
        return None
    low = min(start, *(one.head[0] if one.head else one.start for one in block))
    rest = [one for one in units if one.start >= block[0].start]
    high, last = end, _last(text, block)
    for one in rest:
        if one.start > last:
            break
        if len(text[low : max(high, one.end)].split()) > words:
            return ListSpan(low, high, goes_on=True) if len(text[low:high].split()) <= words else None
        if one.kind in _LISTS:  # what stands between two steps is shown only with the second
            high = max(high, one.end)
    return ListSpan(low, high, goes_on=False)


def list_that_ends(units: Sequence[UnitSpan], last: UnitSpan) -> int | None:
    """Return where the list begins whose end is the unit ``last``, with its lead-in; None if it is in no list."""
    if last.kind not in _LISTS:
        return None
    first = next(one for one in units if one.block == last.block)
    return first.head[0] if first.head else first.start


def lists_with_lead_in(text: str) -> list[tuple[str, list[UnitSpan]]]:
    """Return each list of a text that has a lead-in, as the words of the lead-in and the units of the list."""
    blocks: dict[int, list[UnitSpan]] = {}
    for one in split(text):
        if one.kind in _LISTS:
            blocks.setdefault(one.block, []).append(one)
    found = []
    for block in blocks.values():
        first = block[0]
        lead = text[slice(*first.head)] if first.head else text[first.start : first.end].partition("\n")[0]
        if first.head or marker_of(lead) is None:
            found.append((lead, block))
    return found


def beginnings(text: str, block: Sequence[UnitSpan], words: int) -> list[UnitSpan]:
    """Return the first sentences of each item of a list with a lead-in, up to ``words`` words in all.

    Returns [] if its items are too many to say what each is about.
    """
    items = [one for one in block if one.kind == "item" and one.head is not None and _begins_line(text, one)]
    room = words // max(1, len(items))
    if len(items) < _SEVERAL or room < _LEAST or len({one.head for one in items}) > 1:
        return []
    found: list[UnitSpan] = []
    for one in items:
        last = one.start
        for sentence in sentences(text[one.start : one.end]):
            if last > one.start and len(text[one.start : one.start + sentence.end].split()) > room:
                break
            last = one.start + sentence.end
        if last > one.start:
            found.append(replace(one, end=last))
    return found if sum(len(text[one.start : one.end].split()) for one in found) <= words else []


def _begins_line(text: str, unit: UnitSpan) -> bool:
    """Return whether a unit is at the beginning of a line: the further parts of an item cut for its length are not."""
    return not text[text.rfind("\n", 0, unit.start) + 1 : unit.start].strip()


def _block(text: str, units: Sequence[UnitSpan], start: int, end: int) -> list[UnitSpan]:
    """Return the units of the list that holds the last unit of the span, or of the list directly below it.

    Paragraphs "(1)", "(2)" of a section are no list.
    """
    inside = [one for one in units if one.start < end and one.end > start]
    below = [one for one in units if one.start >= end]
    for one in (*inside[-1:], *below[:1]):
        if one.kind in _LISTS and marker_of(text[one.start : one.end]) != PARAGRAPH:
            return [each for each in units if each.block == one.block and each.kind in _LISTS]
    return []


def _last(text: str, block: Sequence[UnitSpan]) -> int:
    """Return where the last step of a list begins, following its numbers past what stands between them."""
    at, end = block[-1].start, block[-1].end
    numbers = [int(found[1]) for found in _STEP.finditer(text, block[0].start, end)]
    step = numbers[-1] if numbers else None
    while step is not None:
        step += 1
        near = _STEP.finditer(text, end, min(len(text), end + _INTERRUPTED))
        found = next((one for one in near if int(one[1]) == step), None)
        if found is None:
            break
        at = end = found.end()
    return at
