"""A vocabulary of pieces with probabilities, and the most probable pieces of a word (Kudo, 2018).

Gives what ``tokenizers.models.Unigram`` gives, word by word. That one takes a second to load a quarter of a million
pieces, which is most of what an answer would wait for; the few thousand words of an answer are quick either way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

_PENALTY = 10.0
"""How much less probable a letter that is in no piece is than the rarest piece; the value of the original."""
_CACHED_WORDS = 50_000


class Unigram:
    """Safe from several threads.

    ``scores``: the logarithms of the probabilities of ``pieces``; ``unknown``: the number that stands for letters that
    are in no piece, one for a run of them.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float], unknown: int) -> None:
        self._numbers = dict(zip(pieces, range(len(pieces)), strict=True))
        self._scores, self._unknown = scores, unknown
        self._longest = max(map(len, pieces), default=0)
        self._worst = min(scores, default=0.0) - _PENALTY
        self.word = lru_cache(_CACHED_WORDS)(self._pieces_of)

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """The numbers of the most probable pieces of a word, in order; of equal ones those whose last begins first."""
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
