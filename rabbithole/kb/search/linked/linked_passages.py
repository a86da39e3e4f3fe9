"""Passages prepared for linked search, cached for one generation of the catalog."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from rabbithole.kb.models import Chunk
from rabbithole.kb.search.entities import entities, plain
from rabbithole.kb.search.scope import View
from rabbithole.kb.store.index.index_terms import stems
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.rows import Stored
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

MOST_KEPT = 20_000


@dataclass(frozen=True)
class LinkedPassage:
    """A passage: ``text`` and ``body`` (without the title) in plain form, ``names`` in the body, unit ``vector``."""

    key: ChunkKey
    chunk: Chunk
    title: str
    file: str
    text: str
    body: str
    stems: frozenset[str]
    names: tuple[str, ...]
    vector: Float32


class LinkedPassages:
    """Loads passages. Thread-safe."""

    def __init__(self, store: Store, view: View) -> None:
        self.generation = view.generation
        self._store, self._view = store, view
        self._kept: dict[tuple[ChunkKey, str], LinkedPassage] = {}
        self._rarity: dict[tuple[str, str], float] = {}
        self._guard = threading.Lock()

    def load(self, keys: Sequence[ChunkKey], language: str) -> list[LinkedPassage]:
        """Return the passages of these chunks; those of documents that are not visible are left out."""
        with self._guard:
            if len(self._kept) > MOST_KEPT:
                self._kept.clear()
            missing = [key for key in keys if (key, language) not in self._kept]
            visible = [(key, place) for key in missing if (place := self._view.place(key)) is not None]
            if visible:
                vectors = self._store.index.vectors([key for key, _ in visible])
                for (key, place), vector in zip(visible, vectors, strict=True):
                    self._kept[key, language] = self._read(key, place, language, vector)
            return [self._kept[key, language] for key in keys if (key, language) in self._kept]

    def rarity(self, name: str, language: str) -> float:
        """Return the rarity of a name, 0-1: that of its rarest word."""
        key = (name, language)
        if (known := self._rarity.get(key)) is None:
            index = self._store.index
            known = max((min(1.0, index.rarity(stem, language)) for stem in stems(name, language)), default=0.0)
            self._rarity[key] = known
        return known

    def _read(self, key: ChunkKey, place: tuple[Stored, int], language: str, vector: Float32) -> LinkedPassage:
        entry, position = place
        chunk = self._store.catalog.chunk_at(entry, position)
        text = f"{entry.document.title}. {chunk.text}"
        return LinkedPassage(
            key=key,
            chunk=chunk,
            title=entry.document.title,
            file=entry.document.file,
            text=plain(text),
            body=plain(chunk.text),
            stems=stems(text, language),
            names=entities(chunk.text),
            vector=vector,
        )
