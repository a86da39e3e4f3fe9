"""Matches the words of a question with a text, weighted by rarity; inflections, derivations and compounds count too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rabbithole.steps.reasoning.text.separable_verbs import root

Alike = Mapping[str, Mapping[str, float]]
"""Maps a stem to the terms of similar meaning and their strength, 0-1; unrelated terms are left out."""

_EXACT, _FORM, _TAKEN_APART, _DERIVED, _COMPOUND = 1.0, 0.95, 0.9, 0.75, 0.6
_SHORTEST = 4
_SHORTEST_PART = 5
_LINKS = frozenset(("", "e", "en", "ens", "er", "es", "n", "s", "ungs"))
"""Letters between the parts of a German compound; stems may lack '-ung' ('kundig' in 'kundigungsfrist')."""
_NEAR = 4


@lru_cache(maxsize=1 << 17)
def kinship(one: str, other: str) -> float:
    """Return how strongly one stem expresses the other, 0-1.

    The stems may be equal, inflected forms, derivations ('wiederholt', 'wiederhol'; 'austritt', 'ausgetret') or parts
    of a compound ('bussgeld' in 'bussgeldvorschrift').
    """
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
        return _COMPOUND  # 'fail', 'failur': with so short a stem it may be another word
    if common >= _SHORTEST and common >= 0.75 * len(shorter) and len(shorter) - common <= 2 and rest <= 4:
        return _DERIVED
    if len(shorter) >= _SHORTEST_PART and (common == len(shorter) or longer.endswith(shorter)):
        return _COMPOUND
    return _DERIVED if root(one) and root(one) == root(other) else 0.0


def _shared(compound: str, stem: str) -> tuple[int, int]:
    """Return the length of a stem that a compound begins with, and of the end that both have; 0 if too short.

    The stem may be a compound as well: 'betriebsbeauftragt' ends like 'immissionsschutzbeauftragt'.
    """
    if stem == compound or len(stem) < _SHORTEST_PART:
        return 0, 0
    end = 0
    for left, right in zip(reversed(compound), reversed(stem), strict=False):
        if left != right:
            break
        end += 1
    return (len(stem) if compound.startswith(stem) else 0), (end if end >= _SHORTEST_PART else 0)


class Matcher:
    """Matches the weighted terms of a question with the stems of texts.

    ``weights`` are positive. With ``alike``, words of similar meaning match a term too.
    """

    def __init__(self, weights: Mapping[str, float], alike: Alike | None = None) -> None:
        self.weights = weights
        self._total = sum(weights.values())
        self._alike = alike or {}
        self._kin: dict[str, dict[str, float]] = {}
        self._compounds = [term for term in weights if len(term) >= 2 * _SHORTEST_PART]
        self._parts: dict[str, dict[str, tuple[int, int]]] = {}

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
        """Return how strongly these stems express each term (0-1); terms they do not express are left out.

        A compound is also expressed by its parts: 'Prüfungsanmeldung' by 'Anmeldung zur Prüfung',
        'Immissionsschutzbeauftragter' by 'Betriebsbeauftragter für Immissionsschutz'.
        """
        found: dict[str, float] = {}
        parts: dict[str, tuple[int, int]] = {}
        for stem in stems:
            for term, value in self._of(stem).items():
                if value > found.get(term, 0.0):
                    found[term] = value
            for term, (first, last) in self._parts_of(stem).items():
                before = parts.get(term, (0, 0))
                parts[term] = max(before[0], first), max(before[1], last)
        for term, (first, last) in parts.items():
            if first and last and term[first : len(term) - last] in _LINKS:
                found[term] = max(found.get(term, 0.0), _TAKEN_APART)
        return found

    def _parts_of(self, stem: str) -> dict[str, tuple[int, int]]:
        """Return for each compound how many letters at its beginning and at its end a stem has."""
        known = self._parts.get(stem)
        if known is None:
            known = {term: ends for term in self._compounds if any(ends := _shared(term, stem))}
            self._parts[stem] = known
        return known

    def coverage(self, *said: Mapping[str, float]) -> float:
        """Return the share of the terms' total weight that any of these texts expresses, as given by ``strengths``."""
        if not self._total:
            return 0.0
        total = sum(
            weight * max((each.get(term, 0.0) for each in said), default=0.0) for term, weight in self.weights.items()
        )
        return total / self._total

    def bm25(self, stems: Sequence[str], average: float, k: float = 1.2, b: float = 0.6) -> float:
        """Return Robertson's BM25 score of a text with these stems; the term weights take the place of the idf."""
        counts: dict[str, float] = {}
        for stem in stems:
            for term, value in self._of(stem).items():
                counts[term] = counts.get(term, 0.0) + value
        norm = k * (1 - b + b * len(stems) / max(average, 1.0))
        return sum(self.weights[term] * count * (k + 1) / (count + norm) for term, count in counts.items())

    def together(self, stems: Sequence[str], pairs: Sequence[tuple[str, str]]) -> float:
        """Return the share (by weight) of these pairs whose terms occur at most four stems apart."""
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
