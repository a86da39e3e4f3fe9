"""The report as PDF, laid out by PyMuPDF's Story: contents with page numbers, bookmarks, numbered pages."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from rabbithole.steps.phrases import phrase
from rabbithole.steps.report_models import Report

from .front import front_html
from .outline import Heading, Outlined, outlined

CSS = """
body { font-family: serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-family: sans-serif; font-size: 16pt; } h2 { font-family: sans-serif; font-size: 12.5pt; }
h3 { font-family: sans-serif; font-size: 10.5pt; } h4, h5 { font-size: 10.5pt; }
a { color: #1d4f91; text-decoration: none; } blockquote { margin-left: 12pt; }
.front { font-family: sans-serif; font-size: 9pt; color: #555555; }
.contents { width: 100%; } .contents td { font-family: sans-serif; font-size: 9.5pt; padding: 1pt 0; }
.contents .first { width: 430pt; } .contents .second { width: 430pt; padding-left: 14pt; }
.contents .page { text-align: right; }
"""
FOOT_CSS = "* { font-family: sans-serif; font-size: 8pt; color: #555555; } p { margin: 0; text-align: right; }"
MARGIN, FOOT = 56, 30
"""In points: the margin of the text, and the distance of the foot line from the lower edge."""
PASSES = 4
"""Most layouts until the page numbers of the contents agree with the pages; mostly the second does."""


def to_pdf(report: Report) -> bytes:
    """Return the report as a PDF of A4 pages; citations link to the sources' pages."""
    from rabbithole.kb.mupdf import pymupdf  # noqa: PLC0415  # heavy, and only this export needs it

    page = pymupdf.paper_rect("a4")
    content = pymupdf.Rect(MARGIN, MARGIN, page.x1 - MARGIN, page.y1 - MARGIN)
    layout = _Layout(report)
    with pymupdf.Story.write_stabilized_with_links(
        layout.html, lambda number, filled: (page, content, None), user_css=CSS, add_header_ids=False
    ) as document:
        document.set_toc([[one.level, one.title, *layout.places[one.id]] for one in layout.headings])
        document.set_metadata({"title": layout.title, "creator": "Rabbithole"})
        document.set_language(report.language)
        foot = pymupdf.Rect(MARGIN, page.y1 - FOOT - 12, page.x1 - MARGIN, page.y1 - FOOT + 4)
        for sheet in document:
            said = phrase(report.language, "report.page_of", page=sheet.number + 1, count=document.page_count)
            sheet.insert_htmlbox(foot, f"<p>{html.escape(said)}</p>", css=FOOT_CSS)
        document.subset_fonts()  # 85 instead of 270 kB for two pages
        return bytes(document.tobytes(garbage=3, deflate=True))


class _Layout:
    """The HTML to lay out, and where its headings came to stand."""

    def __init__(self, report: Report) -> None:
        body: Outlined = outlined(report.markdown)
        self.title = body.title or report.query
        self.headings: Sequence[Heading] = body.headings
        self.places: Mapping[str, tuple[int, float]] = {}
        """Page from 1 and height from the top of the page, by id."""
        self._contents: Sequence[Heading] = body.contents
        self._above, end, self._rest = body.html.partition("</h1>")
        self._above += f"{end}{front_html(report)}"
        self._passes: list[str] = []

    def html(self, positions: Sequence[Any]) -> str:
        """Return the whole text with the page numbers of the layout before; repeated calls settle on one text."""
        self.places = {one.id: (one.page_num, one.rect[1]) for one in reversed(positions) if one.id}
        if len(self._passes) < PASSES:
            self._passes.append(f"<body>{self._above}{self._listed()}{self._rest}</body>")
        return self._passes[-1]

    def _listed(self) -> str:
        if len(self._contents) < 2:
            return ""
        rows = "".join(
            f"<tr><td class='{'second' if one.level > 1 else 'first'}'><a href='#{one.id}'>{html.escape(one.title)}</a>"
            f"</td><td class='page'>{self.places[one.id][0] if one.id in self.places else 1}</td></tr>"
            for one in self._contents
        )
        return f"<table class='contents'>{rows}</table>"
