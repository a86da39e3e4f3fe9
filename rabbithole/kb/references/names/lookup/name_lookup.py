"""Look up the documents a name may mean: by designation, exact name, typing error, or part of a name.

Digits, part numbers and Roman numerals must be equal at every stage; only words may differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.designations.designation import Designation
from rabbithole.kb.references.names.designations.well_known_series import designation_of
from rabbithole.kb.references.names.edition_choice import Entry, Lookup, by_edition
from rabbithole.kb.references.names.held_documents import HeldDocuments
from rabbithole.kb.references.names.known_works import KnownWorks
from rabbithole.kb.references.names.name_keys import (
    EditionedName,
    NameKey,
    base_form,
    edition_key,
    fold,
    is_number,
    name_key,
    numbers,
    split_edition,
    words,
)
from rabbithole.kb.references.names.stored.name_store import NameStore
from rabbithole.kb.references.names.stored.name_tables import Designated

from .by_designation import by_designation
from .fuzzy import same_but_for_typing
from .key_matching import INTERNATIONAL, adopts, contains, may_be_shortened, names_an_act

_TITLE_HEADS = frozenset({"gesetz", "verordnung", "richtlini", "übereinkomm", "abkomm", "vertrag"})
_CONTINUING = frozenset(
    {"in", "im", "auf", "für", "bei", "beim", "von", "vom", "zur", "zum", "über", "an", "am", "aus", "nach"}
)
"""Words after the name of a law that may belong to it."""


class NameLookup:
    """Looks names up in a store of names, and reports those of known works that are not held by their proper name."""

    def __init__(self, store: NameStore, held: HeldDocuments, known: KnownWorks, threshold: float) -> None:
        """``threshold``: the least similarity (0-1) of a name with typing errors."""
        self._store = store
        self._held = held
        self._known = known
        self._threshold = threshold

    def look_up(self, name: str, edition: str | None, collections: Sequence[str]) -> Lookup:
        """Return the documents with a name; the edition may be given apart; ``collections``: all if empty."""
        designation = designation_of(f"{name} {edition}" if edition else name) or designation_of(name)
        if designation is not None and (rows := self._designated(designation, collections)):
            return by_designation(designation, edition, rows)
        split = _split(name, edition)
        key = name_key(split.base)
        if not key:
            return Lookup((), "no name", fold(name), split.edition)
        proper = self._known.proper_name(key) or base_form(split.base)
        for rule, keys in self._stages(key, exact=designation is not None):
            entries = self._entries(keys, collections)
            if entries:
                return by_edition(
                    entries, rule, self._proper(keys, proper), split.edition, editions=self._one_work(key, split.base)
                )
        rule = "a known work that is not in the collection" if key in self._known else "no document goes by this name"
        if designation is not None:
            proper = designation.full
        return Lookup((), rule, proper, split.edition, self._other_parts(key, collections))

    def _designated(self, asked: Designation, collections: Sequence[str]) -> list[tuple[Designated, Document]]:
        """Return the held documents with the number of a designation, whatever their part and edition."""
        return [
            (row, document)
            for row in self._store.designated(asked.key)
            if (document := self._held.get(row.document)) and (not collections or document.collection in collections)
        ]

    def _one_work(self, key: NameKey, base: str) -> bool:
        """Return whether documents with this name are editions of one work, as with laws and standards."""
        return key in self._known or names_an_act(key) or bool(numbers(key)) or _abbreviates(base)

    def _stages(self, key: NameKey, *, exact: bool) -> Iterator[tuple[str, Sequence[NameKey]]]:
        """Yield (rule, keys to look up), the strictest rule first.

        ``exact``: the name is a designation, so neither typing errors nor parts of longer names are looked for.
        """
        yield "exact name", (key,)
        if key in self._known:
            return
        if lead := self._leading(key):
            yield "exact name, more words following", (lead,)
            return
        if not exact:
            yield "name but for a typing error", self._fuzzy(key)
        if key[0] in INTERNATIONAL:
            adopted = [candidate for candidate in self._store.containing(key) if adopts(candidate, key)]
            yield "national edition of the standard", adopted
        if exact:
            return
        yield "part of the name", self._substring(key)

    def _fuzzy(self, key: NameKey) -> Sequence[NameKey]:
        """Return the most similar keys with the same numbers; none if a known work that is not held is as similar."""
        asked = numbers(key)
        scored = [
            (score, candidate)
            for candidate in self._store.alike(key)
            if (score := same_but_for_typing(words(key), words(candidate), self._threshold))
        ]
        if not scored:
            return ()
        best = max(score for score, _ in scored)
        for candidate in self._known.by_numbers.get(asked, ()):
            if same_but_for_typing(words(key), words(candidate), self._threshold) >= best and not self._store.holds(
                candidate
            ):
                return ()
        return [candidate for score, candidate in scored if score == best]

    def _leading(self, key: NameKey) -> NameKey | None:
        """Return the longest name that a title begins with, if the words after it cannot belong to the title.

        Detection may add words of the sentence, as in "Gesetz über die Umweltverträglichkeitsprüfung genanntes
        Schutzgut". "... in Brandenburg" may be another law, so there is no result then.
        """
        if len(key) < 4 or key[0] not in _TITLE_HEADS:
            return None
        for length in range(len(key) - 1, 2, -1):
            lead = key[:length]
            if self._store.holds(lead) or lead in self._known:
                return None if key[length] in _CONTINUING or is_number(key[length]) else lead
        return None

    def _substring(self, key: NameKey) -> Sequence[NameKey]:
        """Return the longer names that contain the name word by word and have the same numbers."""
        if not may_be_shortened(key):
            return ()
        return [
            candidate
            for candidate in self._store.containing(key)
            if numbers(candidate) == numbers(key) and len(candidate) > len(key) and contains(candidate, key)
        ]

    def _entries(self, keys: Sequence[NameKey], collections: Sequence[str]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for key in keys:
            for named in self._store.named(key):
                document = self._held.get(named.document)
                if document is None or named.document in found or not self._store.counts(named):
                    continue
                if not collections or document.collection in collections:
                    found[document.id] = Entry(document, named.name, named.edition, named.part)
        return tuple(found.values())

    def _proper(self, keys: Sequence[NameKey], otherwise: str) -> str:
        return next((proper for key in keys if (proper := self._known.proper_name(key))), otherwise)

    def _other_parts(self, key: NameKey, collections: Sequence[str]) -> str:
        """Return a note that lists the held parts of the same series, or ''."""
        if not numbers(key):
            return ""
        held = self._entries(self._store.beginning(key), collections)
        return "held of this series: " + ", ".join(sorted({entry.name for entry in held})) if held else ""


def _split(name: str, edition: str | None) -> EditionedName:
    split = split_edition(name)
    return EditionedName(split.base, edition_key(edition) if edition else split.edition)


def _abbreviates(name: str) -> bool:
    """Return whether a name is an abbreviation, one word with a capital inside: 'StrlSchV', 'UVPG'."""
    return " " not in name and any(letter.isupper() for letter in name[1:])
