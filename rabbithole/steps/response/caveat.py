"""The sentence above passages that are no certain answer: how often passages rated like the first one answer. Pure."""

from __future__ import annotations

from .models import Block

_LEVELS = ((0.45, "response.likely"), (0.25, "response.closest"), (0.1, "response.none"))
"""Lowest probability for each sentence, most likely first; how often each is right is in docs/answer.md."""


def caveat(block: Block) -> str:
    """Return the key of the sentence above a block's passages, or '' if they are an answer."""
    if block.finding == "answered":
        return ""
    return next((key for least, key in _LEVELS if block.probability >= least), "response.unlikely")
