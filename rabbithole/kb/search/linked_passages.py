"""Passages prepared for linked search, cached for one generation of the catalog."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rabbithole.kb.models import Chunk
from rabbithole.kb.store.rows import Stored
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .entities import entities, plain
from .scope import View

MOST_KEPT = 20_000


@dataclass(frozen=True)
class Passage:
    """A passage: ``text`` and ``body`` (without the title) in plain form, ``names`` in the body, unit ``vector``."""

    row: int
    chunk: Chunk
    title: str
    file: str
    text: str
    body: str
    stems: frozenset[str]
    names: tuple[str, ...]
    vector: Float32


class Passages:
    """Loads passages by row. Thread-safe."""

    def __init__(self, store: Store, view: View) -> None:
        self.generation = view.generation
        self._store, self._view = store, view
        self._kept: dict[tuple[int, str], Passage] = {}
        self._rarity: dict[tuple[str, str], float] = {}
        self._guard = threading.Lock()

    def load(self, rows: Sequence[int], language: str) -> list[Passage]:
        """Return the passages of these rows; rows of documents that are not visible are left out."""
        with self._guard:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            missing = [row for row in rows if (row, language) not in self._kept]
            visible = [(row, place) for row in missing if (place := self._view.place(row)) is not None]
            if visible:
                vectors = self._store.vectors.get(np.array([row for row, _ in visible], dtype=np.int64))
                for (row, place), vector in zip(visible, vectors, strict=True):
                    self._kept[row, language] = self._read(row, place, language, vector)
            return [self._kept[row, language] for row in rows if (row, language) in self._kept]

    def rarity(self, name: str, language: str) -> float:
        """Return the rarity of a name, 0-1: that of its rarest word."""
        key = (name, language)
        if (known := self._rarity.get(key)) is None:
            keywords = self._store.keywords
            stems = keywords.stems(name, language)
            known = max((min(1.0, keywords.rarity(stem, language)) for stem in stems), default=0.0)
            self._rarity[key] = known
        return known

    def _read(self, row: int, place: tuple[Stored, int], language: str, vector: Float32) -> Passage:
        entry, position = place
        chunk = self._store.catalog.chunk_at(entry, position)
        text = f"{entry.document.title}. {chunk.text}"
        return Passage(
            row=row,
            chunk=chunk,
            title=entry.document.title,
            file=entry.document.file,
            text=plain(text),
            body=plain(chunk.text),
            stems=self._store.keywords.stems(text, language),
            names=entities(chunk.text),
            vector=vector,
        )
