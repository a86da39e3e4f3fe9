"""The report as PDF, laid out by PyMuPDF's Story."""

from __future__ import annotations

from rabbithole.steps.models import Report

from .html import body_html

CSS = """
body { font-family: serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-family: sans-serif; font-size: 16pt; } h2 { font-family: sans-serif; font-size: 12.5pt; }
a { color: #1d4f91; text-decoration: none; } blockquote { margin-left: 12pt; }
"""
MARGIN = 56


def to_pdf(report: Report) -> bytes:
    """Return the report as a PDF of A4 pages; citations link to the sources' pages."""
    from rabbithole.kb.mupdf import pymupdf  # noqa: PLC0415  # heavy, and only this export needs it

    story = pymupdf.Story(html=f"<body>{body_html(report.markdown)}</body>", user_css=CSS)
    page = pymupdf.paper_rect("a4")
    content = pymupdf.Rect(MARGIN, MARGIN, page.x1 - MARGIN, page.y1 - MARGIN)
    with story.write_with_links(lambda number, filled: (page, content, None)) as document:
        document.set_metadata({"title": report.query})
        return bytes(document.tobytes(garbage=3, deflate=True))
