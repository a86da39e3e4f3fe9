"""Cuts sections into chunks for retrieval: whole if short, else overlapping pieces of whole sentences."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from rabbithole.kb.ingest.outline.heading_alignment import letters
from rabbithole.kb.ingest.parsed import page_at
from rabbithole.kb.models import Chunk, Section

WHOLE_FACTOR = 5 / 3
_SENTENCE = re.compile(r"(?<=[.!?;:])[\"”“’)\]]*\s+(?=[\"„“(A-ZÄÖÜ\d§])")
Span = tuple[int, int]


def split_section(text: str, start: int, end: int, target: int, overlap: int) -> list[Span]:
    """Return spans that cover text[start:end] without white space at its ends. Sizes are in characters."""
    start, end = _trim(text, start, end)
    if start >= end:
        return []
    if end - start <= target * WHOLE_FACTOR:
        return [(start, end)]
    pieces = _pieces(text, start, end, target)
    count = max(2, round((end - start) / target))
    ideal = (end - start) / count
    spans: list[Span] = []
    begin = start
    for low, high in pieces:
        if high - begin > target * WHOLE_FACTOR and low > begin:
            spans.append((begin, low))
            begin = low
        if high - begin >= ideal * 0.85 and end - high > ideal * 0.4:
            spans.append((begin, high))
            begin = high
    if begin < end:
        spans.append((begin, end))
    return [_trim(text, _back(text, low, start, overlap), high) for low, high in spans]


def make_chunks(
    text: str,
    document: str,
    sections: Sequence[Section],
    page_starts: Sequence[int],
    labels: Sequence[str],
    target: int,
    overlap: int,
) -> tuple[Chunk, ...]:
    """Return the chunks of all sections' own text in reading order.

    ``page_starts`` holds one offset for each page. A heading directly above its subsections makes no chunk: it has no
    text of its own, and the subsections carry it in their path.
    """
    by_id = {section.id: section for section in sections}
    chunks: list[Chunk] = []
    for section in sections:
        if _only_introduces(section, text):
            continue
        path = section_path(section, by_id)
        for start, end in split_section(text, section.start, section.own_end, target, overlap):
            page = page_at(page_starts, start) if start > section.start else section.page
            chunks.append(
                Chunk(
                    id=f"{document}:c{len(chunks)}",
                    document=document,
                    section=section.id,
                    section_path=path,
                    page=page,
                    page_label=labels[page] if page < len(labels) else "",
                    start=start,
                    end=end,
                    text=text[start:end],
                )
            )
    return tuple(chunks)


def _only_introduces(section: Section, text: str) -> bool:
    own = text[section.start : section.own_end]
    return section.own_end < section.end and letters(own) in letters(section.label)


def section_path(section: Section, by_id: dict[str, Section]) -> tuple[str, ...]:
    """Return the labels from the outermost section to this one."""
    path: list[str] = []
    current: Section | None = section
    while current is not None:
        path.append(current.label)
        current = by_id[current.parent] if current.parent else None
    return tuple(label for label in reversed(path) if label)


def _pieces(text: str, start: int, end: int, target: int) -> list[Span]:
    """Return paragraphs; long ones are cut at sentences, and long sentences at blanks."""
    pieces: list[Span] = []
    for low, high in _cut(start, end, [m.end() for m in re.compile(r"\n").finditer(text, start, end)]):
        if high - low <= target:
            pieces.append((low, high))
            continue
        for first, last in _cut(low, high, [m.end() for m in _SENTENCE.finditer(text, low, high)]):
            while last - first > target:
                blank = text.rfind(" ", first + target // 2, first + target)
                middle = blank + 1 if blank > 0 else first + target
                pieces.append((first, middle))
                first = middle
            pieces.append((first, last))
    return pieces


def _cut(start: int, end: int, ends: Sequence[int]) -> list[Span]:
    bounds = [start, *(place for place in ends if start < place < end), end]
    return [(low, high) for low, high in itertools.pairwise(bounds) if high > low]


def _back(text: str, low: int, start: int, overlap: int) -> int:
    """Return where a following piece begins: at a sentence or word at most ``overlap`` characters earlier."""
    if low <= start or overlap <= 0:
        return low
    earliest = max(start, low - overlap)
    breaks = [m.end() for m in re.compile(r"\n").finditer(text, earliest, low) if m.end() < low]
    breaks = breaks or [m.end() for m in _SENTENCE.finditer(text, earliest, low) if m.end() < low]
    if breaks:
        return breaks[0]
    blank = text.find(" ", earliest, low - 1)
    return blank + 1 if blank >= 0 else low


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
