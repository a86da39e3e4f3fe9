"""Widens a short passage by the text beside it, because the decisive sentence is often the one before or after."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rabbithole.steps.selection.units.unit_lines import UnitSpan
from rabbithole.steps.selection.units.unit_splitting import split

from .passage_text import ends_open
from .whole_list import list_that_ends

_WORD = re.compile(r"[^\W\d_]{2,}")
_MOSTLY = 0.6
"""Minimum share of words in a heading; a formula has fewer."""


def widened(
    text: str, start: int, end: int, words: int, usable: Callable[[str], bool], *, above: int | None = None
) -> tuple[int, int]:
    """Return the span ``start:end`` widened by the rest of its unit and by whole neighbouring units.

    It first extends below, then alternates. A list above is taken whole, since its last item alone misleads. A side
    stops at a table, at the heading of what follows, at text that ``usable`` rejects, or where more than ``words``
    words would be shown; above also where more than ``above`` would be.
    """
    units = split(text)
    sides = {True, False}
    below = True
    while sides:
        below = below if below in sides else not below
        first, last = _further(units, start, end, below)
        added = text[end:last] if below else text[first:start]
        heading = below and _is_heading(added)
        most = words if below or above is None else min(words, above)
        if not added.strip() or heading or len(text[first:last].split()) > most or not usable(added.strip()):
            sides.discard(below)
            continue
        start, end, below = first, last, not below
    return start, end


def _further(units: Sequence[UnitSpan], start: int, end: int, below: bool) -> tuple[int, int]:
    """Return the span extended to the end of the next unit on one side; unchanged if there is none or it is a table."""
    beside = [one for one in units if (one.end > end if below else one.start < start)]
    if not beside:
        return start, end
    nearest = beside[0] if below else beside[-1]
    if nearest.kind == "table":
        return start, end
    if below:
        return start, nearest.end
    inside = any(one.block == nearest.block for one in units if one.start < end and one.end > start)
    above = None if inside else list_that_ends(units, nearest)
    return (nearest.start if above is None else above), end


def _is_heading(added: str) -> bool:
    """Return whether text below ends with the heading of what follows it, which is not shown."""
    words = added.strip().rpartition("\n")[2].split()
    return ends_open(added) and sum(_WORD.search(word) is not None for word in words) >= _MOSTLY * len(words)
