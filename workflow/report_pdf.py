"""The report as PDF, laid out by PyMuPDF's Story."""

from __future__ import annotations

from io import BytesIO

from ..steps.models import Report
from .report_html import body_html

CSS = """
body { font-family: serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-family: sans-serif; font-size: 16pt; } h2 { font-family: sans-serif; font-size: 12.5pt; }
a { color: #1d4f91; text-decoration: none; } blockquote { color: #555; }
"""
MARGIN = 56


def to_pdf(report: Report) -> bytes:
    """A4 pages with the whole report; links lead to the sources' pages."""
    import pymupdf  # noqa: PLC0415  # heavy, and only this export needs it

    story = pymupdf.Story(html=f"<body>{body_html(report.markdown)}</body>", user_css=CSS)
    page = pymupdf.paper_rect("a4")
    content = page + (MARGIN, MARGIN, -MARGIN, -MARGIN)
    buffer = BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    more = True
    while more:
        device = writer.begin_page(page)
        more, _ = story.place(content)
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open("pdf", buffer.getvalue()) as document:
        document.set_metadata({"title": report.query})
        return bytes(document.tobytes(garbage=3, deflate=True))
