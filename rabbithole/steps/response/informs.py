"""Which words of a document inform: text that speaks to machines, or is markup for them, is never quoted."""

from __future__ import annotations

from rabbithole.steps.reasoning.llm.prompt_delimiters import addresses_model, has_markup


def informs(text: str) -> bool:
    """Whether a passage may be quoted: no line of it gives orders to a model or carries markup."""
    return not addresses_model(text) and not has_markup(text)
