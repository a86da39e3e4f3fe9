"""What resolution needs of a knowledge base, so that it can be tried on any set of documents."""

from __future__ import annotations

from typing import Protocol

from rabbithole.kb.models import BibliographyEntry, Document, Section


class Reader(Protocol):
    """The part of the facade that is read. ``generation`` changes when any of the rest may have changed."""

    @property
    def generation(self) -> int: ...

    @property
    def changed(self) -> str:
        """How often documents were renamed or corrected in place, and the last of them: '3:id,id,id'."""
        ...

    def count(self) -> int: ...

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Number of each document, never used again, and its id; only those of a later number."""
        ...

    def held(self, document_id: str) -> Document | None:
        """The document of an id, or None when it is not there (any more)."""
        ...

    def documents(self, collection: str | None = None) -> tuple[Document, ...]: ...

    def outline(self, document_id: str) -> tuple[Section, ...]: ...

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str: ...

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]: ...

    def page_span(self, document_id: str, page: int) -> tuple[int, int]: ...

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]: ...
