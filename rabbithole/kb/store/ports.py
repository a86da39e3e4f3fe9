"""The interfaces of the chunk index and of the files, and what is passed through them. A knowledge base uses one index.

What is stored is behind five interfaces, each with a contract in the tests that every adapter passes: ``ChunkIndex``,
``ChunkScope`` and ``Blobs`` here, ``Catalog`` in ``catalog.py``, and ``RunStore`` in ``workflow/run/run_store.py``,
because runs belong to the workflows.

A chunk is named by its document's number in the catalog and its position in the document. How an index numbers chunks
itself is its own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BufferedReader
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.models import Chunk, Document

from .vectors.matrix import Float32

Ordinals = NDArray[np.int64]
"""Numbers of documents in the catalog."""
Span = tuple[int, int]
"""Start and end, exclusive."""
Progress = Callable[[int, int], None]
"""Is called with the number of documents done and of all."""


class ChunkKey(NamedTuple):
    """A chunk: the ordinal of its document, which is never reused, and its position in it."""

    document: int
    position: int


Scored = list[tuple[ChunkKey, float]]
"""Chunks with their scores, best first; equal scores in the order of documents and positions."""


@dataclass(frozen=True)
class Within:
    """The documents (ordinals) a search is restricted to, or with ``all_but`` those it leaves out.

    ``share``: the share (0-1) of all chunks that may be found; ``languages``: their languages, empty if unknown.
    """

    documents: tuple[int, ...]
    all_but: bool
    share: float
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ChunkScope:
    """The chunks that a search may find: those of ``documents`` (ascending), or only some ``parts`` of them.

    ``counts``: the number of chunks in scope in each document, at least 1. ``parts``: ordinal -> positions, ascending;
    None for whole documents. ``within`` names the documents as briefly as possible; None for all of the catalog.
    Views keep scopes, and an index may keep what it computes from one.
    """

    documents: Ordinals
    counts: NDArray[np.int64]
    parts: Mapping[int, Sequence[Span]] | None
    within: Within | None

    @property
    def whole(self) -> bool:
        """Whether every chunk of the documents is in scope."""
        return self.parts is None

    @cached_property
    def size(self) -> int:
        """The number of chunks in the scope."""
        return int(self.counts.sum())

    def holds(self, key: ChunkKey) -> bool:
        """Return whether a chunk that is in its document's text is in the scope."""
        if self.parts is not None:
            return any(start <= key.position < end for start, end in self.parts.get(key.document, ()))
        index = int(np.searchsorted(self.documents, key.document))
        return index < len(self.documents) and int(self.documents[index]) == key.document


@dataclass(frozen=True)
class DocumentChunks:
    """What an index stores of a document besides vectors. ``texts``: each chunk with its context, as it is embedded."""

    ordinal: int
    document: Document
    chunks: Sequence[Chunk]
    texts: Sequence[str]


class Source(Protocol):
    """Gives an index what it has lost: from the catalog, and vectors from a copy or the embedding model."""

    def chunks(self, document: int) -> DocumentChunks:
        """Return what is stored of a document besides vectors."""

    def vectors(self, document: int) -> Float32:
        """Return the vectors of a document's chunks."""


class ChunkIndex(Protocol):
    """The words and vectors of all chunks. It may hold documents that the catalog does not show; the caller drops them.

    Reading is safe for several threads, and after ``reload`` sees what another process has written. One process writes
    at a time. Every call may raise KnowledgeBaseError with one sentence that says what cannot be used, and
    ReplacedError if a document was replaced meanwhile.
    """

    def open(self) -> None:
        """Load now what would delay the first search by a second."""

    def reload(self) -> None:
        """Make visible what another process has written."""

    def put(self, documents: Sequence[DocumentChunks], vectors: Float32) -> None:
        """Store documents that the catalog has staged; ``vectors`` has one row for each of their chunks, in order."""

    def remove(self, documents: Sequence[int]) -> None:
        """Remove documents, given by ordinal; those that are not held are ignored."""

    def keyword(self, query: str, scope: ChunkScope, limit: int, *, count: bool = True) -> tuple[Scored, int]:
        """Return the best chunks of the scope by BM25, and how many have a word of the query (0 without ``count``)."""

    def alike(self, query: str, scope: ChunkScope, limit: int) -> Scored:
        """Return the best German chunks of the scope by BM25 over the query's 4-grams of letters."""

    def nearest(self, query: Float32, scope: ChunkScope, limit: int) -> Scored:
        """Return at most ``limit`` chunks of the scope closest to a unit vector, and their cosines.

        Up to a thousand chunks in scope, every one is compared.
        """

    def vectors(self, keys: Sequence[ChunkKey]) -> Float32:
        """Return the vectors of the chunks, to be compared exactly. Raises ReplacedError if one is missing."""

    def rarity(self, stem: str, language: str) -> float:
        """Return a stem's inverse document frequency over chunks, scaled to 0-1; 1 for a stem in at most one chunk."""

    def chunks_with(self, word: str) -> int:
        """Return how many chunks have a word or another form of it, in the language that has it most often."""

    def near(self, word: str, language: str) -> Mapping[str, int]:
        """Return the words that differ from a word by one edit and whose stem is in some chunk -> in how many.

        Some may be forms that no text has. Empty if the index cannot tell in milliseconds.
        """

    def optimise(self) -> None:
        """Put what was written into the form that is searched fastest."""

    def close(self) -> None:
        """Close writers, files and connections, so that another process can write; the next call opens them again."""

    def sound(self, document: int, chunks: int) -> bool:
        """Return whether a document has ``chunks`` vectors here and, as far as can be told, intact ones."""

    def check(self, held: Mapping[int, int]) -> list[str]:
        """Return what is wrong, one sentence each. ``held``: ordinal -> number of chunks of every visible document."""

    def repair(self, held: Mapping[int, int], source: Source, progress: Progress | None = None) -> None:
        """Make again what ``check`` finds missing or damaged. An index that cannot be read is set aside first."""

    def destroy(self) -> None:
        """Delete everything."""


class Blobs(Protocol):
    """The files documents were read from, where every machine can read them. The name of one is its document's id.

    Every call may raise KnowledgeBaseError with one sentence.
    """

    def names(self) -> frozenset[str]:
        """Return the names of all files."""

    def put(self, name: str, file: BufferedReader) -> None:
        """Store an open file from its current position on, as a whole or not at all."""

    def open(self, name: str) -> BufferedReader | None:
        """Return a file, open for reading on this machine, or None if there is none of this name."""

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; those that are not there are ignored."""
