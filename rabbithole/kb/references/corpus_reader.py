"""The part of a knowledge base that names and resolution need, so that they can be tested on any set of documents."""

from __future__ import annotations

from typing import Protocol

from rabbithole.kb.models import BibliographyEntry, Document, Section


class CorpusReader(Protocol):
    """What names and resolution read. ``generation`` changes whenever the other results may have changed."""

    @property
    def generation(self) -> int: ...

    @property
    def changed(self) -> str:
        """Counts documents renamed or corrected in place, with the ids of the last of them: '3:id,id,id'."""
        ...

    def count(self) -> int: ...

    def ordinals(self, after: int = 0) -> dict[int, str]:
        """Return the number and id of each document numbered above ``after``; numbers are never reused."""
        ...

    def held(self, document_id: str) -> Document | None:
        """Return the document with this id, or None if it is not (or no longer) held."""
        ...

    def documents(self, collection: str | None = None) -> tuple[Document, ...]: ...

    def outline(self, document_id: str) -> tuple[Section, ...]: ...

    def text(self, document_id: str, start: int = 0, end: int | None = None) -> str: ...

    def page_of(self, document_id: str, offset: int) -> tuple[int, str]: ...

    def page_span(self, document_id: str, page: int) -> tuple[int, int]: ...

    def bibliography(self, document_id: str) -> tuple[BibliographyEntry, ...]: ...
