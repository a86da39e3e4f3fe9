"""Levels of headings found by typography: by the ranks of their numbers, else by their style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .heads import Head
from .lines import Line
from .numbering import Numbered
from .style import Style
from .words import is_known_heading

APPENDIX_RANK = 9
TOP_RANK = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A heading: index of its first line, how many lines it fills, what it says, the line itself."""

    index: int
    lines: int
    numbered: Numbered
    line: Line


def with_levels(found: Sequence[Found], style: Style) -> list[Head]:
    """Levels from the ranks of numbers; headings without a number by their style beside the numbered ones."""
    found = _without_title_page(found)
    by_style: dict[tuple[float, bool], int] = {}
    for each in found:
        if each.numbered.number and each.numbered.rank > APPENDIX_RANK:
            look = each.line.size, each.line.bold
            by_style[look] = min(by_style.get(look, each.numbered.rank), each.numbered.rank)
    top = min(by_style.values(), default=TOP_RANK)
    largest = max((size for size, _ in by_style), default=0.0)
    sizes = sorted({each.line.size for each in found if not each.numbered.number}, reverse=True)
    heads: list[Head] = []
    stack: list[int] = []
    for each in found:
        line, rank = each.line, each.numbered.rank
        if not each.numbered.number:
            below = sizes.index(line.size) + (20 if line.size < largest else 0)
            rank = by_style.get((line.size, line.bold), top - 1 if 0 < largest < line.size else TOP_RANK + below)
            if is_known_heading(each.numbered.heading) and (by_style or line.mono):
                rank = top
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        heads.append(Head(each.index, each.lines, each.numbered.number, each.numbered.heading, len(stack) - 1))
    return heads


def _without_title_page(found: Sequence[Found]) -> Sequence[Found]:
    """Large print before the first real heading of a document that has real ones is its title page."""
    real = [n for n, each in enumerate(found) if each.numbered.number or is_known_heading(each.numbered.heading)]
    if len(real) >= 3 and found[real[0]].line.page <= 2:
        return found[real[0] :]
    return found
