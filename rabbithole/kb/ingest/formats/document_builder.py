"""Builds a parsed document from blocks: text, sections, links; paragraphs take the place of pages."""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote

from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.metadata.document_language import detect_language, own_text, texts_of_others
from rabbithole.kb.ingest.metadata.front_matter import FrontMatter, clipped
from rabbithole.kb.ingest.metadata.identity import identify
from rabbithole.kb.ingest.numbers.numbering import split_number
from rabbithole.kb.ingest.outline.heading import Head
from rabbithole.kb.ingest.outline.headings import heads_from_typography
from rabbithole.kb.ingest.outline.sections import build_sections
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import Assembled
from rabbithole.kb.ingest.parsed import ParsedDocument, ParsedLink
from rabbithole.kb.place_names import paragraph_label
from rabbithole.kb.references.bibliography.entries import parse_bibliography

from .blocks import Flow, SourceBlock
from .heading_depths import depths
from .writer import MAX_BLOCKS

FRONT_BLOCKS = 15
MAX_HEADING = 400
MAX_TITLE = 160
_BODY_SIZE, _LARGEST, _STEP = 10.0, 22.0, 2.0
_ROW = 60.0


def build(flow: Flow, file: str) -> ParsedDocument:
    """Return the parsed document. Raises IngestError if it has no text or too many paragraphs."""
    blocks = [block for block in flow.blocks if block.text.strip()]
    if not blocks:
        raise IngestError(f"{file} has no text.")
    if len(blocks) > MAX_BLOCKS:
        raise IngestError(f"{file} has more than {MAX_BLOCKS} paragraphs, which is too many: split it.")
    heads, source = headings(blocks)
    lines = [_line(block, index) for index, block in enumerate(blocks)]
    front = [line for line, block in zip(lines[:FRONT_BLOCKS], blocks, strict=False) if block.kind != "row"]
    identity = identify(FrontMatter(file=file, pages=(tuple(clipped(front)),), properties=flow.properties))
    starts: list[int] = []
    length = 0
    for block in blocks:
        starts.append(length)
        length += len(block.text) + 1
    text = "\n".join(block.text for block in blocks)
    assembled = Assembled(text, tuple(starts), tuple(starts))
    placed = [_at(line, index) for index, line in enumerate(lines)]
    sections = build_sections(heads, placed, assembled, identity.title.text)
    return ParsedDocument(
        title=identity.title.text,
        identity=identity,
        text=text,
        page_starts=assembled.page_starts,
        page_labels=paragraph_labels(len(blocks)),
        paged=False,
        sections=sections,
        links=_links(blocks, starts, file),
        bibliography=parse_bibliography(text),
        outline_source=source,
        language=detect_language(
            own_text(text, texts_of_others([(one.heading, one.start, one.end) for one in sections]))
        ),
        properties={name: value for name, value in flow.properties.items() if name not in ("title", "issued")},
        warnings=flow.warnings,
    )


def paragraph_labels(count: int) -> tuple[str, ...]:
    return tuple(paragraph_label(index) for index in range(count))


def by_paragraphs(parsed: ParsedDocument) -> ParsedDocument:
    """Return a document that was read as one page with its paragraphs as places."""
    starts = [0, *(index + 1 for index, letter in enumerate(parsed.text) if letter == "\n")]

    def place(offset: int) -> int:
        return bisect_right(starts, offset) - 1

    sections = tuple(
        each.model_copy(update={"page": place(each.start), "last_page": place(max(each.start, each.end - 1))})
        for each in parsed.sections
    )
    return parsed.model_copy(
        update={
            "page_starts": tuple(starts),
            "page_labels": paragraph_labels(len(starts)),
            "paged": False,
            "sections": sections,
        }
    )


def headings(blocks: Sequence[SourceBlock]) -> tuple[list[Head], str]:
    """Return the headings marked in the format; without any, those recognised by numbering and bold letters.

    The second value names the source: "headings", "typography" or "none".
    """
    found: list[tuple[int, int]] = []
    for index, block in enumerate(blocks):
        if not block.level or len(block.text) > MAX_HEADING:
            continue
        before = found[-1] if found else None
        if before and sum(before) == index and _goes_on(blocks[before[0]], block):
            found[-1] = before[0], before[1] + 1
        else:
            found.append((index, 1))
    if not found:
        lines = [_line(block, index) for index, block in enumerate(blocks)]
        heads = [_titled(head, blocks) for head in heads_from_typography(lines)]
        return heads, "typography" if heads else "none"
    split = [split_number(" ".join(blocks[index + row].text for row in range(rows))) for index, rows in found]
    levels = depths([(blocks[index].level, each) for (index, _), each in zip(found, split, strict=True)])
    return [
        Head(index, rows, each.number, each.heading, level)
        for (index, rows), each, level in zip(found, split, levels, strict=True)
    ], "headings"


def _titled(head: Head, blocks: Sequence[SourceBlock]) -> Head:
    """Give a heading that is only a number the short line below it as its title, unless that reads as a sentence."""
    below = head.line + head.lines
    if not head.number or head.heading or below >= len(blocks):
        return head
    title = blocks[below]
    words = title.text.strip()
    plain = title.kind == "text" and 2 < len(words) <= MAX_TITLE and words[0].isupper() and words[-1] not in ".;:,"
    if not plain or split_number(words).number:
        return head
    return replace(head, lines=head.lines + 1, heading=words)


def _goes_on(first: SourceBlock, second: SourceBlock) -> bool:
    """Return whether the blocks are a number and the title below it: 'Article 5', 'Subject matter'."""
    numbered = split_number(first.text)
    return bool(
        numbered.number
        and not numbered.heading
        and not split_number(second.text).number
        and second.level >= first.level
    )


def _line(block: SourceBlock, index: int) -> TextLine:
    """Return the block as a line for identity and heading detection: the level is expressed by the letter size."""
    size = max(_LARGEST - _STEP * (block.level - 1), _BODY_SIZE + 1) if block.level else _BODY_SIZE
    top = index * _ROW
    return TextLine(
        page=0,
        text=block.text,
        x0=0.0,
        y0=top,
        x1=0.5 * size * len(block.text),
        y1=top + size,
        base=top + size,
        size=size,
        bold=block.bold or block.level > 0,
        note=block.kind == "note",
        verbatim=block.kind in ("row", "code", "item"),
    )


def _at(line: TextLine, index: int) -> TextLine:
    return TextLine(index, line.text, line.x0, line.y0, line.x1, line.y1, line.base, line.size)


def _links(blocks: Sequence[SourceBlock], starts: Sequence[int], file: str) -> tuple[ParsedLink, ...]:
    anchors: dict[str, int] = {}
    for index, block in enumerate(blocks):
        for anchor in block.anchors:
            anchors.setdefault(anchor, index)
    own = posixpath.basename(file)
    links: list[ParsedLink] = []
    for index, block in enumerate(blocks):
        for link in block.links:
            start, end = starts[index] + link.start, starts[index] + link.end
            where, _, name = link.address.partition("#")
            inside = name and unquote(where) in ("", own)
            goal = anchors.get(unquote(name) if inside else unquote(link.address))
            if goal is not None:
                links.append(ParsedLink(start=start, end=end, page=goal, goal=starts[goal]))
            elif ":" in link.address.split("/", 1)[0]:
                links.append(ParsedLink(start=start, end=end, uri=link.address))
            elif where and not inside:
                links.append(ParsedLink(start=start, end=end, file=unquote(link.address)))
    return tuple(links)
