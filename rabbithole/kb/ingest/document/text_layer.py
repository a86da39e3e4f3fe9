"""Tells a text layer that nobody can read, as a font without a character map leaves behind."""

from __future__ import annotations

from itertools import pairwise

from rabbithole.kb.ingest.metadata.title import is_garbled

SAMPLE = 4000
"""Characters at the beginning of a document that tell."""
_INSIDE = 0.02
"""Share of letters that are capitals inside words, above which strange letters are no foreign language."""


def is_unreadable(text: str) -> bool:
    """Return whether a document's text is garbled: strange letters, and capitals inside words.

    Vietnamese and Russian have the first but not the second.
    """
    sample = text[:SAMPLE]
    inside = sum(first.islower() and second.isupper() for first, second in pairwise(sample))
    return is_garbled(sample) and inside > _INSIDE * sum(map(str.isalpha, sample))
