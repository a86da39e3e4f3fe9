"""Decides which text may be quoted: text that addresses a model, or is markup for one, is never quoted."""

from __future__ import annotations

from rabbithole.steps.reasoning.text.prompt_injection import addresses_model, has_markup

BEFORE = 250
"""Characters before a passage that are checked too: text that follows instructions to a model often continues them."""
_LINES = 2


def informs(text: str, before: str = "") -> bool:
    """Return whether a passage may be quoted: neither it nor the two lines above instruct a model or contain markup."""
    above = "\n".join(before.strip().splitlines()[-_LINES:])
    return not any(addresses_model(words) or has_markup(words) for words in (text, above))
