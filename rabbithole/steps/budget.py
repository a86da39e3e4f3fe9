"""Estimate the tokens of a text without a model."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 3.5  # German legal text has 3.2-3.8 characters per token with the usual vocabularies


def tokens(text: str) -> int:
    """Return the estimated tokens of ``text``; at least one if it is not empty."""
    return tokens_of_span(0, len(text))


def tokens_of_span(start: int, end: int) -> int:
    """Return the estimated tokens of ``end - start`` characters."""
    length = end - start
    return max(1, round(length / CHARACTERS_PER_TOKEN)) if length > 0 else 0
