"""Words that differ from a word by one edit, as typing errors do (Damerau, 1964)."""

from __future__ import annotations

from typing import Final

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzäöüß"


def near_words(word: str) -> list[str]:
    """Return the words that differ from a word in lower case by one edit and begin with the same letter.

    An edit is a letter more, less or another one, or two neighbouring letters swapped. People seldom mistype the first
    letter, and words that differ in it are mostly words of their own.

    >>> {"frist", "first", "fristen"} & set(near_words("frits"))
    {'frist'}
    """
    found: dict[str, None] = {}
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        found |= dict.fromkeys(before + letter + after for letter in _LETTERS)
        if after:
            found[before + after[1:]] = None
            found |= dict.fromkeys(before + letter + after[1:] for letter in _LETTERS)
        if len(after) > 1:
            found[before + after[1] + after[0] + after[2:]] = None
    found.pop(word, None)
    return list(found)
