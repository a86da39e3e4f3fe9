"""A report as an HTML page whose citations link to the cited pages as single-page PDFs, and all of it as one ZIP."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping

from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.chat.runs.failures import FAILURES
from rabbithole.workflow.chat.view.report_json import cited_by_number
from rabbithole.workflow.report.export.html_page import to_html

LINK = re.compile(r'<a href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
NUMBER = re.compile(r"\[(\d+)\]")
ELSEWHERE = ("#", "http://", "https://")


def with_pages(page: str, place: Callable[[str], str]) -> str:
    """Return the page with each citation linked to ``place`` of its number; if that is '', it becomes plain text."""

    def led(found: re.Match[str]) -> str:
        number = NUMBER.fullmatch(found[2])
        if number is None:
            return found[0] if found[1].startswith(ELSEWHERE) else found[2]
        target = place(number[1])
        return f'<a href="{target}" target="_blank" rel="noopener">{found[2]}</a>' if target else found[2]

    return LINK.sub(led, page)


def bundle(report: Report, documents: Documents) -> bytes:
    """Return a ZIP of the report as ``report.html`` and each cited page as ``pages/NUMBER.pdf`` with the words marked.

    Pages of documents that no longer exist are left out, and their citations have no link.
    """
    pages = {number: page for number, one in cited_by_number(report).items() if (page := _page(one, documents))}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("report.html", with_pages(to_html(report), lambda number: _within(number, pages)))
        for number, page in pages.items():
            archive.writestr(_name(number), page)
    return made.getvalue()


def _within(number: str, pages: Mapping[str, bytes]) -> str:
    return _name(number) if number in pages else ""


def _name(number: str) -> str:
    return f"pages/{number}.pdf"


def _page(citation: Citation, documents: Documents) -> bytes:
    """Return the cited page as a PDF, or b'' if its document can no longer be read."""
    document = documents.find(citation.document)
    try:
        if document is None:
            return b""
        with documents.cited(document, citation.page, citation.quote) as file:
            return file.read()
    except FAILURES:
        return b""
