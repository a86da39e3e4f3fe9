"""The words of a question, weighted by rarity, and which of them passages have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rabbithole.kb.store.index.index_terms import stems
from rabbithole.kb.store.ports import ChunkIndex, ChunkKey

from .entities import plain, telling
from .passages import Passages


class QuestionWords:
    """The stems of one question in one language. Each passage is stemmed once.

    ``rarity``: stem -> rarity, 0-1; ``count``: the number of content words.
    """

    def __init__(self, index: ChunkIndex, passages: Passages, question: str, language: str) -> None:
        self._passages, self._language = passages, language
        self._stems: dict[ChunkKey, frozenset[str]] = {}
        words = telling(plain(question))
        asked = frozenset[str]().union(*(stems(word, language) for word in words))
        self.count = len(words)
        self.rarity = {stem: min(1.0, index.rarity(stem, language)) for stem in asked}

    def stems_of(self, keys: Iterable[ChunkKey]) -> dict[ChunkKey, frozenset[str]]:
        """Return the stems of these passages and their titles; those that are not visible are left out."""
        found: dict[ChunkKey, frozenset[str]] = {}
        for key in keys:
            if key not in self._stems and (passage := self._passages.at(key)) is not None:
                self._stems[key] = stems(f"{passage.entry.document.title}. {passage.chunk.text}", self._language)
            if key in self._stems:
                found[key] = self._stems[key]
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
