"""Which of all stored names stand in a text: asked for word by word from each beginning, none is loaded unasked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from rabbithole.kb.references.names.name_index import inflect

_WORD = re.compile(r"[^\W_]+")

Begun = Callable[[Collection[str]], set[str]]
"""Those of some beginnings with which a stored form begins."""


def form_keys(name: str) -> set[str]:
    """The words of each form that a name takes in a sentence, a blank behind each."""
    return {_joined(_WORD.findall(form)) for form in inflect(name)}


def keys_in(text: str, begun: Begun) -> set[str]:
    """The keys of all forms that stand in a text, and of some that only begin like them.

    A name in a text ends at the end of a word, so its words are words of the text, one behind the other: of each run
    of words only as much is read as some name begins with.
    """
    words = _WORD.findall(text)
    found = begun({f"{word} " for word in set(words)})
    places = [(index + 1, f"{word} ") for index, word in enumerate(words) if f"{word} " in found]
    standing = found | {""}
    while places:
        longer = [(index + 1, f"{key}{words[index]} ") for index, key in places if index < len(words)]
        found = begun({key for _, key in longer})
        standing |= found
        places = [(index, key) for index, key in longer if key in found]
    return standing


def _joined(words: list[str]) -> str:
    return "".join(f"{word} " for word in words)
