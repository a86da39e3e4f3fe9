"""Finds the name of a manual page in its running head: 'ls(1)   User Commands   ls(1)'."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_ENTRY = re.compile(r"[\w.:+@/-]{1,60}\(\d\w{0,3}\)")


def entry_of(edges: Sequence[str]) -> str:
    """Return the name that stands at the left and at the right of a page's running head, or ''."""
    names = Counter(name for text in edges for name in _cells(text))
    return next((name for name, times in names.items() if times > 1), "")


def _cells(text: str) -> list[str]:
    """Return the names at the beginning and the end of a running line, or the line itself."""
    words = text.split()
    ends = [words[0], words[-1]] if len(words) > 1 else words
    return [word for word in ends if _ENTRY.fullmatch(word)]
