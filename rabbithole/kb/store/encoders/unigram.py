"""Split words into the most probable pieces of a vocabulary (Kudo, 2018).

The result is that of ``tokenizers.models.Unigram``, word by word. That class takes a second to load a quarter of a
million pieces, which would be most of the waiting time for an answer; both are fast for the few thousand words of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

_PENALTY = 10.0
"""How much lower the score of an unknown letter is than that of the rarest piece, as in ``tokenizers``."""
_CACHED_WORDS = 50_000


class Unigram:
    """A unigram tokenizer, safe for use by several threads. ``word(text)`` returns the numbers of a word's pieces.

    ``scores``: the logarithms of the probabilities of ``pieces``; ``unknown``: the number that stands for a run of
    letters that are in no piece.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], unknown: int) -> None:
        self._numbers = dict(zip(pieces, range(len(pieces)), strict=True))
        self._scores, self._unknown = scores, unknown
        self._longest = max(map(len, pieces), default=0)
        self._worst = min(scores, default=0.0) - _PENALTY
        self.word = lru_cache(_CACHED_WORDS)(self._pieces_of)

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the most probable pieces of a word; among equals, those with the longest last piece."""
        numbers, scores, size = self._numbers, self._scores, len(word)
        best = [0.0, *[-math.inf] * size]
        begins, pieces = [0] * (size + 1), [self._unknown] * (size + 1)
        for start in range(size):
            before = best[start]
            for end in range(start + 1, min(start + self._longest, size) + 1):
                number = numbers.get(word[start:end])
                if number is not None and before + scores[number] > best[end]:
                    best[end], begins[end], pieces[end] = before + scores[number], start, number
            if word[start] not in numbers and before + self._worst > best[start + 1]:
                best[start + 1], begins[start + 1], pieces[start + 1] = before + self._worst, start, self._unknown
        found: list[int] = []
        end = size
        while end:
            if not (found and found[-1] == pieces[end] == self._unknown):
                found.append(pieces[end])
            end = begins[end]
        return tuple(reversed(found))
