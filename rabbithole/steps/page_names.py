"""Page names for display."""

from __future__ import annotations

from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.phrases import phrase

from .report_models import Citation


def page_name(page: int, label: str, language: str) -> str:
    """Return the display name of a page: 'S. 217 (PDF 219)' if the printed label differs from the physical number.

    For a document without pages it is the label of the paragraph. ``page`` is the index from 0.
    """
    if is_paragraph(label):
        return label
    number = str(page + 1)
    if not label or label == number:
        return phrase(language, "report.page", page=number)
    return phrase(language, "report.page_labelled", label=label, page=number)


def page_range(first: tuple[int, str], last: tuple[int, str], language: str) -> str:
    """Return the display name of consecutive pages, each given as in ``page_name``: 'S. 20–21 (PDF 12–13)'."""
    if last[0] <= first[0] or is_paragraph(first[1]):
        return page_name(*first, language)
    numbers = [str(page + 1) for page, _ in (first, last)]
    labels = [label or number for (_, label), number in zip((first, last), numbers, strict=True)]
    pages = "–".join(numbers)
    if labels == numbers:
        return phrase(language, "report.pages", pages=pages)
    return phrase(language, "report.pages_labelled", labels="–".join(labels), pages=pages)


def cited_pages(citation: Citation, language: str) -> str:
    """Return the display name of the page, or of the pages, on which the cited words stand."""
    first = (citation.page, citation.page_label)
    last = first if citation.last_page is None else (citation.last_page, citation.last_page_label)
    return page_range(first, last, language)


def section_beside(label: str, *titles: str) -> str:
    """Return a section's label to print after the document's title; "" if it only repeats the title.

    A chapter that is a file of its own has one heading, which is both: "9.9. Quotas" and "9.9 Quotas".
    """
    return "" if letters_of(label) in map(letters_of, titles) else label


def letters_of(text: str) -> str:
    """Return the letters and figures of a text in lower case, for comparing headings."""
    return "".join(filter(str.isalnum, text)).casefold()
