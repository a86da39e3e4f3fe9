"""A question prepared for linked search: its plain form, its vector, and how rare its words are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rabbithole.kb.search.entities import plain, telling
from rabbithole.kb.search.hybrid import Searcher
from rabbithole.kb.store.index.index_terms import stems
from rabbithole.kb.store.store import Store
from rabbithole.kb.store.vectors.matrix import Float32

from .linked_passages import LinkedPassage


@dataclass(frozen=True)
class PreparedQuestion:
    """The question as passages are compared with it. ``weights``: stem -> rarity; ``words``: word -> its stems."""

    plain: str
    language: str
    vector: Float32
    weights: Mapping[str, float]
    words: Mapping[str, frozenset[str]]

    @property
    def whole(self) -> float:
        return sum(self.weights.values()) or 1.0

    def beside(self, seed: LinkedPassage) -> dict[str, float]:
        """Return the words of the question that are not in the seed's title, with weights that sum to 1."""
        title = stems(seed.title, self.language)
        weights = {
            word: max(self.weights.get(stem, 0.0) for stem in own)
            for word, own in self.words.items()
            if not own & title
        }
        total = sum(weights.values()) or 1.0
        return {word: weight / total for word, weight in weights.items()}


def prepared_question(query: str, language: str, store: Store, searcher: Searcher) -> PreparedQuestion:
    """Return a question in plain form, with its vector and its stems."""
    text = plain(query)
    words = {word: stems(word, language) for word in telling(text)}
    asked = frozenset[str]().union(*words.values())
    return PreparedQuestion(
        plain=text,
        language=language,
        vector=searcher.sides.query_vector(query),
        weights={stem: min(1.0, store.index.rarity(stem, language)) for stem in asked},
        words={word: own for word, own in words.items() if own},
    )
