"""Splits a section into units that people read as one: paragraphs, lists with their head, items, steps, table rows.

Ingestion writes each paragraph, item and table row on its own line. Every unit is ``text[start:end]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rabbithole.steps.reasoning.text.sentences import pieces
from rabbithole.steps.selection.models import UnitKind

from .item_markers import NUMBERED
from .table_units import table_units
from .unit_blocks import RUN_IN, TABLE, block_end, run_in_end
from .unit_lines import CLOSED, FOOTNOTE, LEADS, LONGEST, WHOLE, Line, UnitSpan, is_caption, lines_of

_LEAD = 300
"""Maximum number of characters of a line that does nothing but introduce a list."""
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
        last = block_end(lines, at)
        found += _units(text, lines[at:last], block, lines[at - 1] if at else None)
        at, block = last, block + 1
    return tuple(found)


def _units(text: str, lines: Sequence[Line], block: int, before: Line | None) -> Iterator[UnitSpan]:
    first, last = lines[0], lines[-1]
    if first.row:
        yield from table_units(lines, block, before)
    elif len(lines) == 1:
        yield from _paragraph(text, first.start, first.end, block, None)
    elif len(lines) > 2 and RUN_IN.match(lines[1].text) and run_in_end(lines, 1) == len(lines):
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
    elif any(TABLE.match(line.text) for line in lines[:2]):
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
