"""Adds headings found by numbering and typography where bookmarks name only the largest parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.ingest.page.body_font import Style, body_style
from rabbithole.kb.ingest.page.lines import TextLine

from .heading import Head
from .headings import heads_from_typography
from .printed_contents import is_title

MIN_PAGES = 5
MIN_CHARACTERS = 10_000
MIN_FOUND = 2
FEW_BOOKMARKS, MIN_NUMBERED = 12, 12
_DECIMAL = re.compile(r"\d+(?:\.\d+)*")
_LAW = {
    "§",
    "Artikel",
    "Article",
    "Anlage",
    "Anhang",
    "Annex",
    "Teil",
    "Kapitel",
    "Abschnitt",
    "Unterabschnitt",
    "Buch",
}


def with_finer_heads(heads: Sequence[Head], lines: Sequence[TextLine]) -> list[Head]:
    """Return the heads with those found inside long stretches that no bookmark divides."""
    style: Style | None = None
    result: list[Head] = []
    for place, head in enumerate(heads):
        result.append(head)
        end = heads[place + 1].line if place + 1 < len(heads) else len(lines)
        start = head.line + head.lines
        if is_title(head.heading) or not _is_long(lines[start:end]):
            continue
        style = style or body_style(lines)
        found = heads_from_typography(lines[start:end], style)
        result += _nested(head, [replace(each, line=each.line + start) for each in found], heads, lines, style)
    return result


def are_stray(heads: Sequence[Head]) -> bool:
    """Return whether the bookmarks are a few unnumbered leftovers of a program rather than the outline."""
    return len(heads) <= FEW_BOOKMARKS and not any(head.number for head in heads)


def numbered(heads: Sequence[Head]) -> int:
    """Return how many heads have a decimal number."""
    return sum(bool(_DECIMAL.fullmatch(head.number)) for head in heads)


def _is_long(lines: Sequence[TextLine]) -> bool:
    if len(lines) < MIN_PAGES or lines[-1].page - lines[0].page < MIN_PAGES:
        return False
    return sum(len(line.text) for line in lines) >= MIN_CHARACTERS


def _nested(
    above: Head, found: Sequence[Head], heads: Sequence[Head], lines: Sequence[TextLine], style: Style
) -> list[Head]:
    """Return the headings below the one they stand in; annexes of a law go on the level of its articles."""
    units = {split_number(head.number).unit for head in heads}
    kept = [each for each in found if _is_sure(each, above, units, lines, style)]
    if sum(bool(each.number) for each in kept) < MIN_FOUND:
        return []
    rank = split_number(above.number).rank
    base = above.level + 1
    nested: list[Head] = []
    for each in kept:
        if each.level == 0 and above.number and each.number and split_number(each.number).rank < rank:
            base = above.level
        nested.append(replace(each, level=base + each.level))
    return nested


def _is_sure(each: Head, above: Head, units: set[str], lines: Sequence[TextLine], style: Style) -> bool:
    unit = split_number(each.number).unit if each.number else ""
    if not unit:
        return style.is_larger(lines[each.line])
    if unit == "decimal":
        inside = split_number(above.number).unit if above.number else ""
        return each.number.startswith(f"{above.number}.") if inside == "decimal" else "§" not in units
    return unit in _LAW or style.is_special(lines[each.line])
