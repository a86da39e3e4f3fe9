"""Similarity of a text to a question: by words and, if there is an embedding, by meaning.

By words it is the share of the question's stems found, weighted by their rarity; parts of compounds count less. By
meaning it is the cosine, calibrated against unrelated sentences so that the value is comparable between embeddings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from .terms import stem_set
from .vector_cache import Embed, VectorCache

Rarity = Callable[[str, str], float]

_PART = 0.6  # weight of a shared part of a compound: 'verantwortlich' in 'strahlenschutzverantwortlich'
_SHORTEST_PART = 5
_ENDING = 2  # maximum number of letters by which two forms of a word differ at their end
_SPAN = 0.6  # distance from background to full similarity, as a share of the distance from background to cosine 1
_CACHE = 4096
_COMMON = 0.05  # weight of the commonest words
_BACKGROUND = (
    "Das Wetter war gestern den ganzen Tag über schön.",
    "Die Ergebnisse sind in der folgenden Tabelle dargestellt.",
    "Die Rechnung ist innerhalb von vierzehn Tagen zu bezahlen.",
    "The committee met on Tuesday afternoon to discuss the budget.",
    "The results are shown in the following table.",
    "She bought three apples and a loaf of bread at the market.",
)


def weights(texts: Iterable[str], language: str) -> Mapping[str, float]:
    """Return the rarity of every stem among ``texts`` (smoothed inverse document frequency)."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(stem_set(text, language))
        total += 1
    return {stem: math.log(1 + (total + 1) / (count + 0.5)) for stem, count in counts.items()}


def coverage(
    wanted: Iterable[str] | Mapping[str, float], found: frozenset[str], rarity: Mapping[str, float] | None = None
) -> float:
    """Return the share of the wanted stems that are found, 0-1; a mapping gives them weights, as does ``rarity``."""
    heaviest = max(rarity.values(), default=1.0) if rarity else 1.0
    own = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1.0)
    total = reached = 0.0
    for stem, share in own.items():
        weight = share * (rarity.get(stem, heaviest) if rarity else 1.0)
        total += weight
        if stem in found:
            reached += weight
        elif related := [other for other in found if _shares_part(stem, other)]:  # so does every form of one word
            reached += weight if any(same_word(stem, other) for other in related) else _PART * weight
    return reached / total if total else 0.0


def matched(wanted: Sequence[str], found: frozenset[str]) -> tuple[str, ...]:
    """Return the wanted stems that are found, whole or as part of a compound, in order."""
    return tuple(stem for stem in wanted if stem in found or any(_shares_part(stem, other) for other in found))


def same_word(one: str, other: str) -> bool:
    """Return whether two stems are forms of one word; the stemmer keeps 'erteilt' and 'erteil' apart."""
    if one == other:
        return True
    shorter, longer = (one, other) if len(one) < len(other) else (other, one)
    return len(shorter) >= _SHORTEST_PART and len(longer) - len(shorter) <= _ENDING and longer.startswith(shorter)


def _shares_part(one: str, other: str) -> bool:
    shorter, longer = (one, other) if len(one) < len(other) else (other, one)
    return len(shorter) >= _SHORTEST_PART and (longer.startswith(shorter) or longer.endswith(shorter))


class Meaning:
    """Calibrated similarity of meaning, and the rarity of stems.

    Vectors are cached by text. Without an embedding similarities are 0; without ``rarity``, the collection's function
    (stem, language) -> 0-1, rarity is computed among the given texts.
    """

    def __init__(self, embed: Embed | None, rarity: Rarity | None = None) -> None:
        self._vectors = VectorCache(embed, _CACHE) if embed is not None else None
        self._rarity = rarity

    @property
    def available(self) -> bool:
        return self._vectors is not None

    def rarity(self, stems: Iterable[str], language: str, texts: Iterable[str]) -> Mapping[str, float]:
        """Return how rare each stem is, above 0 and at most 1."""
        if self._rarity is not None:
            return {stem: max(self._rarity(stem, language), _COMMON) for stem in stems}
        among = weights(texts, language)
        heaviest = max(among.values(), default=1.0)
        return {stem: among.get(stem, heaviest) / heaviest for stem in stems}

    def similarity(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Return the similarity of each text to the query, 0-1; zeros if there is no embedding."""
        if self._vectors is None or not texts:
            return tuple(0.0 for _ in texts)
        vectors = self._vectors((query, *_BACKGROUND, *texts))
        cosines = vectors[1:] @ vectors[0]
        floor = float(np.mean(cosines[: len(_BACKGROUND)]))
        span = _SPAN * max(1.0 - floor, 1e-6)
        scaled = np.clip((cosines[len(_BACKGROUND) :] - floor) / span, 0.0, 1.0)
        return tuple(round(float(value), 4) for value in scaled)
