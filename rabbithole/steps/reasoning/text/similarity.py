"""How near a text is to a question: by words, and by meaning where an embedding is at hand.

Words: share of the question's stems found, each weighted by how rare it is among the texts compared; parts of
compounds count half. Meaning: cosine, calibrated against sentences that have nothing to do with anything, so that the
figure means the same whatever the embedding.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from .terms import stem_set
from .vector_cache import Embed, VectorCache

Rarity = Callable[[str, str], float]

_PART = 0.6  # what a shared part of a compound counts: 'verantwortlich' in 'strahlenschutzverantwortlich'
_SHORTEST_PART = 5
_ENDING = 2  # letters by which two forms of a word differ at their end
_SPAN = 0.6  # the cosine above the background that counts as full similarity, as a share of what is left to 1
_CACHE = 4096
_COMMON = 0.05  # what the commonest word weighs
_BACKGROUND = (
    "Das Wetter war gestern den ganzen Tag über schön.",
    "Die Ergebnisse sind in der folgenden Tabelle dargestellt.",
    "Die Rechnung ist innerhalb von vierzehn Tagen zu bezahlen.",
    "The committee met on Tuesday afternoon to discuss the budget.",
    "The results are shown in the following table.",
    "She bought three apples and a loaf of bread at the market.",
)


def weights(texts: Iterable[str], language: str) -> Mapping[str, float]:
    """Rarity of every stem among ``texts`` (inverse document frequency, smoothed)."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        counts.update(stem_set(text, language))
        total += 1
    return {stem: math.log(1 + (total + 1) / (count + 0.5)) for stem, count in counts.items()}


def coverage(
    wanted: Iterable[str] | Mapping[str, float], found: frozenset[str], rarity: Mapping[str, float] | None = None
) -> float:
    """Share of the wanted stems (a mapping gives them weights) that are found, 0-1."""
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
    """The wanted stems that are found, whole or as part of a compound, in their order."""
    return tuple(stem for stem in wanted if stem in found or any(_shares_part(stem, other) for other in found))


def same_word(one: str, other: str) -> bool:
    """Whether two stems are forms of one word: the stemmer leaves 'erteilt' beside 'erteil'."""
    if one == other:
        return True
    shorter, longer = (one, other) if len(one) < len(other) else (other, one)
    return len(shorter) >= _SHORTEST_PART and len(longer) - len(shorter) <= _ENDING and longer.startswith(shorter)


def _shares_part(one: str, other: str) -> bool:
    shorter, longer = (one, other) if len(one) < len(other) else (other, one)
    return len(shorter) >= _SHORTEST_PART and (longer.startswith(shorter) or longer.endswith(shorter))


class Meaning:
    """What a collection knows of words: calibrated similarity of meaning, and how rare a stem is (stem, language; 0-1).

    Vectors are cached by text. Without an embedding there is no opinion; without a collection rarity is taken among
    the texts at hand.
    """

    def __init__(self, embed: Embed | None, rarity: Rarity | None = None) -> None:
        self._vectors = VectorCache(embed, _CACHE) if embed is not None else None
        self._rarity = rarity

    @property
    def available(self) -> bool:
        return self._vectors is not None

    def rarity(self, stems: Iterable[str], language: str, texts: Iterable[str]) -> Mapping[str, float]:
        """How rare each stem is, above 0 and at most 1."""
        if self._rarity is not None:
            return {stem: max(self._rarity(stem, language), _COMMON) for stem in stems}
        among = weights(texts, language)
        heaviest = max(among.values(), default=1.0)
        return {stem: among.get(stem, heaviest) / heaviest for stem in stems}

    def similarity(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """0-1 for each text; zeros when there is no embedding."""
        if self._vectors is None or not texts:
            return tuple(0.0 for _ in texts)
        vectors = self._vectors((query, *_BACKGROUND, *texts))
        cosines = vectors[1:] @ vectors[0]
        floor = float(np.mean(cosines[: len(_BACKGROUND)]))
        span = _SPAN * max(1.0 - floor, 1e-6)
        scaled = np.clip((cosines[len(_BACKGROUND) :] - floor) / span, 0.0, 1.0)
        return tuple(round(float(value), 4) for value in scaled)
