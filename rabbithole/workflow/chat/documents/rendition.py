"""Render the stored text of a document without pages as a sheet, so that quotations can be marked in it."""

from __future__ import annotations

import html
import io
from threading import Lock

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.mupdf import pymupdf

PARAGRAPHS = 30
"""Number of paragraphs on one sheet."""
WIDTH, MARGIN, TALLEST = 595.0, 48.0, 13_000.0
LONGEST = 20_000
"""Most characters shown of a paragraph; more would not fit on a sheet."""
_LOCK = Lock()  # MuPDF is not thread-safe
_CSS = (
    "body {font-family: sans-serif; font-size: 10.5pt; line-height: 1.35} "
    "p {margin: 0 0 6pt 0} h3 {margin: 10pt 0 6pt 0}"
)


def is_pdf(document: Document) -> bool:
    return document.path.lower().endswith(".pdf")


def sheet_of(document: Document, page: int) -> tuple[int, int]:
    """Return the first and last (exclusive) page or paragraph of the sheet that contains ``page``."""
    if document.pages:
        return page, page + 1
    first = page - page % PARAGRAPHS
    return first, first + PARAGRAPHS


def rendition(kb: KnowledgeBase, document: Document, page: int) -> bytes:
    """Return the sheet as a one-page PDF. Raises KnowledgeBaseError if there is no such page or paragraph."""
    first, after = sheet_of(document, page)
    start = kb.page_span(document.id, first)[0]
    last = min(after, kb.page_count(document.id)) - 1
    end = kb.page_span(document.id, last)[1]
    heads = {section.start for section in kb.outline(document.id)}
    rows: list[str] = []
    offset = start
    for line in kb.text(document.id, start, end).split("\n"):
        tag = "h3" if offset in heads else "p"
        rows.append(f"<{tag}>{html.escape(line[:LONGEST])}</{tag}>" if line.strip() else "")
        offset += len(line) + 1
    return _one_page(f"<body>{''.join(rows)}</body>")


def _one_page(body: str) -> bytes:
    with _LOCK:
        story = pymupdf.Story(html=body, user_css=_CSS)
        _, filled = story.place(pymupdf.Rect(MARGIN, MARGIN, WIDTH - MARGIN, TALLEST - MARGIN))
        buffer = io.BytesIO()
        writer = pymupdf.DocumentWriter(buffer)
        device = writer.begin_page(pymupdf.Rect(0, 0, WIDTH, max(filled[3] + MARGIN, 200)))
        story.draw(device)
        writer.end_page()
        writer.close()
        return buffer.getvalue()
