"""Resolved references as rows of the catalog: which passage refers to which place of which document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from rabbithole.kb.models import ReferenceKind, ResolutionStatus

from .rows import Stored

VERSION: Final = "7"
"""The version of these rows. Increase it when their content changes, so that they are made anew."""
Lacking = Literal["law", "document", "literature", "section"]
"""What a reference lacks: a work of this kind, or a section of a document that is held."""


class ReferenceRow(NamedTuple):
    """One resolved reference.

    ``source`` and ``target`` are the ordinals of documents. ``passage`` (-1: between passages) and ``section`` are
    positions in the source, ``target_section`` is one in the target. The place is the target's passages ``first`` ..
    ``first + passages - 1``. ``lacks``: the kind of what is missing, or None.
    """

    source: int
    position: int
    passage: int
    section: int | None
    kind: ReferenceKind
    text: str
    status: ResolutionStatus
    name: str
    lacks: Lacking | None
    target: int | None
    target_section: int | None
    first: int
    passages: int


class Tie(NamedTuple):
    """A place that references connect with a passage: passages ``first`` .. ``first + passages - 1`` of a document."""

    ordinal: int
    first: int
    passages: int


class ReferenceRows(Protocol):
    """The graph of resolved references. Several threads may read it; it is written in transactions of the catalog.

    Documents that were removed or replaced since then are left out of the answers.
    """

    @property
    def writable(self) -> bool:
        """Whether this process may write."""

    @property
    def exist(self) -> bool:
        """Whether the tables exist."""

    def create(self) -> None:
        """Make the tables, if they do not exist."""

    def mark(self) -> str:
        """Return the mark of what the graph was made from; '' before the first graph."""

    def marks(self) -> dict[int, str]:
        """Return ordinal of a document -> mark of what its rows were made from."""

    def names(self) -> dict[str, frozenset[str]]:
        """Return document id -> the names the document had when the graph was made."""

    def stale_sources(self) -> set[int]:
        """Return the ordinals of documents that refer to a document that was removed or replaced since."""

    def unsettled(self) -> list[tuple[int, str]]:
        """Return (ordinal of the source, name cited) of the references that led to no document."""

    def write(self, mark: str, resolved: Iterable[tuple[Stored, Sequence[ReferenceRow]]]) -> None:
        """Replace the rows and marks of these documents, except those that were deleted in the meantime."""

    def finish(self, mark: str, names: Mapping[str, Iterable[str]]) -> None:
        """Record what the complete graph was made from: its mark, and the names by document id."""

    def of_collection(self, collection: str) -> list[ReferenceRow]:
        """Return all references in the documents of a collection, by file and in reading order."""

    def leading_to(self, target: int) -> list[ReferenceRow]:
        """Return the references resolved to a document or a place in it, by source and in reading order."""

    def times_cited(self, target: int) -> dict[int | None, int]:
        """Return section position (None: the whole document) -> number of references to it from elsewhere."""

    def named_by(self, ordinal: int, passage: int, most: int) -> list[Tie]:
        """Return at most ``most`` places that a passage refers to, each once."""

    def naming(self, ordinal: int, passage: int, widest: int, most: int) -> list[Tie]:
        """Return at most ``most`` passages that cite a place with this one of up to ``widest`` passages, each once."""
