"""The sentence above passages: how many of the answers rated like this hold what was asked. Pure."""

from __future__ import annotations

from typing import Literal

from .models import Block, Response

Certainty = Literal["likely", "closest", "none", "unlikely"]
_LEVELS: tuple[tuple[float, Certainty], ...] = ((0.6, "likely"), (0.25, "closest"), (0.1, "none"))
"""Lowest probability for each sentence, most likely first; docs/benchmark-selection.md says how often each is right."""


def sentence_above(block: Block) -> str:
    """Return the key of the sentence above a block's passages, or '' if they are the text of the place asked for."""
    if block.finding == "answered" and all(one.why == "named" for one in block.passages):
        return ""
    return caveat(block) or "response.answered"


def caveat(block: Block) -> str:
    """Return the key of the sentence above a block's passages, or '' if they are an answer."""
    if block.finding == "answered":
        return ""
    if block.lacks is not None:
        return f"response.lacks.{block.lacks}"
    return f"response.{certainty(block.probability)}"


def reserved(response: Response) -> int:
    """Return how many parts of the question are answered with reservation: at least every second time rightly."""
    blocks = (block for block in response.blocks if caveat(block) in ("response.likely", "response.closest"))
    return sum(len(block.parts) for block in blocks)


def certainty(probability: float) -> Certainty:
    """Return how likely passages answer that are no certain answer, in four steps."""
    return next((level for least, level in _LEVELS if probability >= least), "unlikely")
