"""Parses one PDF into text and structure with PyMuPDF alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from rabbithole.kb.ingest.outline.bookmarks import without_headings
from rabbithole.kb.ingest.outline.heading_alignment import Bookmark
from rabbithole.kb.ingest.page.image_rules import THIN
from rabbithole.kb.ingest.page.labels.page_labels import decoded
from rabbithole.kb.ingest.page.layout_regions import is_unsure, read_regions
from rabbithole.kb.ingest.page.line_reader import is_garbled, loses_words, read_lines, read_plain
from rabbithole.kb.ingest.page.lines import Box, TextLine
from rabbithole.kb.ingest.page.page_links import read_links
from rabbithole.kb.ingest.page.page_tables import suggests_table, with_tables
from rabbithole.kb.ingest.page.plausibility import PageFonts, is_implausible, vouched_lines
from rabbithole.kb.ingest.page.unruled.figure_tables import PageEnd
from rabbithole.kb.ingest.page.unruled.headed_tables import with_headed_tables
from rabbithole.kb.ingest.page.unruled.table_lines import with_figure_tables
from rabbithole.kb.ingest.page.unruled.word_tables import with_word_tables
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.mupdf import pymupdf

from .pages_without_text import page_list
from .pdf_file import open_pdf, properties_of
from .read_options import Avoid, LayoutMode, ReadOptions
from .structure import Pages, structured

MIN_LETTERS = 8
EDGE = 0.1
"""Share of a page's height at its head and foot where a picture is no text if the page has a number."""


def parse_pdf(
    path: Path, options: ReadOptions | None = None, report: Callable[[str, int], None] | None = None
) -> ParsedDocument:
    """Read one PDF.

    ``report`` is called with (stage, page) before each step that could hang. Raises IngestError with the defect in one
    sentence: not a PDF, no pages, password needed.
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
            [decoded(document[number].get_label()) for number in range(document.page_count)]
            if document.get_page_labels()
            else []
        )
        repaired = bool(document.is_repaired)
        encrypted = bool((document.metadata or {}).get("encryption"))
    if repaired:
        pages.warnings.append("the file is damaged and was repaired; text may be missing")
    parsed = structured(
        pages, path.name, properties, bookmarks=bookmarks, labels=labels, avoid=options.avoid, tell=tell
    )
    return parsed.model_copy(update={"encrypted": encrypted})


def _read_pages(
    document: pymupdf.Document, avoid: Avoid, tell: Callable[[str, int], None], layout: LayoutMode = "never"
) -> Pages:
    pages = Pages()
    doubtful: dict[int, list[TextLine]] = {}
    symbols: list[int] = []
    end = PageEnd()
    for number in range(document.page_count):
        lines: list[TextLine] = []
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
                    lines = with_tables(page, number, lines, boxes)
                if ("tables", number) not in avoid and ("text", number) not in avoid:
                    lines = with_word_tables(page, number, lines, boxes)
                    lines, end = with_figure_tables(page, number, lines, end)
                    lines = with_headed_tables(page, number, lines)
            if is_garbled(lines):
                (pages.garbled if loses_words(lines) else symbols).append(number)
            elif is_implausible("\n".join(line.text for line in lines)):
                pages.garbled.append(number)
                doubtful[number] = lines
                # the letters differ from those the page shows, so nothing may be found in or quoted from them
                lines = []
            garbled = number in (*pages.garbled[-1:], *symbols[-1:])
            if sum(len(line.text) for line in lines) < MIN_LETTERS and not garbled and ("look", number) not in avoid:
                tell("look", number)
                if any(may_be_letters(kind, box, page.rect, some=bool(lines)) for kind, box in page.get_bboxlog()):
                    pages.drawn.append(number)
            if ("links", number) not in avoid:
                tell("links", number)
                pages.links += read_links(page, number)
        except (RuntimeError, ValueError, IndexError, KeyError, TypeError, MemoryError) as error:
            pages.warnings.append(f"page {number + 1} is damaged and was read only in part ({type(error).__name__})")
        pages.lines.append(lines)
        pages.heights.append(height)
    if doubtful and not avoid:
        _clear(document, pages, doubtful)
    if symbols:
        pages.warnings.append(f"some symbols on {page_list(symbols)} could not be read; running text is not affected")
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


def _clear(document: pymupdf.Document, pages: Pages, doubtful: Mapping[int, list[TextLine]]) -> None:
    """Put back the lines of doubtful pages in fonts that are right elsewhere."""
    fonts = [_fonts(document[number]) for number in range(document.page_count)]
    others = [(lines, own) for lines, own in zip(pages.lines, fonts, strict=True) if lines]
    for number, lines in doubtful.items():
        pages.lines[number] = vouched_lines(lines, fonts[number], others)
        if len(pages.lines[number]) == len(lines):
            pages.garbled.remove(number)


def _fonts(page: pymupdf.Page) -> PageFonts:
    found: dict[str, frozenset[int]] = {}
    for xref, _, _, name, *_ in page.get_fonts():
        base = name.rpartition("+")[2]
        found[base] = found.get(base, frozenset()) | {xref}
    return found


def may_be_letters(kind: str, box: Box, page: Box, *, some: bool) -> bool:
    """Return whether what is drawn on a page may be text: no rule and no shading.

    If ``some`` letters were read, as the number of a blank page, it is neither letters nor the page's background, nor
    a logo at the head or foot of the page.
    """
    if "text" in kind:
        return not some
    if "shade" in kind:
        return False
    edge = EDGE * (page[3] - page[1])
    whole = box[2] - box[0] >= page[2] - page[0] - 1 and box[3] - box[1] >= page[3] - page[1] - 1
    if some and ((whole and "path" in kind) or box[3] <= page[1] + edge or box[1] >= page[3] - edge):
        return False
    return "image" in kind or min(box[2] - box[0], box[3] - box[1]) > THIN


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
    return without_headings(marks)
