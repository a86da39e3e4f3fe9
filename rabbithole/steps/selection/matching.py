"""Words of a question in a text, weighed by their rarity; forms, derivations and compounds meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

Alike = Mapping[str, Mapping[str, float]]
"""How much a stem says each term by its meaning, 0-1; pairs that are not alike are left out."""

_EXACT, _FORM, _DERIVED, _COMPOUND = 1.0, 0.95, 0.75, 0.6
_SHORTEST = 4
_SHORTEST_PART = 5
_NEAR = 4


@lru_cache(maxsize=1 << 17)
def kinship(one: str, other: str) -> float:
    """How much of one stem another one says, 0-1: the same, a form, a derivation ('wiederholt', 'wiederhol'), a part
    of a compound ('bussgeld' in 'bussgeldvorschrift')."""
    if one == other:
        return _EXACT
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < _SHORTEST or one.isdigit() or other.isdigit():
        return 0.0
    common = 0
    for left, right in zip(shorter, longer, strict=False):
        if left != right:
            break
        common += 1
    rest = len(longer) - common
    if common == len(shorter) and rest <= (2 if common > _SHORTEST else 1):
        return _FORM
    if common == len(shorter) and rest <= 2:
        return _COMPOUND  # 'fail', 'failur': of so short a stem it may be another word
    if common >= _SHORTEST and common >= 0.75 * len(shorter) and len(shorter) - common <= 2 and rest <= 4:
        return _DERIVED
    if len(shorter) >= _SHORTEST_PART and (common == len(shorter) or longer.endswith(shorter)):
        return _COMPOUND
    return 0.0


class Matcher:
    """The weighed terms of a question against the stems of texts. ``weights`` are above 0; with ``alike`` words of like
    meaning say a term, too."""

    def __init__(self, weights: Mapping[str, float], alike: Alike | None = None) -> None:
        self.weights = weights
        self._total = sum(weights.values())
        self._alike = alike or {}
        self._kin: dict[str, dict[str, float]] = {}

    def _of(self, stem: str) -> dict[str, float]:
        kin = self._kin.get(stem)
        if kin is None:
            alike = self._alike.get(stem, {})
            kin = {
                term: value for term in self.weights if (value := max(kinship(term, stem), alike.get(term, 0.0))) > 0
            }
            self._kin[stem] = kin
        return kin

    def strengths(self, stems: Iterable[str]) -> dict[str, float]:
        """How strongly each term is said by these stems; terms that are not said are left out."""
        found: dict[str, float] = {}
        for stem in stems:
            for term, value in self._of(stem).items():
                if value > found.get(term, 0.0):
                    found[term] = value
        return found

    def coverage(self, *said: Mapping[str, float]) -> float:
        """Share of the terms' weight that is said by any of these."""
        if not self._total:
            return 0.0
        total = sum(
            weight * max((each.get(term, 0.0) for each in said), default=0.0) for term, weight in self.weights.items()
        )
        return total / self._total

    def bm25(self, stems: Sequence[str], average: float, k: float = 1.2, b: float = 0.6) -> float:
        """Robertson's BM25 of a text of these stems; the weight of a term stands for its inverse document frequency."""
        counts: dict[str, float] = {}
        for stem in stems:
            for term, value in self._of(stem).items():
                counts[term] = counts.get(term, 0.0) + value
        norm = k * (1 - b + b * len(stems) / max(average, 1.0))
        return sum(self.weights[term] * count * (k + 1) / (count + norm) for term, count in counts.items())

    def together(self, stems: Sequence[str], pairs: Sequence[tuple[str, str]]) -> float:
        """Share of the weight of these pairs of terms that stand at most four stems apart."""
        places: dict[str, list[int]] = {}
        for at, stem in enumerate(stems):
            for term in self._of(stem):
                places.setdefault(term, []).append(at)
        total = reached = 0.0
        for one, other in pairs:
            weight = self.weights.get(one, 0.0) * self.weights.get(other, 0.0)
            total += weight
            near = any(abs(x - y) <= _NEAR for x in places.get(one, ()) for y in places.get(other, ()))
            reached += weight * near
        return reached / total if total else 0.0
