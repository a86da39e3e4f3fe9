"""Estimate the tokens of a prompt from its characters, corrected by the counts of the server."""

from __future__ import annotations

import threading
from collections import deque

_START = 2.8  # characters per token; German legal prose has 3.0 to 3.6 with current tokenizers
_LEAST, _MOST = 1.2, 4.0
_STEP = 0.2
_WINDOW = 16
_ENOUGH = 3
_SHORTEST = 400  # characters; in shorter prompts the chat template's own tokens distort the ratio
_OVERHEAD = 24  # tokens of the chat template around a prompt


class TokenCounter:
    """Estimates for one model. It rather overestimates: a prompt cut off by the server is worse than unused space."""

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=_WINDOW)
        self._ratio = _START
        self._lock = threading.Lock()

    @property
    def characters_per_token(self) -> float:
        return self._ratio

    def count(self, text: str) -> int:
        """Return the estimated tokens of a text."""
        return int(len(text) / self._ratio) + 1

    def count_prompt(self, text: str) -> int:
        """Return the estimated tokens of a prompt including the chat template."""
        return self.count(text) + _OVERHEAD

    def characters(self, tokens: int) -> int:
        """Return how many characters fit into so many tokens."""
        return max(0, int(tokens * self._ratio))

    def observe(self, text: str, tokens: int) -> None:
        """Learn from a prompt and the server's count; a count far too small (the prefix was cached) is ignored."""
        if len(text) < _SHORTEST or tokens <= _OVERHEAD:
            return
        ratio = len(text) / (tokens - _OVERHEAD)
        if ratio > 2 * _MOST or ratio < _LEAST / 2:
            return
        with self._lock:
            self._seen.append(ratio)
            least = min(self._seen)
            # A lower ratio is adopted at once, a higher one only when several prompts agree. Steps keep the estimate,
            # and so the content of prompts, from drifting with the order of answers.
            if least < self._ratio or len(self._seen) >= _ENOUGH:
                self._ratio = min(_MOST, max(_LEAST, int(least / _STEP) * _STEP))
