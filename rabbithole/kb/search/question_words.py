"""The words of a question, weighted by rarity, and which of them passages have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rabbithole.kb.store.index.index_terms import stems
from rabbithole.kb.store.ports import ChunkKey
from rabbithole.kb.store.store import Store

from .entities import plain, telling
from .scope import View


class QuestionWords:
    """The stems of one question in one language. Each passage is read once.

    ``rarity``: stem -> rarity, 0-1; ``count``: the number of content words.
    """

    def __init__(self, store: Store, view: View, question: str, language: str) -> None:
        self._store, self._view, self._language = store, view, language
        self._read: dict[ChunkKey, frozenset[str]] = {}
        words = telling(plain(question))
        asked = frozenset[str]().union(*(stems(word, language) for word in words))
        self.count = len(words)
        self.rarity = {stem: min(1.0, store.index.rarity(stem, language)) for stem in asked}

    def stems_of(self, keys: Iterable[ChunkKey]) -> dict[ChunkKey, frozenset[str]]:
        """Return the stems of these passages and their titles; those that are not visible are left out."""
        found: dict[ChunkKey, frozenset[str]] = {}
        for key in keys:
            if key not in self._read and (place := self._view.place(key)) is not None:
                text = self._store.catalog.chunk_at(*place).text
                self._read[key] = stems(f"{place[0].document.title}. {text}", self._language)
            if key in self._read:
                found[key] = self._read[key]
        return found

    def matched(self, keys: Iterable[ChunkKey]) -> float:
        """Return the share of the words, by rarity, that the best of these passages has."""
        return matched(self.rarity, self.stems_of(keys).values())


def matched(rarity: Mapping[str, float], passages: Iterable[frozenset[str]]) -> float:
    """Return the share of the stems, weighted by rarity, that the best of the passages has: 0-1.

    >>> matched({"radar": 0.75, "test": 0.25}, [frozenset({"radar"}), frozenset({"test"})])
    0.75
    """
    whole = sum(rarity.values())
    shares = (sum(rarity[stem] for stem in own & rarity.keys()) / whole for own in passages if whole)
    return max(shares, default=0.0)
