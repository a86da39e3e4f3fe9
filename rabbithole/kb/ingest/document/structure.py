"""Turns lines on pages into text, outline and identity; used for PDF and plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from rabbithole.kb.ingest.metadata.document_language import detect_language, own_text, texts_of_others
from rabbithole.kb.ingest.metadata.front_matter import FRONT_PAGES, FrontMatter, clipped
from rabbithole.kb.ingest.metadata.identity import identify
from rabbithole.kb.ingest.outline.bookmarks import heads_from_bookmarks
from rabbithole.kb.ingest.outline.contents_removal import titles_above, without_contents
from rabbithole.kb.ingest.outline.heading import Head
from rabbithole.kb.ingest.outline.heading_alignment import Bookmark
from rabbithole.kb.ingest.outline.headings import heads_from_typography
from rabbithole.kb.ingest.outline.lost_numbers import with_lost_numbers
from rabbithole.kb.ingest.outline.manual_pages import with_manual_pages
from rabbithole.kb.ingest.outline.partial_bookmarks import MIN_NUMBERED, are_stray, numbered, with_finer_heads
from rabbithole.kb.ingest.outline.printed_contents import leader_pages
from rabbithole.kb.ingest.outline.run_in_headings import with_run_in_headings
from rabbithole.kb.ingest.outline.run_in_titles import with_questions, with_run_in_titles
from rabbithole.kb.ingest.outline.sections import build_sections
from rabbithole.kb.ingest.page.body_font import body_style
from rabbithole.kb.ingest.page.furniture import find_furniture
from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.labels.page_gaps import after_gaps
from rabbithole.kb.ingest.page.labels.page_labels import chosen_labels
from rabbithole.kb.ingest.page.layout_regions import LayoutRegion, in_region_order
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.manual_entry import entry_of
from rabbithole.kb.ingest.page.margin.margin_headings import margin_headings
from rabbithole.kb.ingest.page.margin.margin_words import Edges, margin_words, text_edges, with_margin_words
from rabbithole.kb.ingest.page.notes.footnotes import mark_notes, raised, settle_notes
from rabbithole.kb.ingest.page.page_links import PageLink, line_at_target, line_under
from rabbithole.kb.ingest.page.paragraphs import Assembled, assemble
from rabbithole.kb.ingest.page.reading_order import in_reading_order
from rabbithole.kb.ingest.parsed import ParsedDocument, ParsedLink, ParsedSection
from rabbithole.kb.models import Scalar
from rabbithole.kb.mupdf import FAULTS
from rabbithole.kb.references.bibliography.entries import parse_bibliography

from .read_options import Avoid
from .table_captions import with_captions_above
from .unstructured import unstructured

FRONT_ROWS = 80


@dataclass(slots=True)
class Pages:
    """The pages as read: lines, heights in points, links, and pages whose text is drawn or garbled.

    ``typewritten`` means that a row of text is a line and there are no columns.
    """

    lines: list[list[TextLine]] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    links: list[PageLink] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    regions: dict[int, list[LayoutRegion]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    typewritten: bool = False


def structured(
    pages: Pages,
    file: str,
    properties: Mapping[str, Scalar],
    *,
    bookmarks: Sequence[Bookmark] = (),
    labels: Sequence[str] = (),
    avoid: Avoid = frozenset(),
    tell: Callable[[str, int], None] = lambda stage, page: None,
) -> ParsedDocument:
    """Return the document: without running lines, columns in order, headings found, paragraphs joined.

    ``labels`` are the page labels of the file, if it has any. ``tell`` is called with (stage, 0) before slow steps.
    If the structure cannot be found, the lines are returned as one section, with a warning.
    """
    try:
        return _structured(pages, file, properties, bookmarks=bookmarks, labels=labels, avoid=avoid, tell=tell)
    except FAULTS as error:  # a layout that nobody thought of must not cost a page
        plain = unstructured(pages.lines, file, properties, labels, f"{type(error).__name__}: {error}")
        return plain.model_copy(
            update={
                "warnings": (*pages.warnings, *plain.warnings),
                "drawn_pages": tuple(pages.drawn),
                "garbled_pages": tuple(pages.garbled),
            }
        )


def _structured(
    pages: Pages,
    file: str,
    properties: Mapping[str, Scalar],
    *,
    bookmarks: Sequence[Bookmark],
    labels: Sequence[str],
    avoid: Avoid,
    tell: Callable[[str, int], None],
) -> ParsedDocument:
    tell("structure", 0)
    warnings = list(pages.warnings)
    furniture = find_furniture(pages.lines, pages.heights)
    plain = furniture.body(pages.lines)
    edges = text_edges(plain)
    bodies = [_in_order(lines, number, pages, edges[number]) for number, lines in enumerate(plain)]
    running = furniture.edges(pages.lines)
    identity = identify(_front_matter(pages, running, bookmarks, properties, file))
    title = identity.title.text
    size = body_style([line for body in bodies for line in body]).size
    noted = [mark_notes(body, size, height) for body, height in zip(bodies, pages.heights, strict=True)]
    settled = with_captions_above(settle_notes([line for body in raised(noted) for line in body]))
    lines, heads, source = _outline(settled, bookmarks, pages.heights, avoid)
    if source == "typography":
        heads = with_manual_pages(heads, lines, [entry_of(edge) for edge in running])
    mono = sum(line.mono for line in lines) > 0.6 * max(len(lines), 1)
    hyphens = Hyphens((line.text for line in lines), keep_unknown=mono)
    heads = [_whole(head, lines, hyphens) for head in heads]
    numbers = tuple(chosen_labels(labels, running))
    assembled = _assemble(lines, len(bodies), heads, hyphens, after_gaps(lines, numbers))
    sections = build_sections(heads, lines, assembled, title)
    tell("bibliography", 0)
    literature = () if ("bibliography", 0) in avoid else parse_bibliography(assembled.text)
    return ParsedDocument(
        title=title,
        identity=identity,
        text=assembled.text,
        page_starts=assembled.page_starts,
        page_labels=numbers,
        sections=sections,
        links=_links(pages.links, lines, assembled, pages.heights),
        bibliography=literature,
        outline_source=source,
        language=_language(assembled.text, sections),
        properties={name: value for name, value in properties.items() if name != "title"},
        warnings=tuple(warnings),
        drawn_pages=tuple(pages.drawn),
        garbled_pages=tuple(pages.garbled),
    )


def _language(text: str, sections: Sequence[ParsedSection]) -> str:
    others = texts_of_others([(one.heading, one.start, one.end) for one in sections])
    return detect_language(own_text(text, others))


def _in_order(lines: list[TextLine], number: int, pages: Pages, edges: Edges | None) -> list[TextLine]:
    if pages.typewritten:
        return lines
    beside = None if margin_headings(lines) else margin_words(lines, edges)
    if beside is not None:
        return with_margin_words(_in_order(list(beside.text), number, pages, None), beside.blocks)
    return in_region_order(lines, pages.regions[number]) if number in pages.regions else in_reading_order(lines)


def _front_matter(
    pages: Pages,
    edges: Sequence[Sequence[str]],
    bookmarks: Sequence[Bookmark],
    properties: Mapping[str, Scalar],
    file: str,
) -> FrontMatter:
    """Return the input for the identity; running lines come with the number of pages they are on."""
    running = (" ".join(text.split()) for page in edges for text in set(page))
    headers = Counter(text for text in running if not text.startswith("|"))  # the head of a table that goes on
    return FrontMatter(
        file=file,
        pages=tuple(
            tuple(clipped(page[:FRONT_ROWS]) if pages.typewritten else page) for page in pages.lines[:FRONT_PAGES]
        ),
        last_page=tuple(pages.lines[-1]) if len(pages.lines) > FRONT_PAGES else (),
        heights=tuple(pages.heights[:FRONT_PAGES]),
        headers={text: count for text, count in headers.items() if count > 1},
        bookmarks=tuple(mark.title for mark in bookmarks[:20]),
        properties=properties,
    )


def _outline(
    lines: list[TextLine], bookmarks: Sequence[Bookmark], heights: Sequence[float], avoid: Avoid
) -> tuple[list[TextLine], list[Head], str]:
    """Return the lines without printed tables of contents, the headings among them, and the headings' source."""
    if ("structure", 0) in avoid:
        return lines, [], "none"
    gone = leader_pages(lines)
    titles = titles_above(lines, gone)
    lines = [line for index, line in enumerate(lines) if index not in gone]
    source = "bookmarks" if len(bookmarks) > 1 else "typography"
    lines = with_run_in_headings(lines) if source == "typography" else lines
    lines = with_run_in_titles(lines, below_headings=source == "typography")
    heads = heads_from_typography(lines) if source == "typography" else heads_from_bookmarks(bookmarks, lines, heights)
    if source == "bookmarks" and are_stray(heads) and numbered(printed := heads_from_typography(lines)) >= MIN_NUMBERED:
        heads, source = printed, "typography"
    if source == "typography":
        heads = with_lost_numbers(heads)
    heads, lines = without_contents(heads, lines, titles)
    if source == "bookmarks" and len(finer := with_finer_heads(heads, lines)) > len(heads):
        heads, lines = without_contents(finer, lines, titles)
        source = "bookmarks and typography"
    if source == "bookmarks":
        heads = with_questions(heads, lines)
    return lines, heads, source if heads else "none"


def _whole(head: Head, lines: Sequence[TextLine], hyphens: Hyphens) -> Head:
    """Return a heading that spans several lines with its hyphenation undone."""
    if head.lines < 2:
        return head
    own = lines[head.line : head.line + head.lines]
    mended = hyphens.mend(head.heading, [line.text for line in own], typewritten=own[0].mono)
    return replace(head, heading=mended)


def _assemble(
    lines: Sequence[TextLine], pages: int, heads: Sequence[Head], hyphens: Hyphens, apart: Set[int]
) -> Assembled:
    starts = {head.line for head in heads} | {head.line + head.lines for head in heads} | apart
    inside = {index for head in heads for index in range(head.line + 1, head.line + head.lines)}
    return assemble(lines, pages, starts - inside, hyphens, glued=inside)


def _links(
    links: Sequence[PageLink], lines: Sequence[TextLine], text: Assembled, heights: Sequence[float]
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
