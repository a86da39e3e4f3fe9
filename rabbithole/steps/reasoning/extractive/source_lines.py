"""Parse a passage's ``where``, such as 'StrlSchG.pdf, § 78 Grenzwerte, p. 12'."""

from __future__ import annotations

from rabbithole.kb.ingest.suffixes import is_taken
from rabbithole.kb.place_names import is_paragraph
from rabbithole.steps.phrases import phrase
from rabbithole.steps.reasoning.protocol import Passage


def document_of(where: str) -> str:
    """Return the document in a passage's ``where``: the part before the first comma."""
    return where.split(",", 1)[0].strip()


def section_of(where: str) -> str:
    """Return the section in a passage's ``where``: the parts between document and page, or ''."""
    parts = [part.strip() for part in where.split(",")]
    inner = [part for part in parts[1:] if not _is_page(part)]
    return ", ".join(inner)


def name_of(passage: Passage) -> str:
    """Return the name of the passage's document as the collection uses it, else its file name."""
    return passage.name or named(document_of(passage.where))


def for_people(passage: Passage, language: str) -> str:
    """Return the passage's place in the user's language: 'StrlSchG, § 78 Grenzwerte, S. 12'."""
    where = passage.where
    page = next((part.strip() for part in where.split(", ")[1:] if _is_page(part.strip())), "")
    if page and not is_paragraph(page):
        page = phrase(language, "report.page", page=page.split()[-1])
    shown = (name_of(passage), section_of(where), page)
    return ", ".join(part for part in shown if part)


def named(document: str) -> str:
    """Return a document's file name without the suffix of a known format."""
    return document.rsplit(".", 1)[0] if is_taken(document) else document


def clipped(text: str, limit: int) -> str:
    """Return the text, cut at a word and with an ellipsis if it is longer than ``limit`` characters."""
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0].rstrip(' ,;:-–')} …"


def _is_page(part: str) -> bool:
    words = part.split()
    return is_paragraph(part) or (
        len(words) in (2, 3, 4) and words[0].rstrip(".").lower() in ("s", "p", "page", "seite")
    )
