"""Finds the entry of a document's bibliography that a call-out or a link means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.models import BibliographyEntry, Reference
from rabbithole.kb.references.names.name_keys import fold

_SHOWN = 30
"""Letters at an entry's beginning by which it is recognised in the text."""
_LABEL = 12
"""Letters that the entry's label may take up there."""
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)([a-z])?\b")
_NAME = re.compile(r"[^\W\d_][\w'’-]+")
_NO_NAMES = frozenset({"et", "al", "und", "and", "u", "a", "see", "siehe", "vgl", "cf", "eds", "ed", "hrsg", "e", "g"})
"""Words between and before the names in a citation."""


def label_key(label: str) -> str:
    """Return the key of a label: '[RFC-2104]', 'RFC2104' -> 'rfc2104'; hyphens and brackets do not matter."""
    return re.sub(r"[^0-9a-zäöüß+]", "", fold(label).casefold())


class Bibliography:
    """The entries of one document's bibliography by label, and by authors and year."""

    def __init__(self, entries: Sequence[BibliographyEntry]) -> None:
        self.entries = tuple(entries)
        self._shown = [(entry, _letters(entry.text)[:_SHOWN]) for entry in self.entries]
        self._by_label: dict[str, list[BibliographyEntry]] = {}
        for entry in self.entries:
            if entry.label:
                self._by_label.setdefault(label_key(entry.label), []).append(entry)

    def labelled(self, label: str) -> BibliographyEntry | None:
        """Return the entry with this label, or None if there is none or several differ."""
        found = self._by_label.get(label_key(label), [])
        exact = [entry for entry in found if fold(entry.label) == fold(label).strip("[]")]
        chosen = exact or found
        return chosen[0] if len({entry.text for entry in chosen}) == 1 else None

    def author_year(self, cited: str) -> BibliographyEntry | None:
        """Return the entry of a citation such as '(Müller et al., 2019a)' if it is the only one that fits."""
        years = _YEAR.findall(cited)
        names = capitalised_names(_YEAR.sub(" ", cited))
        if not years or not names:
            return None
        year, letter = years[-1]
        found = [entry for entry in self.entries if entry.year[:4] == year and _has_author(entry, names[0])]
        for refine in (
            lambda entry: entry.year[4:] == letter,
            lambda entry: all(_has_author(entry, name) for name in names),
            lambda entry: _first_author(entry, names[0]),
        ):
            narrowed = [entry for entry in found if refine(entry)]
            found = narrowed or found
            if len(found) == 1:
                break
        return found[0] if len(found) == 1 else None

    def entry_beginning(self, text: str) -> BibliographyEntry | None:
        """Return the entry that ``text`` begins with, label apart; used for links into the bibliography."""
        letters = _letters(text)[: _SHOWN + _LABEL]
        found = [each for each, shown in self._shown if shown and shown in letters]
        return found[0] if len(found) == 1 else None

    def find(self, reference: Reference) -> BibliographyEntry | None:
        label = cited_label(reference)
        if reference.kind == "academic_shortform":
            return self.labelled(label) or self.author_year(reference.target) or self.author_year(reference.text)
        return self.labelled(label)


def _letters(text: str) -> str:
    return "".join(char for char in fold(text[:200]).casefold() if char.isalnum())


def cited_label(reference: Reference) -> str:
    """Return the label of a call-out: its 'ref' element, else its target without brackets."""
    values = [value for unit, value in reference.path if unit == "ref"]
    return values[0] if values else reference.target.strip("[]() ")


def capitalised_names(text: str) -> list[str]:
    """Return the words of a citation or of a list of authors that can be surnames."""
    return [name for name in _NAME.findall(text) if name.casefold() not in _NO_NAMES and name[0].isupper()]


def _has_author(entry: BibliographyEntry, name: str) -> bool:
    sought = fold(name).casefold()
    people = entry.authors or (entry.text[:200],)
    return any(sought in {word.casefold() for word in _NAME.findall(fold(person))} for person in people)


def _first_author(entry: BibliographyEntry, name: str) -> bool:
    first = entry.authors[0] if entry.authors else entry.text[:60]
    return fold(name).casefold() in fold(first).casefold()
