"""Reading a passage's ``where``: 'StrlSchG.pdf, § 78 Grenzwerte, p. 12'."""

from __future__ import annotations


def document_of(where: str) -> str:
    """The document in a passage's ``where``: what stands before the first comma."""
    return where.split(",", 1)[0].strip()


def section_of(where: str) -> str:
    """The section in a passage's ``where``: what stands between the document and the page."""
    parts = [part.strip() for part in where.split(",")]
    inner = [part for part in parts[1:] if not _is_page(part)]
    return ", ".join(inner)


def _is_page(part: str) -> bool:
    words = part.split()
    return len(words) in (2, 3, 4) and words[0].rstrip(".").lower() in ("s", "p", "page", "seite")
