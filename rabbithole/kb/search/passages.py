"""The passages of one search, each read once."""

from __future__ import annotations

from typing import NamedTuple

from rabbithole.kb.models import Chunk
from rabbithole.kb.store.catalog import CatalogReader
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.rows import Stored

from .scope import View


class ReadPassage(NamedTuple):
    """A chunk with its document."""

    entry: Stored
    chunk: Chunk


class Passages:
    """Reads passages of a view. One search makes one, because its parts look at the same first hits."""

    def __init__(self, catalog: CatalogReader, view: View) -> None:
        self._catalog, self._view = catalog, view
        self._read: dict[ChunkKey, ReadPassage | None] = {}

    def at(self, key: ChunkKey) -> ReadPassage | None:
        """Return a passage, or None if it is not visible. Raises ReplacedError if its document was replaced."""
        if key not in self._read:
            place = self._view.place(key)
            self._read[key] = None if place is None else ReadPassage(place[0], self._catalog.chunk_at(*place))
        return self._read[key]
