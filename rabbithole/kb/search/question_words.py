"""The words of a question, weighted by rarity, and which of them passages have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rabbithole.kb.store.index.index_terms import stems, stems_among
from rabbithole.kb.store.ports import ChunkIndex, ChunkKey

from .entities import plain, telling
from .passages import Passages


class QuestionWords:
    """The stems of one question in one language. They are looked for once in each passage.

    ``rarity``: stem -> rarity, 0-1; ``count``: the number of content words.
    """

    def __init__(self, index: ChunkIndex, passages: Passages, question: str, language: str) -> None:
        self._passages, self._language = passages, language
        self._found: dict[ChunkKey, frozenset[str]] = {}
        words = telling(plain(question))
        self._asked = frozenset[str]().union(*(stems(word, language) for word in words))
        self.count = len(words)
        self.rarity = {stem: min(1.0, index.rarity(stem, language)) for stem in self._asked}

    def stems_of(self, keys: Iterable[ChunkKey]) -> dict[ChunkKey, frozenset[str]]:
        """Return the stems of the question that these passages and their titles have.

        Passages that are not visible are left out.
        """
        found: dict[ChunkKey, frozenset[str]] = {}
        for key in keys:
            if key not in self._found and (passage := self._passages.at(key)) is not None:
                text = f"{passage.entry.document.title}. {passage.chunk.text}"
                self._found[key] = stems_among(self._asked, text, self._language)
            if key in self._found:
                found[key] = self._found[key]
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
