"""Keeps the resolver of the current names of documents."""

from __future__ import annotations

import threading

from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.names.snapshot import Names, Naming

from .resolver import Resolver


class CurrentResolver:
    """Makes a new resolver when the names have changed. Thread-safe."""

    def __init__(self, reader: CorpusReader, naming: Naming) -> None:
        self._reader = reader
        self._naming = naming
        self._guard = threading.Lock()
        self._made: tuple[Names, Resolver] | None = None

    @property
    def mark(self) -> tuple[int, int]:
        """The state of the names that ``get`` would use; see ``Naming.mark``."""
        return self._naming.mark

    def get(self) -> Resolver:
        """Return the resolver for the current names; the same one until they change."""
        names = self._naming.current()
        with self._guard:
            if self._made is None or self._made[0] is not names:
                self._made = names, Resolver(self._reader, names.registry)
            return self._made[1]
