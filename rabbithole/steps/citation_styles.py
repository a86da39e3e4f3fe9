"""How a footnote names its source: plain, as German lawyers do, IEEE or APA."""

from __future__ import annotations

import re
from typing import Literal

from rabbithole.kb.models import Document

from .models import Citation
from .page_names import page_name

CitationStyle = Literal["plain", "legal", "ieee", "apa"]
_SHORT = re.compile(r"\((?:[^()]*\s[-–]\s)?([A-ZÄÖÜ]\w*[A-ZÄÖÜ]\w*)(?:\s\d{4})?\)\s*\Z")
_NUMBER = re.compile(r"(?:§+|Art\.|Artikel|Anlage|Anhang)\s\S+")


def cited_source(citation: Citation, document: Document) -> Citation:
    """The citation with what the document says of its authors and its year."""
    author, year = document.metadata.get("author"), document.metadata.get("year")
    return citation.model_copy(update={"author": str(author or ""), "year": str(year or "")})


def footnote(citation: Citation, language: str, style: CitationStyle = "plain") -> str:
    """What a footnote says: document, section and page, or the address of a web result.

    Args:
        citation: what is cited; authors and year where they are known.
        language: of the report, for "p. 3" or "S. 3".
        style: "legal" puts the section of an act before its abbreviation and leaves its heading out; "ieee" and "apa"
            order authors, year and title as these do. No style makes up what is not known.
    """
    title = citation.title or citation.file
    if citation.external:
        return f"{title}, {citation.external}"
    page = page_name(citation.page, citation.page_label, language)
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


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
