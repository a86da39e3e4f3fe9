"""The names that a document is about, because it uses them again and again: "GFS" in "The Google File System"."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_SPECIAL = re.compile(r"(?<![\w-])(?:[A-Z]{2,}[A-Za-z0-9]*|[A-Z][a-z]+[A-Z]\w*)(?!\w)")
"""A word that its spelling shows to be a name: "GFS", "IPv6", "OpenFlow"."""
_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}(?!\w)")
"""A capital inside a sentence, which shows a name in English: "Raft"."""
_MOST = 5
_LEAST = 12
"""Least number of times that a document uses such a name."""
_ORDINARY = 0.1
"""A word that is also written in small letters at least this often, as a share, is no name."""
READ = 60_000
"""Characters at the beginning of a document whose names are counted."""


@lru_cache(maxsize=64)
def document_subjects(text: str, language: str) -> tuple[str, ...]:
    """Return the names that a document uses most, at most five, most frequent first."""
    counts = Counter(_SPECIAL.findall(text))
    if language == "en":
        counts += Counter(_CAPITAL.findall(text))
    found: list[str] = []
    for name, count in counts.most_common(4 * _MOST):
        if count < _LEAST or len(found) == _MOST:
            break
        small = len(re.findall(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text))
        if small < _ORDINARY * count:
            found.append(name)
    return tuple(found)
