"""One PDF into text and structure: the fast way, with PyMuPDF alone."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rabbithole.kb.ingest.outline import printed_contents
from rabbithole.kb.ingest.outline.bookmarks import heads_from_bookmarks, without_file_names
from rabbithole.kb.ingest.outline.heading import Head
from rabbithole.kb.ingest.outline.heading_alignment import Bookmark, letters
from rabbithole.kb.ingest.outline.headings import heads_from_typography
from rabbithole.kb.ingest.outline.lost_numbers import with_lost_numbers
from rabbithole.kb.ingest.outline.partial_bookmarks import MIN_NUMBERED, are_stray, numbered, with_finer_heads
from rabbithole.kb.ingest.outline.sections import build_sections
from rabbithole.kb.ingest.page.body_font import body_style
from rabbithole.kb.ingest.page.footnotes import mark_notes, settle_notes
from rabbithole.kb.ingest.page.furniture import find_furniture
from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.layout_regions import Region, in_region_order, is_unsure, read_regions
from rabbithole.kb.ingest.page.lines import Line
from rabbithole.kb.ingest.page.links import PageLink, line_at_target, line_under, read_links
from rabbithole.kb.ingest.page.page_labels import printed_labels
from rabbithole.kb.ingest.page.paragraphs import Assembled, assemble
from rabbithole.kb.ingest.page.plausibility import is_implausible
from rabbithole.kb.ingest.page.reading import is_garbled, read_lines, read_plain
from rabbithole.kb.ingest.page.reading_order import in_reading_order
from rabbithole.kb.ingest.page.tables import suggests_table, with_tables
from rabbithole.kb.models import Scalar
from rabbithole.kb.mupdf import pymupdf

from .bibliography import parse_bibliography
from .front_matter import FRONT_PAGES, FrontMatter
from .identity import identify
from .opening import open_pdf, properties_of
from .parsed import ParsedDocument, ParsedLink
from .read_options import Avoid, LayoutMode, ReadOptions

MIN_LETTERS = 8


@dataclass(slots=True)
class _Pages:
    lines: list[list[Line]] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    links: list[PageLink] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    regions: dict[int, list[Region]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def parse_pdf(
    path: Path, options: ReadOptions | None = None, report: Callable[[str, int], None] | None = None
) -> ParsedDocument:
    """Read one PDF. ``report`` hears (stage, page) before each step that could hang.

    Raises IngestError with the defect in one sentence: not a PDF, no pages, password needed.
    """
    options = options or ReadOptions()
    tell = report or (lambda stage, page: None)
    tell("open", 0)
    with open_pdf(path, options.passwords) as document:
        pages = _read_pages(document, options.avoid, tell, options.layout)
        tell("outline", 0)
        bookmarks = [] if ("outline", 0) in options.avoid else _bookmarks(document)
        properties = properties_of(document)
        labels = (
            [document[number].get_label() for number in range(document.page_count)]
            if document.get_page_labels()
            else []
        )
        repaired = bool(document.is_repaired)
        encrypted = bool((document.metadata or {}).get("encryption"))
    tell("structure", 0)
    warnings = list(pages.warnings)
    if repaired:
        warnings.append("the file is damaged and was repaired; text may be missing")
    furniture = find_furniture(pages.lines, pages.heights)
    bodies = [
        in_region_order(lines, pages.regions[number]) if number in pages.regions else in_reading_order(lines)
        for number, lines in enumerate(furniture.body(pages.lines))
    ]
    printed = printed_labels(furniture.edges(pages.lines))
    page_labels = [label or fallback for label, fallback in zip(labels, printed, strict=True)] if labels else printed
    identity = identify(_front_matter(pages, furniture.edges(pages.lines), bookmarks, properties, path.name))
    title = identity.title.text
    size = body_style([line for body in bodies for line in body]).size
    noted = [mark_notes(body, size, height) for body, height in zip(bodies, pages.heights, strict=True)]
    settled = settle_notes([line for body in noted for line in body])
    lines, heads, source = _outline(settled, bookmarks, pages.heights, options.avoid)
    mono = sum(line.mono for line in lines) > 0.6 * max(len(lines), 1)
    hyphens = Hyphens((line.text for line in lines), keep_unknown=mono)
    heads = [_whole(head, lines, hyphens) for head in heads]
    assembled = _assemble(lines, len(bodies), heads, hyphens)
    tell("bibliography", 0)
    literature = () if ("bibliography", 0) in options.avoid else parse_bibliography(assembled.text)
    return ParsedDocument(
        title=title,
        identity=identity,
        text=assembled.text,
        page_starts=assembled.page_starts,
        page_labels=tuple(page_labels),
        sections=build_sections(heads, lines, assembled, title),
        links=_links(pages.links, lines, assembled, pages.heights),
        bibliography=literature,
        outline_source=source,
        properties={name: value for name, value in properties.items() if name != "title"},
        warnings=tuple(warnings),
        drawn_pages=tuple(pages.drawn),
        garbled_pages=tuple(pages.garbled),
        encrypted=encrypted,
    )


def _front_matter(
    pages: _Pages,
    edges: Sequence[Sequence[str]],
    bookmarks: Sequence[Bookmark],
    properties: Mapping[str, Scalar],
    file: str,
) -> FrontMatter:
    """What the identity is read from; running lines count the pages they stand on."""
    headers = Counter(" ".join(text.split()) for page in edges for text in set(page))
    return FrontMatter(
        file=file,
        pages=tuple(tuple(page) for page in pages.lines[:FRONT_PAGES]),
        last_page=tuple(pages.lines[-1]) if len(pages.lines) > FRONT_PAGES else (),
        heights=tuple(pages.heights[:FRONT_PAGES]),
        headers={text: count for text, count in headers.items() if count > 1},
        bookmarks=tuple(mark.title for mark in bookmarks[:20]),
        properties=properties,
    )


def _read_pages(
    document: pymupdf.Document, avoid: Avoid, tell: Callable[[str, int], None], layout: LayoutMode = "never"
) -> _Pages:
    pages = _Pages()
    for number in range(document.page_count):
        lines: list[Line] = []
        height = 842.0
        try:
            page = document[number]
            height = page.rect.height
            if ("plain", number) not in avoid:
                plain = ("text", number) in avoid
                tell("plain" if plain else "text", number)
                lines, boxes = (read_plain(page, number), []) if plain else read_lines(page, number)
                if (
                    layout != "never"
                    and lines
                    and ("layout", number) not in avoid
                    and (layout == "always" or is_unsure(lines, boxes))
                ):
                    tell("layout", number)
                    pages.regions[number] = read_regions(page)
                if ("tables", number) not in avoid and suggests_table(boxes):
                    tell("tables", number)
                    lines = with_tables(page, number, lines)
            if is_garbled(lines):
                pages.garbled.append(number)
            elif is_implausible("\n".join(line.text for line in lines)):
                pages.garbled.append(number)
                lines = []  # other letters than the page shows: nothing may be found in or quoted from them
            garbled = number in pages.garbled[-1:]
            if sum(len(line.text) for line in lines) < MIN_LETTERS and not garbled and ("look", number) not in avoid:
                tell("look", number)
                if page.get_bboxlog():
                    pages.drawn.append(number)
            if ("links", number) not in avoid:
                tell("links", number)
                pages.links += read_links(page, number)
        except (RuntimeError, ValueError, IndexError, KeyError, TypeError, MemoryError) as error:
            pages.warnings.append(f"page {number + 1} is damaged and was read only in part ({type(error).__name__})")
        pages.lines.append(lines)
        pages.heights.append(height)
    named = {
        "text": "its letters in a simple way",
        "plain": "without its text",
        "links": "without its links",
        "tables": "without its tables",
        "layout": "without the layout model",
    }
    for stage, number in sorted(avoid):
        if stage in named:
            pages.warnings.append(f"page {number + 1} takes too long and was read {named[stage]}")
    return pages


def _bookmarks(document: pymupdf.Document) -> list[Bookmark]:
    marks: list[Bookmark] = []
    try:
        rows = document.get_toc(simple=False)
    except (RuntimeError, ValueError, IndexError, KeyError, TypeError):
        return []
    for level, title, page, goal in rows:
        target = goal.get("to") if isinstance(goal, dict) else None
        y = float(target.y) if isinstance(target, pymupdf.Point) else None
        if 1 <= page <= document.page_count:
            marks.append(Bookmark(level, str(title), page - 1, y))
    return without_file_names(marks)


def _outline(
    lines: list[Line], bookmarks: Sequence[Bookmark], heights: Sequence[float], avoid: Avoid
) -> tuple[list[Line], list[Head], str]:
    """Lines without printed tables of contents, the headings among them, and where these come from."""
    if ("structure", 0) in avoid:
        return lines, [], "none"
    gone = printed_contents.leader_pages(lines)
    lines = [line for index, line in enumerate(lines) if index not in gone]
    source = "bookmarks" if len(bookmarks) > 1 else "typography"
    heads = heads_from_typography(lines) if source == "typography" else heads_from_bookmarks(bookmarks, lines, heights)
    if source == "bookmarks" and are_stray(heads) and numbered(printed := heads_from_typography(lines)) >= MIN_NUMBERED:
        heads, source = printed, "typography"
    if source == "typography":
        heads = with_lost_numbers(heads)
    known = {letters(f"{head.number}{head.heading}") for head in heads}
    gone = set()
    for place, head in enumerate(heads):
        body = range(head.line + head.lines, heads[place + 1].line if place + 1 < len(heads) else len(lines))
        if printed_contents.is_title(head.heading) and printed_contents.repeats_outline(
            [lines[index].text for index in body], known
        ):
            heads[place] = replace(head, page=lines[head.line].page, last_page=lines[body[-1]].page)
            gone.update(body)
    if gone:
        kept = [index for index in range(len(lines)) if index not in gone]
        heads = [replace(head, line=bisect_left(kept, head.line)) for head in heads]
        lines = [lines[index] for index in kept]
    if source == "bookmarks" and len(finer := with_finer_heads(heads, lines)) > len(heads):
        heads, source = finer, "bookmarks and typography"
    return lines, heads, source if heads else "none"


def _whole(head: Head, lines: Sequence[Line], hyphens: Hyphens) -> Head:
    """A heading over several lines with its hyphenation undone."""
    if head.lines < 2:
        return head
    texts = [line.text for line in lines[head.line : head.line + head.lines]]
    return replace(head, heading=hyphens.mend(head.heading, texts))


def _assemble(lines: Sequence[Line], pages: int, heads: Sequence[Head], hyphens: Hyphens) -> Assembled:
    starts = {head.line for head in heads} | {head.line + head.lines for head in heads}
    inside = {index for head in heads for index in range(head.line + 1, head.line + head.lines)}
    return assemble(lines, pages, starts - inside, hyphens, glued=inside)


def _links(
    links: Sequence[PageLink], lines: Sequence[Line], text: Assembled, heights: Sequence[float]
) -> tuple[ParsedLink, ...]:
    by_page: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(index)
    found: list[ParsedLink] = []
    for link in links:
        place = line_under(link, lines, by_page.get(link.page, ()))
        if place is None:
            continue
        index, first, last = place
        start = text.line_starts[index]
        end = min(start + last, len(text.text))
        if text.text[start + first : end].strip():
            below = None if link.target_page is None else by_page.get(link.target_page, ())
            goal = line_at_target(link, lines, below, heights) if below else None
            found.append(
                ParsedLink(
                    start=start + first,
                    end=end,
                    uri=link.uri,
                    file=link.target_file,
                    page=link.target_page,
                    goal=None if goal is None else text.line_starts[goal],
                )
            )
    return tuple(sorted(found, key=lambda link: (link.start, link.end)))
