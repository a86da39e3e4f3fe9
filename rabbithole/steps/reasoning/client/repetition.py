"""Detect early that a model repeats itself, because letting it run to the limit would cost minutes."""

from __future__ import annotations

from collections import Counter

_TAIL, _TIMES = 600, 12
_LINE, _LINE_TIMES = 40, 4  # a line of at least this many characters that occurs this often is a repetition
_EVERY = 300  # characters between two checks


class Repetition:
    """Watches an answer while it is streamed."""

    def __init__(self) -> None:
        self._said, self._looked = "", 0

    def repeats(self, piece: str) -> bool:
        """Add a piece and return whether the answer repeats itself."""
        self._said += piece
        if len(self._said) - self._looked < _EVERY:
            return False
        self._looked = len(self._said)
        return loops(self._said)


def loops(text: str) -> bool:
    """Return whether a text ends in the same characters over and over, or repeats whole lines."""
    lines = Counter(line.strip() for line in text.splitlines()[:-1] if len(line.strip()) >= _LINE)
    if any(count >= _LINE_TIMES for count in lines.values()):
        return True
    tail = text[-_TAIL:]
    if len(tail) < _TAIL:
        return False
    return any(tail.endswith(tail[-size:] * _TIMES) for size in range(1, _TAIL // _TIMES + 1))
