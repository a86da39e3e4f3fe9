"""Compare the keys of names word by word: whether one contains or adopts another, and what a key is about."""

from __future__ import annotations

from rabbithole.kb.references.names.name_keys import NameKey, words

_GENERIC = frozenset(
    "gesetz verordnung ordnung richtlini satzung vertrag anlag anhang norm teil band bericht dokument unterlag "
    "act code "
    "regulation report standard guid document manual annex part volume".split()
)
_DISTINCTIVE_LETTERS = 6
"""Least number of letters in the specific words of a name that is looked for as part of longer names."""
_CONTAINED_SHARE = 0.4
"""Least share of the letters of a longer name that the name it contains must have."""
INTERNATIONAL = frozenset({"en", "iso", "iec"})
_NATIONAL = frozenset({"din", "en", "bs", "nf", "önorm", "sn", "vde"})


def is_specific(key: NameKey) -> bool:
    """Return whether a name is specific; 'Verordnung' or 'Report' alone is not."""
    return any(token not in _GENERIC for token in key)


def names_an_act(key: NameKey) -> bool:
    """Return whether a name is a law's: 'Kostenverordnung' does not mean the 'Kostenverordnung zum Atomgesetz'."""
    return key[-1].endswith(("gesetz", "ordnung", "buch", "richtlini", "satzung")) or key[-1] in {"act", "regulation"}


def may_be_shortened(key: NameKey) -> bool:
    """Return whether a name is looked for as part of longer names: it has specific words and names no law."""
    specific = [word for word in words(key) if word not in _GENERIC]
    return sum(map(len, specific)) >= _DISTINCTIVE_LETTERS and not names_an_act(key)


def adopts(candidate: NameKey, key: NameKey) -> bool:
    """Return whether a standard is the national edition of the one asked for: 'DIN EN ISO 7503-1' of 'ISO 7503-1'."""
    lead = candidate[: len(candidate) - len(key)]
    return key[0] in INTERNATIONAL and candidate[len(lead) :] == key and bool(lead) and set(lead) <= _NATIONAL


def contains(longer: NameKey, shorter: NameKey) -> bool:
    """Return whether a name contains another, word by word.

    A single word must be the first of the longer name, and the shorter name must have 40 % of its characters.
    """
    if sum(map(len, shorter)) < _CONTAINED_SHARE * sum(map(len, longer)):
        return False
    width = len(shorter)
    last = 1 if width == 1 else len(longer) - width + 1
    return any(longer[start : start + width] == shorter for start in range(last))
