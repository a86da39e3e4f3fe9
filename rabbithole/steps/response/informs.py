"""Decides which text may be quoted: text that addresses a model, or is markup for one, is never quoted, nor debris.

Navigation and footers are quoted only if there is nothing else.
"""

from __future__ import annotations

from rabbithole.steps.reasoning.text.prompt_injection import addresses_model, has_markup
from rabbithole.steps.selection.units.debris import is_debris

BEFORE = 250
"""Characters before a passage that are checked too: text that follows instructions to a model often continues them."""
_LINES = 2
_SHORT, _AGAIN = 40, 4
"""Text of up to so many words that a document repeats so often is navigation or a footer."""


def informs(text: str, before: str = "") -> bool:
    """Return whether a passage may be quoted: neither it nor the two lines above instruct a model or contain markup.

    Lines of a table of contents and mastheads inform of nothing.
    """
    if is_debris(text):
        return False
    above = "\n".join(before.strip().splitlines()[-_LINES:])
    return not any(addresses_model(words) or has_markup(words) for words in (text, above))


def is_repeated(text: str, document: str) -> bool:
    """Return whether a short text stands again and again in the text of its document."""
    return len(text.split()) <= _SHORT and document.count(text.strip()) >= _AGAIN
