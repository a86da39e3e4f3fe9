"""The records that the ingestion gives to the store, and the store's records of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from rabbithole.kb.models import BibliographyEntry, Chunk, Document, Model, Reference, Scalar, Section

from .table_heads import table_head

FileStatus = Literal["taken", "duplicate", "skipped"]
UNREADABLE = "the text layer is unreadable"
"""Warning about a file that was taken although nothing in it can be found."""
NEEDS_OCR = "needs OCR"
"""Phrase in the messages about a file with pages that have no text yet."""


class IndexedDocument(Model):
    """One document ready to be stored. All spans are character offsets into ``text``.

    ``page_starts[i]`` is the offset at which page ``i`` begins (ascending, one for each page);
    ``page_labels[i]`` is the label printed on it. ``references`` and ``links`` (PDF link annotations,
    ``method="link"``) are stored together; ``outline_source`` says where the sections come from.
    """

    document: Document
    text: str
    page_starts: tuple[int, ...]
    page_labels: tuple[str, ...]
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    references: tuple[Reference, ...] = ()
    links: tuple[Reference, ...] = ()
    bibliography: tuple[BibliographyEntry, ...] = ()
    outline_source: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.page_starts) != len(self.page_labels):
            raise ValueError("page_starts and page_labels must have the same length")
        if any(first > second for first, second in pairwise(self.page_starts)):
            raise ValueError("page_starts must ascend")
        if any(chunk.text != self.text[chunk.start : chunk.end] for chunk in self.chunks):
            raise ValueError("a chunk's text must be the document's text between its offsets")
        if any(section.id != f"{self.document.id}:s{index}" for index, section in enumerate(self.sections)):
            raise ValueError("section ids must be '<document>:s<index>', in order")
        if any(chunk.id != f"{self.document.id}:c{position}" for position, chunk in enumerate(self.chunks)):
            raise ValueError("chunk ids must be '<document>:c<ordinal>', in order")
        known = {section.id for section in self.sections}
        if not {chunk.section for chunk in self.chunks} | {s.parent for s in self.sections if s.parent} <= known:
            raise ValueError("a chunk's section and a section's parent must be sections of the document")
        return self


class FileState(Model):
    """What the last ingestion found at a path, so that an unchanged file can be skipped without opening it."""

    collection: str
    file: str = Field(description="name in the collection, as in Document.file")
    path: str
    size: int = Field(ge=0, description="bytes")
    mtime_ns: int
    sha256: str = ""
    sidecar: str = Field(default="", description="fingerprint of the file's metadata and of the parser's version")
    status: FileStatus = "taken"
    document: str | None = None
    reason: str = ""

    @property
    def unread(self) -> bool:
        """Whether a search cannot find anything in the file."""
        return self.status == "skipped" or (self.status == "taken" and UNREADABLE in self.reason)

    @property
    def read_in_part(self) -> bool:
        """Whether a search finds something in the file, but nothing on some of its pages."""
        return self.status == "taken" and not self.unread and NEEDS_OCR in self.reason


def embedding_text(title: str, chunk: Chunk, head: str = "") -> str:
    """Return the text that is embedded for a chunk: title and section path as context, then the passage.

    ``head``: the head of the table that the passage continues, see ``table_heads``.
    """
    context = " > ".join(part for part in (title, *chunk.section_path) if part)
    return "\n".join(part for part in (context, head, chunk.text) if part)


def place_fields(chunk: Chunk) -> dict[str, Scalar]:
    """Return a chunk's place as the metadata of a node: section, its headings, page index (from 0), printed label."""
    return {
        "section": chunk.section,
        "section_path": " > ".join(chunk.section_path),
        "page": chunk.page,
        "page_label": chunk.page_label,
    }


def embedding_texts(title: str, chunks: Sequence[Chunk], text: str) -> Iterator[str]:
    """Yield the ``embedding_text`` of each chunk of a document; ``text``: the whole text of the document."""
    return (embedding_text(title, chunk, table_head(text, chunk.start)) for chunk in chunks)
