"""What stands beside a short passage: the sentence that decides is often the one before or after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rabbithole.steps.selection.units import Span, split


def widened(text: str, start: int, end: int, words: int, usable: Callable[[str], bool]) -> tuple[int, int]:
    """``text[start:end]`` with the rest of its unit and whole units beside it: below first, then in turn.

    A side ends with a table, with what ``usable`` refuses, and where more than ``words`` words would be shown.
    """
    units = split(text)
    sides = {True, False}
    below = True
    while sides:
        below = below if below in sides else not below
        first, last = _further(units, start, end, below)
        added = text[end:last] if below else text[first:start]
        if not added.strip() or len(text[first:last].split()) > words or not usable(added.strip()):
            sides.discard(below)
            continue
        start, end, below = first, last, not below
    return start, end


def _further(units: Sequence[Span], start: int, end: int, below: bool) -> tuple[int, int]:
    """The span up to where the next unit on a side ends; the span itself where a table or nothing comes next."""
    beside = [one for one in units if (one.end > end if below else one.start < start)]
    if not beside:
        return start, end
    nearest = beside[0] if below else beside[-1]
    if nearest.kind == "table":
        return start, end
    return (start, nearest.end) if below else (nearest.start, end)
