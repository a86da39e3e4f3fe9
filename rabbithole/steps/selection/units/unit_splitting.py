"""Splits a section into units that people read as one: paragraphs, lists with their head, items, steps, table rows.

Ingestion writes each paragraph, item and table row on its own line. Every unit is ``text[start:end]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rabbithole.steps.reasoning.text.sentences import pieces
from rabbithole.steps.selection.models import UnitKind

from .item_markers import NUMBERED, PARAGRAPH
from .table_units import table_units
from .unit_lines import (
    CAPTION,
    CLOSED,
    FOOTNOTE,
    LEADS,
    LONGEST,
    WHOLE,
    Line,
    UnitSpan,
    announces_several,
    is_caption,
    lines_of,
)

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
_RUN_IN = re.compile(r"\A(?=.{3,60}?\.\s)[A-ZÄÖÜ][\w’'()/&-]*(?:\s+[\w’'()/&-]+){0,6}\.\s+[A-ZÄÖÜ]")
"""A paragraph that begins with its own heading: 'Software as a Service (SaaS). The capability ...'."""
_TABLE = re.compile(r"\A(?:Table|Tabelle|Tab\.|Box|Übersicht)\s+[A-Z]?\d{1,3}(?:[.-]\d{1,3})*\b", re.IGNORECASE)
"""A caption of a table."""
_CELL = 60
"""Maximum number of characters of a cell that stands on a line of its own, where no rows were recognised."""
_CELLS = 3
_LEAD = 300
"""Maximum number of characters of a line that does nothing but introduce a list."""
_FURTHER = 3
"""Maximum number of paragraphs of an item below its first one, where the list goes on."""
_DIGITS = re.compile(r"\d+")
_STEPS = re.compile(r"\b(?:steps?|schritt\w*|procedure|process|verfahren|ablauf|vorgehen|as follows:)\b", re.IGNORECASE)
_DEFINES = re.compile(
    r"\A\W*(?:[\w\"“”„'()/-]+\s){1,8}?(?:[–—:]\s|means\b|is (?:an?|the)\b|are\b|refers to\b|bezeichnet\b|bedeutet\b|"
    r"im Sinne\b|(?:ist|sind) (?:ein|eine|der|die|das|jede[rs]?|alle)\b)"
)


def split(text: str) -> tuple[UnitSpan, ...]:
    """Return the units of a section's text in order."""
    lines = lines_of(text)
    found: list[UnitSpan] = []
    at = block = 0
    while at < len(lines):
        last = _block_end(lines, at)
        found += _units(text, lines[at:last], block, lines[at - 1] if at else None)
        at, block = last, block + 1
    return tuple(found)


def _block_end(lines: Sequence[Line], at: int) -> int:
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
        if _TABLE.match(first.text) and (cells := _cells_end(lines, at)) > end:
            return cells
        if (broken := _sentence_end(lines, at)) > end:
            return broken
        if not (LEADS.search(first.text) or _introduces(first, lines[end])):
            return end
        if lines[end].marker is not None:
            return _items_end(lines, end)
        return max(_code_end(lines, end), _run_in_end(lines, end))
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


def _run_in_end(lines: Sequence[Line], at: int) -> int:
    """Return the end of two or more paragraphs with headings of their own, past footnotes; ``at`` if there are none."""
    end, last, found = at, at, 0
    while end < len(lines) and lines[end].marker is None and not lines[end].row:
        if _RUN_IN.match(lines[end].text):
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


def _units(text: str, lines: Sequence[Line], block: int, before: Line | None) -> Iterator[UnitSpan]:
    first, last = lines[0], lines[-1]
    if first.row:
        yield from table_units(lines, block, before)
    elif len(lines) == 1:
        yield from _paragraph(text, first.start, first.end, block, None)
    elif len(lines) > 2 and _RUN_IN.match(lines[1].text) and _run_in_end(lines, 1) == len(lines):
        yield from _run_in_list(text, lines, block)
    elif last.end - first.start <= WHOLE or not any(line.marker is not None for line in lines):
        yield from _whole(text, lines, block)
    else:
        yield from _list(text, lines, block, before)


def _whole(text: str, lines: Sequence[Line], block: int) -> Iterator[UnitSpan]:
    start, end = lines[0].start, lines[-1].end
    if end - start > LONGEST:
        for line in lines:
            yield from _paragraph(text, line.start, line.end, block, None)
        return
    kind: UnitKind = "paragraph"
    if sum(line.marker is not None for line in lines) > 1:
        numbered = any(line.marker in NUMBERED for line in lines)
        kind = "steps" if numbered and _STEPS.search(lines[0].text) else "list"
    elif _TABLE.match(lines[0].text):
        kind = "list"
    yield UnitSpan(start, end, kind, block)


def _list(text: str, lines: Sequence[Line], block: int, before: Line | None) -> Iterator[UnitSpan]:
    """Yield each item of the outermost level with the lines below it; the introducing line is their head.

    A line that says more than what it introduces is a unit of its own, too.
    """
    head: tuple[int, int] | None = None
    items = list(lines)
    if items[0].marker is None:
        head = (items[0].start, items[0].end)
        if head[1] - head[0] > _LEAD:
            yield from _paragraph(text, *head, block, None)
        items = items[1:]
    elif before is not None and not before.row and (LEADS.search(before.text) or is_caption(before)):
        head = (before.start, before.end)
    yield from _items(text, items, block, head)


def _run_in_list(text: str, lines: Sequence[Line], block: int) -> Iterator[UnitSpan]:
    """Yield the paragraphs below a lead-in that have headings of their own as items; footnotes are no items."""
    lead, *rest = lines
    if rest[-1].end - lead.start <= WHOLE:
        yield UnitSpan(lead.start, rest[-1].end, "list", block)
        return
    for line in rest:
        if FOOTNOTE.match(line.text):
            yield from _paragraph(text, line.start, line.end, block, None)
        else:
            yield from _paragraph(text, line.start, line.end, block, (lead.start, lead.end), "item")


def _items(text: str, lines: Sequence[Line], block: int, head: tuple[int, int] | None) -> Iterator[UnitSpan]:
    """Yield the items of one level with the lines below them; a long one that introduces others is their head."""
    groups: list[list[Line]] = []
    for line in lines:
        if line.marker == lines[0].marker or not groups:
            groups.append([line])
        else:
            groups[-1].append(line)
    for first, *below in groups:
        own = (first.start, first.end)
        if not below or below[-1].end - first.start <= LONGEST:
            yield from _paragraph(text, first.start, (below or [first])[-1].end, block, head, "item")
            continue
        introduces = own[1] - own[0] <= WHOLE and not CLOSED.search(first.text)
        if not introduces:
            yield from _paragraph(text, *own, block, head, "item")
        yield from _items(text, below, block, own if introduces else head)


def _paragraph(
    text: str, start: int, end: int, block: int, head: tuple[int, int] | None, kind: UnitKind = "paragraph"
) -> Iterator[UnitSpan]:
    """Yield a whole paragraph, or a long one in parts that end with a sentence."""
    if kind == "paragraph" and _DEFINES.match(text[start:end][:160]) and end - start <= LONGEST:
        kind = "definition"
    if end - start <= LONGEST:
        yield UnitSpan(start, end, kind, block, head)
        return
    begin = start
    reached = start
    for one in pieces(text[start:end]):
        last = start + one.end
        if last - begin > WHOLE and reached > begin:
            yield UnitSpan(begin, reached, kind, block, head)
            begin = start + one.start
        reached = last
    yield UnitSpan(begin, end, kind, block, head)
