"""Reads the documents of a knowledge base by id, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rabbithole.kb.models import Document

_CACHED = 4096
"""Number of documents that are cached."""


class HeldDocuments:
    """The documents of a knowledge base by id, read one at a time and cached."""

    def __init__(self, get: Callable[[str], Document | None]) -> None:
        self._get = lru_cache(maxsize=_CACHED)(get)

    def get(self, identifier: str) -> Document | None:
        """Return the document with this id, or None if it is not held."""
        return self._get(identifier)

    def __getitem__(self, identifier: str) -> Document:
        """Return the document with this id. Raises KeyError if it is not held."""
        found = self._get(identifier)
        if found is None:
            raise KeyError(identifier)
        return found

    def __contains__(self, identifier: object) -> bool:
        return isinstance(identifier, str) and self._get(identifier) is not None
