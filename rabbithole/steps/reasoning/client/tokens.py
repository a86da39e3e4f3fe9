"""Tokens before sending: an estimate from characters, corrected by what the server counts."""

from __future__ import annotations

import threading
from collections import deque

_START = 2.8  # characters a token; German legal prose with current tokenizers has 3.0 to 3.6
_LEAST, _MOST = 1.2, 4.0
_STEP = 0.2
_WINDOW = 16
_ENOUGH = 3
_SHORTEST = 400  # characters; below, a chat template's own tokens distort the figure
_OVERHEAD = 24  # tokens of the chat template around a prompt


class TokenCounter:
    """Estimates for one model. Errs on the long side: a prompt cut short by the server is worse than one not full."""

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=_WINDOW)
        self._ratio = _START
        self._lock = threading.Lock()

    @property
    def characters_per_token(self) -> float:
        return self._ratio

    def count(self, text: str) -> int:
        """Estimated tokens of a text."""
        return int(len(text) / self._ratio) + 1

    def count_prompt(self, text: str) -> int:
        """Estimated tokens of a prompt with the chat template around it."""
        return self.count(text) + _OVERHEAD

    def characters(self, tokens: int) -> int:
        """Characters that fit into so many tokens."""
        return max(0, int(tokens * self._ratio))

    def observe(self, text: str, tokens: int) -> None:
        """Learn from a counted prompt. A count far too small is a cached prefix the server did not count."""
        if len(text) < _SHORTEST or tokens <= _OVERHEAD:
            return
        ratio = len(text) / (tokens - _OVERHEAD)
        if ratio > 2 * _MOST or ratio < _LEAST / 2:
            return
        with self._lock:
            self._seen.append(ratio)
            least = min(self._seen)
            # A denser text than thought counts at once; a thinner one only when several agree. Steps keep the
            # estimate, and with it what fits into a prompt, from wandering with the order of answers.
            if least < self._ratio or len(self._seen) >= _ENOUGH:
                self._ratio = min(_MOST, max(_LEAST, int(least / _STEP) * _STEP))
