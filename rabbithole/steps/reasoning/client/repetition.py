"""A model that repeats itself until the limit: noticed early, because it would cost minutes."""

from __future__ import annotations

from collections import Counter

_TAIL, _TIMES = 600, 12
_LINE, _LINE_TIMES = 40, 4  # characters of a line, and how often it may not stand there
_EVERY = 300  # characters between two looks


class Repetition:
    """Watches an answer as it comes."""

    def __init__(self) -> None:
        self._said, self._looked = "", 0

    def repeats(self, piece: str) -> bool:
        """Whether the answer, with this piece, repeats itself."""
        self._said += piece
        if len(self._said) - self._looked < _EVERY:
            return False
        self._looked = len(self._said)
        return loops(self._said)


def loops(text: str) -> bool:
    """Whether a model repeats itself until the limit: the same characters over and over, or whole lines again."""
    lines = Counter(line.strip() for line in text.splitlines()[:-1] if len(line.strip()) >= _LINE)
    if any(count >= _LINE_TIMES for count in lines.values()):
        return True
    tail = text[-_TAIL:]
    if len(tail) < _TAIL:
        return False
    return any(tail.endswith(tail[-size:] * _TIMES) for size in range(1, _TAIL // _TIMES + 1))
