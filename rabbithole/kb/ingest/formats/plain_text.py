"""Reads plain text as typewritten pages: form feeds separate pages; indentation and empty lines show the structure."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from rabbithole.kb.ingest.document.structure import Pages, structured
from rabbithole.kb.ingest.page.lines import TextLine, clean
from rabbithole.kb.ingest.parsed import ParsedDocument

from .document_builder import by_paragraphs
from .encoding import decoded
from .size_limit import read_limited

LINE_HEIGHT, LETTER_WIDTH, SIZE = 12.0, 6.0, 10.0
LEAST_ROWS = 66
MAX_TEXT_FILE = 20_000_000
_OVERSTRUCK = re.compile(r".\x08")


def parse_plain_text(path: Path, tell: Callable[[str, int], None]) -> ParsedDocument:
    """Read a text file. Raises IngestError.

    Text with form feeds has pages, as printed; otherwise its paragraphs are its places.
    """
    text, warning = decoded(read_limited(path, "plain text", MAX_TEXT_FILE), path.name)
    return text_with_structure(text, path.name, [warning] if warning else [], tell)


def text_with_structure(
    text: str, name: str, warnings: list[str], tell: Callable[[str, int], None] = lambda stage, page: None
) -> ParsedDocument:
    """Return the parsed document of a typewritten text."""
    pages = pages_of(text)
    pages.warnings += warnings
    parsed = structured(pages, name, {}, tell=tell)
    return parsed if len(pages.lines) > 1 else by_paragraphs(parsed)


def pages_of(text: str) -> Pages:
    """Return the lines at the positions a printer would give them. A last page without text is dropped."""
    pages = Pages(typewritten=True)
    whole = _OVERSTRUCK.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    for number, page in enumerate(whole.rstrip().split("\f")):
        rows = page.expandtabs(8).split("\n")
        if number:  # the rest of the line with the form feed
            rows = rows[1:] if not rows[0].strip() else rows
        lines = [_line(row, index, number) for index, row in enumerate(rows) if row.strip()]
        pages.lines.append([line for line in lines if line.text])
        pages.heights.append(LINE_HEIGHT * max(len(rows), LEAST_ROWS))
    return pages


def _line(row: str, index: int, page: int) -> TextLine:
    words = clean(row).strip()
    indent = len(row) - len(row.lstrip())
    left, top = LETTER_WIDTH * indent, LINE_HEIGHT * index
    right = left + LETTER_WIDTH * len(words)
    return TextLine(page, words, left, top, right, top + SIZE, top + SIZE, SIZE, mono=True, font="typewriter")
