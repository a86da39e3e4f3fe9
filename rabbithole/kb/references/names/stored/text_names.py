"""Find the stored names that occur in a text, word by word, without loading the other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from rabbithole.kb.references.names.name_index import inflect

_WORD = re.compile(r"[^\W_]+")

Begun = Callable[[Collection[str]], set[str]]
"""A function that returns which of some beginnings a stored form starts with."""


def form_keys(name: str) -> set[str]:
    """Return the keys of all forms a name takes in a sentence: the words of the form, each followed by a blank."""
    return {_joined(_WORD.findall(form)) for form in inflect(name)}


def keys_in(text: str, begun: Begun) -> set[str]:
    """Return the keys of all forms that occur in a text, and of some sequences that only begin like a form.

    A name ends where a word ends, so its words are consecutive words of the text. From each word of the text, the
    sequence is extended as long as ``begun`` says that a stored form starts with it.
    """
    words = _WORD.findall(text)
    found = begun({f"{word} " for word in set(words)})
    places = [(index + 1, f"{word} ") for index, word in enumerate(words) if f"{word} " in found]
    occurring = found | {""}
    while places:
        longer = [(index + 1, f"{key}{words[index]} ") for index, key in places if index < len(words)]
        found = begun({key for _, key in longer})
        occurring |= found
        places = [(index, key) for index, key in longer if key in found]
    return occurring


def _joined(words: list[str]) -> str:
    return "".join(f"{word} " for word in words)
