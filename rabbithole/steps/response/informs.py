"""Which words of a document inform: text that speaks to machines, or is markup for them, is never quoted."""

from __future__ import annotations

from rabbithole.steps.reasoning.llm.prompt_delimiters import addresses_model, has_markup

BEFORE = 250
"""Characters before a passage that are looked at: what begins by giving orders goes on with them."""
_LINES = 2


def informs(text: str, before: str = "") -> bool:
    """Whether a passage may be quoted: it gives no orders to a model and carries no markup, nor do the lines above."""
    above = "\n".join(before.strip().splitlines()[-_LINES:])
    return not any(addresses_model(words) or has_markup(words) for words in (text, above))
