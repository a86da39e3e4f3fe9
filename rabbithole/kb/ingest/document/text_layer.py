"""Recognises an unreadable text layer, such as a font without a character map leaves behind."""

from __future__ import annotations

from itertools import pairwise

from rabbithole.kb.ingest.metadata.title_text import is_garbled

SAMPLE = 4000
"""Number of characters at the beginning of a document that are examined."""
_INSIDE = 0.02
"""Share of letters that are capitals inside words, above which strange letters do not come from a foreign language."""


def is_unreadable(text: str) -> bool:
    """Return whether a document's text is garbled: strange letters, and capitals inside words.

    Vietnamese and Russian have the first but not the second.
    """
    sample = text[:SAMPLE]
    inside = sum(first.islower() and second.isupper() for first, second in pairwise(sample))
    return is_garbled(sample) and inside > _INSIDE * sum(map(str.isalpha, sample))
