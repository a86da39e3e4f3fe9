"""Page names for display."""

from __future__ import annotations

from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.phrases import phrase


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


def section_beside(label: str, *titles: str) -> str:
    """Return a section's label to print after the document's title; "" if it only repeats the title.

    A chapter that is a file of its own has one heading, which is both: "9.9. Quotas" and "9.9 Quotas".
    """
    return "" if letters_of(label) in map(letters_of, titles) else label


def letters_of(text: str) -> str:
    """Return the letters and figures of a text in lower case, for comparing headings."""
    return "".join(filter(str.isalnum, text)).casefold()
