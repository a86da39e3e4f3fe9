"""Reading a passage's ``where``: 'StrlSchG.pdf, § 78 Grenzwerte, p. 12'."""

from __future__ import annotations

from rabbithole.kb.ingest.formats.suffixes import is_taken
from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.phrases import phrase


def document_of(where: str) -> str:
    """The document in a passage's ``where``: what stands before the first comma."""
    return where.split(",", 1)[0].strip()


def section_of(where: str) -> str:
    """The section in a passage's ``where``: what stands between the document and the page."""
    parts = [part.strip() for part in where.split(",")]
    inner = [part for part in parts[1:] if not _is_page(part)]
    return ", ".join(inner)


def for_people(where: str, language: str) -> str:
    """The passage's place in the person's language: 'StrlSchG, § 78 Grenzwerte, S. 12'."""
    page = next((part.strip() for part in where.split(", ")[1:] if _is_page(part.strip())), "")
    if page and not is_paragraph(page):
        page = phrase(language, "report.page", page=page.split()[-1])
    shown = (named(document_of(where)), section_of(where), page)
    return ", ".join(part for part in shown if part)


def named(document: str) -> str:
    """A document's file name as people say it."""
    return document.rsplit(".", 1)[0] if is_taken(document) else document


def clipped(text: str, limit: int) -> str:
    """The text, or its first words where it is longer than ``limit`` characters."""
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0].rstrip(' ,;:-–')} …"


def _is_page(part: str) -> bool:
    words = part.split()
    return is_paragraph(part) or (
        len(words) in (2, 3, 4) and words[0].rstrip(".").lower() in ("s", "p", "page", "seite")
    )
