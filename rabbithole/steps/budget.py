"""What a text costs: an estimate of tokens that needs no model."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 3.5  # German legal text runs at 3.2-3.8 characters a token with the usual vocabularies


def tokens(text: str) -> int:
    """Estimated tokens of ``text``; a text that is not empty costs at least one."""
    return tokens_of_span(0, len(text))


def tokens_of_span(start: int, end: int) -> int:
    """Estimated tokens of ``end - start`` characters."""
    length = end - start
    return max(1, round(length / CHARACTERS_PER_TOKEN)) if length > 0 else 0
