"""Names a place within a document: by page, or by paragraph in a format without pages."""

from __future__ import annotations

PARAGRAPH = "¶"
"""The beginning of a paragraph's label: '¶ 12'."""


def is_paragraph(label: str) -> bool:
    return label.startswith(PARAGRAPH)


def paragraph_label(index: int) -> str:
    """Return the label of a paragraph; ``index`` counts from 0."""
    return f"{PARAGRAPH} {index + 1}"


def short_place(label: str, page: int) -> str:
    """Return 'p. 12', or '¶ 12' in a document without pages; ``page`` is the index from 0."""
    return label if is_paragraph(label) else f"p. {label or page + 1}"


def exact_place(label: str, page: int) -> str:
    """Return 'p. 217 (PDF 219)', or '¶ 12'."""
    return label if is_paragraph(label) else f"p. {label} (PDF {page + 1})"
