"""Documents for tests of an index of chunks: some sections each, with vectors that are told apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from kb_records import record

from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.index.index_choice import for_new, open_index
from rabbithole.kb.store.index.row_numbers import RowNumbers
from rabbithole.kb.store.ports import ChunkIndex, ChunkScope, DocumentChunks, Span, Within
from rabbithole.kb.store.vectors.matrix import Float32

DIMENSION = 64
CHUNKS = 4
MOST = 2000


def opened(folder: Path, settings: KbSettings, epoch: int = 0) -> ChunkIndex:
    """The index of a folder, whose catalog gives every document ``CHUNKS`` rows."""
    numbers = RowNumbers(lambda after: [(n, CHUNKS * (n - 1), CHUNKS) for n in range(after + 1, MOST)])
    return open_index(for_new(settings), folder, epoch, settings, numbers, lambda: DIMENSION, create=True)


def document(ordinal: int, words: str = "Grenzwert der Dosis", language: str = "de") -> DocumentChunks:
    sections = [(f"§ {number}", f"{words} wort{ordinal}x{number}.") for number in range(CHUNKS)]
    indexed = record(f"d{ordinal}", sections, language=language)
    return DocumentChunks(ordinal, indexed.document, indexed.chunks, [chunk.text for chunk in indexed.chunks])


def documents(first: int, last: int) -> list[DocumentChunks]:
    return [document(ordinal) for ordinal in range(first, last + 1)]


def vectors_of(*ordinals: int) -> Float32:
    """The vectors of the chunks of documents, always the same."""
    return np.concatenate([_vectors(ordinal) for ordinal in ordinals])


def _vectors(ordinal: int) -> Float32:
    made = np.random.default_rng(ordinal).standard_normal((CHUNKS, DIMENSION)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True))


def everything(last: int) -> ChunkScope:
    """Documents 1 .. last, which are all of the catalog."""
    return ChunkScope(np.arange(1, last + 1), np.full(last, CHUNKS), None, None)


def only(*ordinals: int, of: int, all_but: bool = False) -> ChunkScope:
    """Some of the documents 1 .. ``of``, named, or by those left out."""
    chosen = [n for n in range(1, of + 1) if (n in ordinals) != all_but]
    within = Within(ordinals, all_but, len(chosen) / of, frozenset({"de"}))
    return ChunkScope(np.array(chosen, dtype=np.int64), np.full(len(chosen), CHUNKS), None, within)


def part(ordinal: int, span: Span, of: int) -> ChunkScope:
    """Some chunks of one document."""
    within = Within((ordinal,), False, 1 / of, frozenset({"de"}))
    return ChunkScope(np.array([ordinal]), np.array([span[1] - span[0]]), {ordinal: [span]}, within)
