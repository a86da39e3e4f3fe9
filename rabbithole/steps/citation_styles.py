"""Footnotes in four citation styles: plain, German legal, IEEE and APA."""

from __future__ import annotations

import re

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.books import BOOK, beside_book
from rabbithole.kb.works_export import LITERATURE_KINDS

from .document_names import document_number
from .page_names import cited_pages
from .report_models import Citation
from .settings import CitationStyle

_KINDS = {"act": "law", "paper": "paper", "report": "report", "guideline": "report", "standard": "report"}
"""Kind of document -> kind of bibliographic work."""
_SAME = ("publisher", "volume", "doi")
_SHORT = re.compile(r"\((?:[^()]*\s[-–]\s)?([A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*)(?:\s\d{4})?\)\s*\Z")
_NUMBER = re.compile(r"(?:§+|Art\.|Artikel|Anlage|Anhang)\s\S+")


def cited_source(citation: Citation, document: Document) -> Citation:
    """Return the citation with the bibliographic data of its document: authors, year, where it was published.

    Those of a file that holds several documents were read of the first, so another one of them has none.
    """
    if citation.title and citation.title != document.title:
        return citation
    known = {name: str(value) for name, value in document.metadata.items() if value}
    kind = LITERATURE_KINDS.get(known.get("literature_type", "").casefold()) or _KINDS.get(known.get("kind", ""), "")
    number = document_number(document)
    work = {
        "kind": kind,
        "number": number,
        "container": known.get("journal") or known.get(BOOK, ""),
        "book": beside_book(document),
        **{name: known.get(name, "") for name in _SAME},
    }
    return citation.model_copy(
        update={
            "author": known.get("authors") or known.get("author", ""),
            "year": known.get("year", ""),
            "work": {name: value for name, value in work.items() if value},
        }
    )


def footnote(citation: Citation, language: str, style: CitationStyle = "plain") -> str:
    """Return the text of a footnote: document, section and page, or the address of a web result.

    Args:
        citation: the citation, with authors and year if they are known.
        language: the language of the report, for "p. 3" or "S. 3".
        style: "legal" puts the section of an act before its abbreviation and omits its heading; "ieee" and "apa" order
            authors, year and title as those styles do. Unknown data is left out in every style.
    """
    title = numbered_title(citation)
    if citation.external:
        return f"{title}, {citation.external}"
    page = cited_pages(citation, language)
    section, author, year = citation.section_label, citation.author, citation.year
    if style == "legal":
        number = _NUMBER.match(section)
        short = _SHORT.search(title)
        if number and short:
            return f"{number[0]} {short[1]}, {page}"
        return _joined(author, title, year, number[0] if number else section, page)
    if style == "ieee":
        return f"{_joined(author, f'“{title},”')} {_joined(year, section, page)}."
    if style == "apa":
        dated = f" ({year})" if year else ""
        lead = f"{author}{dated}".removesuffix(".") + f". {title}" if author else f"{title}{dated}"
        return f"{_joined(lead, section, page)}."
    return _joined(title, section, page)


def numbered_title(citation: Citation) -> str:
    """Return the title with the document's number, 'Guide to Filters (TR 12)', and behind the book it is a page of."""
    title, number = citation.title or citation.file, citation.work.get("number", "")
    return _joined(citation.work.get("book", ""), f"{title} ({number})" if number else title)


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
