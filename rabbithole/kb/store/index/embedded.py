"""The embedded index: Tantivy for words, and files or Chroma for vectors, in the knowledge base's folder."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.aside import move_aside
from rabbithole.kb.store.ports import ChunkKey, ChunkScope, DocumentChunks, Progress, Scored, Source
from rabbithole.kb.store.vectors.matrix import Float32, Rows
from rabbithole.kb.store.vectors.vector_index import VectorIndex

from .keyword_files import damaged_file
from .keywords import KeywordEntry, Keywords
from .row_numbers import RowNumbers, consecutive

_TOGETHER: Final = 8192
_DOCUMENTS: Final = 32
"""The number of documents whose keywords are committed together by a repair."""
MOST_FORGOTTEN: Final = 20_000
"""The most chunks whose words are written anew after a removal; so many of a German text take 4 s, English ones 2 s."""


class EmbeddedIndex:
    """The keyword index and the vector index of one epoch, each opened at its first use.

    ``open_vectors`` is called only when the vectors are needed, so that keyword search loads no model.
    """

    def __init__(
        self, keywords_folder: Path, open_vectors: Callable[[], VectorIndex], numbers: RowNumbers, *, create: bool
    ) -> None:
        self._keywords_folder = keywords_folder
        self._open_vectors = open_vectors
        self._numbers = numbers
        self._create = create
        self._vectors: VectorIndex | None = None
        self._keywords: Keywords | None = None
        self._guard = threading.Lock()
        self._removed = False

    @property
    def keywords(self) -> Keywords:
        with self._guard:  # only one instance may have a writer
            if self._keywords is None:
                self._keywords = Keywords(self._keywords_folder, create=self._create)
            return self._keywords

    @property
    def vector_index(self) -> VectorIndex:
        with self._guard:
            if self._vectors is None:
                self._vectors = self._open_vectors()
            return self._vectors

    def open(self) -> None:
        self.vector_index.open()

    def reload(self) -> None:
        """Reload the keywords that another process has committed; vectors are read as they are."""
        if self._keywords is not None:
            self._keywords.reload()

    def put(self, documents: Sequence[DocumentChunks], vectors: Float32) -> None:
        """Write the vectors, then the words; the rows of documents staged together are consecutive."""
        places = self._numbers.of_documents([one.ordinal for one in documents])
        start = 0
        held = [one for one in documents if one.chunks]
        for first, last in consecutive(places):
            count = sum(chunks for _, chunks in places[first:last])
            passages = ((one.document, chunk) for one in held[first:last] for chunk in one.chunks)
            self.vector_index.put(places[first][0], vectors[start : start + count], passages)
            start += count
        self._index_words(held, places)

    def remove(self, documents: Sequence[int]) -> None:
        self.keywords.change(remove=documents)
        self._removed = bool(documents) or self._removed
        places = self._numbers.of_documents(documents)
        self.vector_index.remove([row for first, count in places for row in range(first, first + count)])

    def forget(self, held: Sequence[int], source: Source) -> None:
        """Take removed chunks out of the statistics of words, by which hits are scored, in an index that is not large.

        ``held`` are the documents that are left. A large index changes little, and would take long. Removed
        chunks count also if their segment has been merged meanwhile, which leaves the lengths of chunks inexact.
        """
        if not (self._removed or self.keywords.removed) or self.keywords.count() > MOST_FORGOTTEN:
            return
        self.keywords.write_anew(
            entry
            for ordinal in held
            for content in [source.chunks(ordinal)]
            for entry in _entries([content], self._numbers.of_documents([ordinal]))
        )
        self._removed = False

    def keyword(self, query: str, scope: ChunkScope, limit: int, *, count: bool = True) -> tuple[Scored, int]:
        wanted = limit
        while True:
            rows, total = self.keywords.search(query, wanted, within=scope.within, count=count or not scope.whole)
            found = self._found(rows)
            if scope.whole:
                return found, total
            inside = [hit for hit in found if scope.holds(hit[0])]
            if len(rows) >= total or len(rows) < wanted:
                return inside[:limit], len(inside)
            wanted = total

    def alike(self, query: str, scope: ChunkScope, limit: int) -> Scored:
        found = self._found(self.keywords.alike(query, limit, within=scope.within))
        return [hit for hit in found if scope.whole or scope.holds(hit[0])]

    def nearest(self, query: Float32, scope: ChunkScope, limit: int) -> Scored:
        return self._numbers.scored(*self.vector_index.nearest(query, self._numbers.ranges(scope), limit))

    def vectors(self, keys: Sequence[ChunkKey]) -> Float32:
        return self.vector_index.get(self._numbers.rows(keys))

    def rarity(self, stem: str, language: str) -> float:
        return self.keywords.rarity(stem, language)

    def chunks_with(self, word: str) -> int:
        return self.keywords.chunks_with(word)

    def near(self, word: str, language: str) -> Mapping[str, int]:
        return self.keywords.near(word, language)

    def optimise(self) -> None:
        """Wait until Tantivy has merged its segments."""
        if self._keywords is not None:
            self._keywords.release()

    def close(self) -> None:
        """Close the writer of keywords and the vectors."""
        self.optimise()
        if self._vectors is not None:
            self._vectors.close()

    def sound(self, document: int, chunks: int) -> bool:
        return not chunks or bool(self.vector_index.sound(self._rows([document])).all())

    def check(self, held: Mapping[int, int]) -> list[str]:
        problems = self._wrong_words(held)
        rows = self._rows(held)
        if len(rows):
            try:
                damaged_rows = np.count_nonzero(~self._sound(rows))
            except KnowledgeBaseError as error:
                return [*problems, str(error)]
            if damaged_rows:
                problems.append(f"{damaged_rows} of {len(rows)} vectors are missing or damaged.")
        return problems

    def repair(self, held: Mapping[int, int], source: Source, progress: Progress | None = None) -> None:
        self._make_readable(self._rows(held))
        for done, (document, count) in enumerate(held.items()):
            if not self.sound(document, count):
                content = source.chunks(document)
                ((first, _),) = self._numbers.of_documents([document])
                passages = ((content.document, chunk) for chunk in content.chunks)
                self.vector_index.put(first, source.vectors(document), passages)
            if progress is not None:
                progress(done + 1, len(held))
        if self._wrong_words(held):
            if self._damaged_words():
                self._set_words_aside()
            self.keywords.clear()
            ordinals = list(held)
            for start in range(0, len(ordinals), _DOCUMENTS):
                together = [source.chunks(ordinal) for ordinal in ordinals[start : start + _DOCUMENTS]]
                places = self._numbers.of_documents([one.ordinal for one in together])
                self._index_words([one for one in together if one.chunks], places)

    def destroy(self) -> None:
        """Delete all files and vectors of this epoch."""
        self.vector_index.clear()
        self.close()
        shutil.rmtree(self._keywords_folder, ignore_errors=True)
        self._keywords = None

    def _index_words(self, documents: Sequence[DocumentChunks], places: Sequence[tuple[int, int]]) -> None:
        self.keywords.change(add=_entries(documents, places))

    def _found(self, rows: Sequence[tuple[int, float]]) -> Scored:
        numbers = np.array([row for row, _ in rows], dtype=np.int64)
        return self._numbers.scored(numbers, [score for _, score in rows])

    def _rows(self, documents: Iterable[int]) -> Rows:
        """Return the rows of the chunks of documents, in ascending order."""
        places = self._numbers.of_documents(sorted(documents))
        parts = [np.arange(first, first + count, dtype=np.int64) for first, count in places]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)

    def _sound(self, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows have an intact vector, checking some thousand at a time to limit memory."""
        parts = [self.vector_index.sound(rows[at : at + _TOGETHER]) for at in range(0, len(rows), _TOGETHER)]
        return np.concatenate(parts) if parts else np.ones(0, dtype=np.bool_)

    def _make_readable(self, rows: Rows) -> None:
        """Set the vectors aside if they are in a folder and cannot be read."""
        try:
            self.vector_index.sound(rows[:1])
        except KnowledgeBaseError:
            self.vector_index.set_aside()
            self.vector_index.sound(rows[:1])  # a server cannot be set aside, and still says what is wrong

    def _wrong_words(self, held: Mapping[int, int]) -> list[str]:
        damaged_words = self._damaged_words()
        if damaged_words:
            return [damaged_words]
        self.reload()
        found, chunks = self.keywords.count(), sum(held.values())
        return [f"The keyword index holds {found} chunks, the catalog {chunks}."] if found != chunks else []

    def _damaged_words(self) -> str:
        """Return what is wrong with the keyword index, in a sentence; '' if its files are intact."""
        damaged = damaged_file(self._keywords_folder)
        if damaged:
            return f"The keyword index is damaged ({damaged})."
        try:
            self.keywords.count()
        except KnowledgeBaseError as error:
            return str(error)
        return ""

    def _set_words_aside(self) -> None:
        """Rename the folder of a damaged keyword index; the next use begins an empty one."""
        with self._guard:
            if self._keywords is not None:
                self._keywords.release()
            self._keywords = None
            move_aside(self._keywords_folder)


def _entries(documents: Sequence[DocumentChunks], places: Sequence[tuple[int, int]]) -> Iterator[KeywordEntry]:
    """Yield the entries of documents for the keyword index; ``places`` has the first row of each."""
    for one, (first, _) in zip(documents, places, strict=True):
        for position, text in enumerate(one.texts):
            yield KeywordEntry(first + position, one.ordinal, one.document.collection, one.document.language, text)
