"""The score of a passage by the question alone, from both sides of the hybrid search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.kb.search.fusion import Ranked, scaled
from rabbithole.kb.store.ports import ChunkKey

# Set together with those of linked_search.py.
CLOSE = 120  # best semantic hits, which set the scale of the semantic scores
TITLED = 1.2  # weight of a document whose title is in the question


class BaseScores:
    """The score of a passage by the question alone: both sides of the hybrid search, scaled, and its title."""

    def __init__(self, semantic: Ranked, keyword: Ranked, share: float) -> None:
        close = [score for _, score in semantic[:CLOSE]] or [0.0]
        high, low = close[0], close[-1]
        self._floor = max(0.0, 2 * low - high)
        self._span = max(high - self._floor, 1e-6)
        self._share = share
        self._cosines = dict(semantic)
        self._keyword = dict(keyword)
        self._words = scaled(keyword)

    def of(self, key: ChunkKey, cosine: float, named: Mapping[ChunkKey, float]) -> float:
        meaning = max(cosine - self._floor, 0.0) / self._span
        words = self._words.get(key, 0.0)
        return self._share * meaning + (1 - self._share) * words + TITLED * named.get(key, 0.0)

    def sides(self, key: ChunkKey) -> dict[str, float]:
        """Return the semantic and keyword scores of a passage, if found."""
        sides = {"semantic": self._cosines, "keyword": self._keyword}
        return {side: values[key] for side, values in sides.items() if key in values}

    def keys(self, count: int) -> list[ChunkKey]:
        """Return the best passages of each side."""
        return [*list(self._cosines)[:count], *list(self._words)[:count]]

    def best(self, count: int, named: Mapping[ChunkKey, float]) -> list[ChunkKey]:
        keys = dict.fromkeys([*self.keys(CLOSE), *named])
        scores = {key: self.of(key, self._cosines.get(key, 0.0), named) for key in keys}
        return sorted(scores, key=lambda key: (-round(scores[key], 6), key))[:count]

    def best_of(self, keys: Sequence[ChunkKey]) -> ChunkKey | None:
        """Return the highest-ranked of some passages, the first of equals, or None if the search found none of them."""
        found = [key for key in keys if key in self._words or key in self._cosines]
        return max(found, key=lambda key: self.of(key, self._cosines.get(key, 0.0), {}), default=None)
