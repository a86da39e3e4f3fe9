"""Notices that a figure is asked for and no passage quoted states one, so that they hardly answer. Pure."""

from __future__ import annotations

from rabbithole.steps.response.models import Block
from rabbithole.steps.selection import question_part
from rabbithole.steps.selection.expected import figure_needed, states_figure

WITHOUT_FIGURE = 0.05
"""Highest probability of an answer if no passage quoted states the figure asked for."""


def without_figure(block: Block, language: str) -> Block:
    """Return the block, and say so if its passages state no figure of the kind that its part asks for.

    "When" is also answered by a condition, so it is left out, and so are passages that answer several parts.
    """
    if block.finding == "answered" or len(block.parts) > 1 or not block.passages:
        return block
    figure = figure_needed(question_part(block.part, language))
    quoted = [f"{one.head}\n{one.text}" for one in (*block.passages, *block.others)]
    if figure is None or any(states_figure(figure, text, block.part) for text in quoted):
        return block
    lacking = {"lacks": figure, "finding": "none", "probability": min(block.probability, WITHOUT_FIGURE)}
    return block.model_copy(update=lacking)
