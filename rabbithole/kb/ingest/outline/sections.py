"""Builds sections from headings and offsets: spans, parents, pages."""

from __future__ import annotations

from collections.abc import Sequence

from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import Assembled
from rabbithole.kb.ingest.parsed import ParsedSection, page_at

from .heading import Head


def build_sections(
    heads: Sequence[Head], lines: Sequence[TextLine], text: Assembled, title: str
) -> tuple[ParsedSection, ...]:
    """Return sections in reading order that cover the whole text; text before the first heading gets the title."""
    length = len(text.text)
    marks = list(heads)
    starts = [text.line_starts[head.line] if head.line < len(text.line_starts) else length for head in marks]
    if not marks or text.text[: starts[0]].strip():
        marks.insert(0, Head(0, 0, "", title, 0))
        starts.insert(0, 0)
    lowest = min(head.level for head in marks[1:]) if len(marks) > 1 else marks[0].level
    levels = [max(head.level - lowest, 0) for head in marks]
    ends = _ends(levels, starts, length)
    sections: list[ParsedSection] = []
    stack: list[int] = []
    for index, (head, start) in enumerate(zip(marks, starts, strict=True)):
        level, end = levels[index], ends[index]
        own_end = starts[index + 1] if index + 1 < len(marks) else length
        while stack and levels[stack[-1]] >= level:
            stack.pop()
        page = _page(head, lines, text, start)
        sections.append(
            ParsedSection(
                parent=stack[-1] if stack else -1,
                level=len(stack),
                number=head.number,
                heading=head.heading,
                start=start,
                own_end=own_end,
                end=end,
                page=page,
                last_page=max(page, head.last_page, page_at(text.page_starts, _last_character(text.text, start, end))),
            )
        )
        stack.append(index)
    return tuple(sections)


def _ends(levels: Sequence[int], starts: Sequence[int], length: int) -> list[int]:
    """Return where each section ends: at the next one of its level or above."""
    ends = [length] * len(levels)
    open_ones: list[int] = []
    for index, level in enumerate(levels):
        while open_ones and levels[open_ones[-1]] >= level:
            ends[open_ones.pop()] = starts[index]
        open_ones.append(index)
    return ends


def _last_character(text: str, start: int, end: int) -> int:
    return max(start, start + len(text[start:end].rstrip()) - 1)


def _page(head: Head, lines: Sequence[TextLine], text: Assembled, start: int) -> int:
    if head.page is not None:
        return head.page
    return lines[head.line].page if head.line < len(lines) else page_at(text.page_starts, start)
