"""How pages are named for people."""

from __future__ import annotations

from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.phrases import phrase


def page_name(page: int, label: str, language: str) -> str:
    """How a page is named for people: printed label first, 'S. 217 (PDF 219)' when it differs from the index.

    In a document without pages the label of the paragraph."""
    if is_paragraph(label):
        return label
    number = str(page + 1)
    if not label or label == number:
        return phrase(language, "report.page", page=number)
    return phrase(language, "report.page_labelled", label=label, page=number)
