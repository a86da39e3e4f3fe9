"""Tells where a block of a section's lines ends: a table, a list with its lead-in, steps, a program, a paragraph."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .item_markers import NUMBERED, PARAGRAPH
from .unit_lines import CAPTION, CLOSED, FOOTNOTE, LEADS, WHOLE, Line, announces_several, is_caption

_INSERTED = 120
"""Maximum number of characters of a line that stands inside a sentence, such as a command."""
_GOES_ON = re.compile(
    r"(?:,|\b(?:wenn|wer|der|die|das|den|dem|dass|soweit|sofern|und|oder|durch|für|mit|von|sind|ist|hat|haben|muss|müssen|"
    r"kann|können|darf|dürfen|soll|sollen|if|who|which|that|when|where|unless|and|or|by|for|to|of|the|shall|must|may|"
    r"should|is|are|include|includes))\s*\Z"
)
"""The end of a short line that introduces what follows; headings do not end like this."""
_CODE = re.compile(
    r"^[#$>%]\s|[;{}\\]\s*\Z|^\s*--\s|\w\(.*\)\s*\Z|^[\w.-]+ ?[:=]{1,2} ?\S|^</?\w|\s--?\w|^(?:/[\w.*-]+)+\b"
)
"""A line of a program, of a configuration file or of commands."""
RUN_IN = re.compile(r"\A(?=.{3,60}?\.\s)[A-ZÄÖÜ][\w’'()/&-]*(?:\s+[\w’'()/&-]+){0,6}\.\s+[A-ZÄÖÜ]")
"""A paragraph that begins with its own heading: 'Software as a Service (SaaS). The capability ...'."""
TABLE = re.compile(r"\A(?:Table|Tabelle|Tab\.|Box|Übersicht)\s+[A-Z]?\d{1,3}(?:[.-]\d{1,3})*\b", re.IGNORECASE)
"""A caption of a table."""
_CELL = 60
"""Maximum number of characters of a cell that stands on a line of its own, where no rows were recognised."""
_CELLS = 3
_FURTHER = 3
"""Maximum number of paragraphs of an item below its first one, where the list goes on."""
_DIGITS = re.compile(r"\d+")


def block_end(lines: Sequence[Line], at: int) -> int:
    """Return where the block starting at a line ends: all rows of a table, a lead-in with its items, or one line."""
    first = lines[at]
    end = at + 1
    if first.row:
        while end < len(lines) and lines[end].row:
            end += 1
        return end
    if first.marker is None:
        if end == len(lines) or lines[end].row:
            return end
        if TABLE.match(first.text) and (cells := _cells_end(lines, at)) > end:
            return cells
        if (broken := _sentence_end(lines, at)) > end:
            return broken
        if not (LEADS.search(first.text) or _introduces(first, lines[end])):
            return end
        if lines[end].marker is not None:
            return _items_end(lines, end)
        announced = _cells_end(lines, end) if TABLE.match(lines[end].text) else end
        return max(_code_end(lines, end), run_in_end(lines, end), announced)
    return _items_end(lines, at)


def _cells_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of the cells below the caption of a table without recognised rows; ``at`` if there are few."""
    end = at + 1
    while end < len(lines) and _is_cell(lines[end]) and lines[end].end - lines[at].start <= WHOLE:
        end += 1
    return end if end - at > _CELLS else at


def _is_cell(line: Line) -> bool:
    return not line.row and len(line.text) <= _CELL and not CLOSED.search(line.text)


def _sentence_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of a sentence that goes on below a line inside it: "To remove it, run", "> remove", "as root."."""
    if CLOSED.search(lines[at].text) or at + 2 >= len(lines):
        return at + 1
    inside, after = lines[at + 1 : at + 3]
    goes_on = after.marker is None and not after.row and after.text[:1].islower()
    inserted = inside.marker is None and not inside.row and len(inside.text) <= _INSERTED
    return at + 3 if goes_on and inserted and CLOSED.search(after.text) else at + 1


def _items_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of a run of items.

    A line without a marker continues an item that ends no sentence, unless it may be a heading. In a section of
    paragraphs "(1)", "(2)" it belongs to the paragraph above, such as the sentence after the items of "(1)". A number
    above 1 ends a list of letters or bullets without numbers: "4." after "a)" and "b)" goes on with the list that "3."
    belongs to.
    """
    end = at + 1
    numbered = lines[at].marker in NUMBERED
    while end < len(lines) and not lines[end].row:
        if lines[end].marker in NUMBERED:
            if not numbered and _number(lines[end]) > 1:
                break
            numbered = True
        open_before = not CLOSED.search(lines[end - 1].text)
        broken = not any(_may_be_heading(line) for line in lines[end - 1 : end + 1])
        goes_on = open_before and (lines[end].text[:1].islower() or broken)
        inside = lines[at].marker == PARAGRAPH and CLOSED.search(lines[end].text) is not None
        if lines[end].marker is None and not goes_on and not inside:
            resumed = _resumed(lines, at, end)
            if resumed is None:
                break
            end = resumed
        end += 1
    return end


def _may_be_heading(line: Line) -> bool:
    return is_caption(line) and ", " not in line.text


def _resumed(lines: Sequence[Line], at: int, end: int) -> int | None:
    """Return where a list that begins at ``at`` goes on after an item's further paragraphs from ``end`` on.

    It does with the next number, or with the same bullet below paragraphs of whole sentences, which no heading is.
    """
    numbers = [_number(line) for line in lines[at:end] if line.marker in NUMBERED]
    for near in range(end + 1, min(end + 1 + _FURTHER, len(lines))):
        before = lines[end:near]
        if lines[near].start - lines[end].start > WHOLE or any(line.row for line in before):
            return None
        if lines[near].marker in NUMBERED and numbers:
            return near if _number(lines[near]) == numbers[-1] + 1 else None
        if lines[near].marker is not None:
            same = lines[near].marker == lines[at].marker and not numbers
            return near if same and all(CLOSED.search(line.text) for line in before) else None
    return None


def _number(line: Line) -> int:
    return int(_DIGITS.findall(line.text)[0])


def _code_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of what a lead-in with a colon introduces: all lines of a program, else one line."""
    end = at + 1
    while end < len(lines) and all(_CODE.search(lines[near].text) for near in (end - 1, end)):
        end += 1
    return end


def run_in_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of two or more paragraphs with headings of their own, past footnotes; ``at`` if there are none."""
    end, last, found = at, at, 0
    while end < len(lines) and lines[end].marker is None and not lines[end].row:
        if RUN_IN.match(lines[end].text):
            found, last = found + 1, end + 1
        elif not FOOTNOTE.match(lines[end].text):
            break
        end += 1
    return last if found > 1 else at


def _introduces(line: Line, after: Line) -> bool:
    """Return whether a line without final punctuation introduces the items below: '..., who' above '1. ...'.

    So does one above items that go on with its sentence: 'The general meeting' above '1. elects the board', and one
    that says how many things follow: 'There are two conditions for this.'
    """
    if after.marker is None:
        return False
    if CLOSED.search(line.text):
        return announces_several(line.text)
    if len(line.text) > CAPTION or _GOES_ON.search(line.text) is not None:
        return True
    words = after.text.split(maxsplit=1)[1:]
    return bool(words) and words[0][:1].islower() and after.marker in NUMBERED
