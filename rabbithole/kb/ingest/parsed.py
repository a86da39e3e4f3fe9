"""The result of reading a file: plain data that a worker process can return."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from pydantic import Field

from rabbithole.kb.ingest.metadata.identity import Identity
from rabbithole.kb.models import BibliographyEntry, Model, Scalar, Section


class ParsedSection(Model):
    """A section of a document that has no id yet. ``parent`` is an index into the list of sections, or -1."""

    parent: int = -1
    level: int = Field(ge=0)
    number: str = ""
    heading: str = ""
    start: int
    own_end: int
    end: int
    page: int
    last_page: int

    def as_section(self, document: str, index: int, labels: Sequence[str]) -> Section:
        return Section(
            id=f"{document}:s{index}",
            document=document,
            index=index,
            parent=f"{document}:s{self.parent}" if self.parent >= 0 else None,
            level=self.level,
            number=self.number,
            heading=self.heading,
            start=self.start,
            own_end=self.own_end,
            end=self.end,
            page=self.page,
            last_page=self.last_page,
            page_label=labels[self.page] if self.page < len(labels) else "",
        )


class ParsedLink(Model):
    """A link annotation on text[start:end]."""

    start: int
    end: int
    uri: str = ""
    file: str = ""
    page: int | None = None
    goal: int | None = None


class ParsedDocument(Model):
    """Text and structure of one file, without ids. Offsets refer to ``text``; pages count from 0.

    ``drawn_pages`` show something but have no text, even after OCR if that was done. On ``garbled_pages``, some letters
    cannot be known without OCR. ``encrypted`` is also set for an empty password. A file without pages (``paged`` is
    False) uses its paragraphs instead: ``page_starts`` are their offsets, and the labels read "¶ 12".
    """

    title: str
    identity: Identity | None = None
    text: str
    page_starts: tuple[int, ...]
    page_labels: tuple[str, ...]
    sections: tuple[ParsedSection, ...]
    links: tuple[ParsedLink, ...] = ()
    bibliography: tuple[BibliographyEntry, ...] = ()
    outline_source: str = ""
    language: str = "und"
    properties: Mapping[str, Scalar] = {}
    warnings: tuple[str, ...] = ()
    drawn_pages: tuple[int, ...] = ()
    garbled_pages: tuple[int, ...] = ()
    ocr_done: bool = False
    paged: bool = True
    encrypted: bool = False


def page_at(page_starts: Sequence[int], offset: int) -> int:
    """Return the index of the page with the character at ``offset``."""
    return max(bisect_right(page_starts, offset) - 1, 0)
