"""Tells titles that are one ordinary word ('Beispiel', 'The Guide'), which a text uses without meaning the document."""

from __future__ import annotations

import re

from .lookup.key_matching import is_specific
from .name_keys import name_key

_WORD = re.compile(r"(?:(?:The|An?|Der|Die|Das|Eine?)\s)?(?P<word>[^\W\d_][a-zäöüß]+|[A-ZÄÖÜ]{6,})")
_COMPOUND = re.compile(
    r"[A-ZÄÖÜ]\w{2,}(?:ordnung|satzung|richtlinie|gesetz|gesetzbuch|vertrag|vereinbarung|bestimmungen|statut|"
    r"reglement|konzept|handbuch|leitbild)(?:en|s)?"
)
"""'Hausordnung' is a word of its own kind: the sentence means the one that the house has."""
QUOTES = (("„", "“"), ("„", "”"), ("“", "”"), ('"', '"'), ("»", "«"), ("«", "»"), ("‚", "‘"), ("‘", "’"), ("'", "'"))


def is_ordinary_word(name: str) -> bool:
    """Return whether a name is one word without digits or inner capitals, with or without an article.

    A proper name is one too: running text with 'Kubernetes' means the program, and not its manual of that title.
    """
    found = _WORD.fullmatch(name)
    return found is not None and not (_COMPOUND.fullmatch(found["word"]) and is_specific(name_key(found["word"])))


def quoted(name: str, text: str) -> list[str]:
    """Return the forms in quotation marks in which a text has a name: there it is a title."""
    return [form for opening, closing in QUOTES if (form := f"{opening}{name}{closing}") in text]
