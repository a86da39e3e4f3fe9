"""Compare the words of two names, allowing for typing errors. The caller compares numbers, which must be equal."""

from __future__ import annotations

from rapidfuzz.distance import DamerauLevenshtein

from rabbithole.kb.references.names.name_keys import NameKey

SHORTEST = 7
"""The shortest word that may have a typing error; in a shorter one, an error may be another word (AtAV, AtEV)."""
_LETTERS_AN_ERROR = 8
_MOST_ERRORS = 3


def same_but_for_typing(asked: NameKey, held: NameKey, threshold: float) -> float:
    """Return the similarity of two names (0-1), or 0 if they differ by more than typing errors.

    The similarity must reach ``threshold`` and every word must equal its counterpart but for one error in eight
    letters, at most three: two laws that share a long compound ("Strahlenschutzgesetz", "Strahlenschutzverordnung")
    are similar but not the same. A name with one blank more or less may have one error. Distance: Damerau-Levenshtein.
    """
    first, second = " ".join(asked), " ".join(held)
    if not first or len(first.replace(" ", "")) < SHORTEST or abs(len(first) - len(second)) > 2 * _MOST_ERRORS:
        return 0.0
    if len(asked) != len(held):
        joined = DamerauLevenshtein.distance(first.replace(" ", ""), second.replace(" ", ""), score_cutoff=1)
        return _similarity(first, second, threshold) if joined <= 1 and abs(len(asked) - len(held)) == 1 else 0.0
    if any(not _same_word(one, other) for one, other in zip(asked, held, strict=True)):
        return 0.0
    return _similarity(first, second, threshold)


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    length = min(len(one), len(other))
    if length < SHORTEST:
        return False
    allowed = min(_MOST_ERRORS, max(1, length // _LETTERS_AN_ERROR))
    return DamerauLevenshtein.distance(one, other, score_cutoff=allowed) <= allowed


def _similarity(first: str, second: str, threshold: float) -> float:
    score = DamerauLevenshtein.normalized_similarity(first, second)
    return score if score >= threshold else 0.0
