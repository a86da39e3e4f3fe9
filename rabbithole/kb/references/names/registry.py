"""Look up the documents a name may mean: by designation, exact name, typing error, or part of a name.

Digits, part numbers and Roman numerals must be equal at every stage; only words may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from rabbithole.kb.models import Document, Model

from .acronym_usage import counts_as_a_name
from .completion import is_designation
from .designation import Designation, designation_of, is_issue_of_gazette
from .editions import Entry, Lookup, by_edition
from .entering import entered
from .fuzzy import same_but_for_typing
from .known_works import KnownWorks, known_works
from .name_keys import (
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
from .registry_file import RegistryFile
from .stored.name_store import NameStore
from .stored.name_tables import Named

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

FUZZY_THRESHOLD = 0.7
_REMEMBERED = 50_000
"""Maximum number of look-ups kept in memory, as texts cite the same names again and again."""
_SUBSTRING_LETTERS = 6
_SUBSTRING_SHARE = 0.4
_GENERIC = frozenset(
    "gesetz verordnung ordnung richtlini satzung vertrag anlag anhang norm teil band bericht dokument unterlag "
    "act code "
    "regulation report standard guid document manual annex part volume".split()
)
_INTERNATIONAL = frozenset({"en", "iso", "iec"})
_NATIONAL = frozenset({"din", "en", "bs", "nf", "önorm", "sn", "vde"})
_TITLE_HEADS = frozenset({"gesetz", "verordnung", "richtlini", "übereinkomm", "abkomm", "vertrag"})
_CONTINUING = frozenset(
    {"in", "im", "auf", "für", "bei", "beim", "von", "vom", "zur", "zum", "über", "an", "am", "aus", "nach"}
)


class NameRow(Model):
    """A name and whether it counts. ``cited``: how often an acronym is used as a document's name; ``seen``: all."""

    name: str
    file: str
    collection: str
    counts: bool
    cited: int = 0
    seen: int = 0
    example: str = ""


class Held:
    """The documents of a knowledge base by id, read one at a time and cached."""

    def __init__(self, get: Callable[[str], Document | None]) -> None:
        self._get = lru_cache(maxsize=4096)(get)

    def get(self, identifier: str) -> Document | None:
        return self._get(identifier)

    def __getitem__(self, identifier: str) -> Document:
        found = self._get(identifier)
        if found is None:
            raise KeyError(identifier)
        return found

    def __contains__(self, identifier: object) -> bool:
        return isinstance(identifier, str) and self._get(identifier) is not None


def _remember(memory: dict[Asked, Answer], asked: Asked, answer: Answer) -> None:
    """Cache an answer. The names of a registry do not change, so it stays valid."""
    if len(memory) >= _REMEMBERED:
        memory.clear()
    memory[asked] = answer


class Registry:
    """All names of a set of documents, and the names of known works.

    ``known`` are works that exist, such as a country's laws. Their names are never read as typing errors of other
    names; a work that is not held is reported missing by its proper name. A document with the name of a known work also
    has the work's other names.
    """

    def __init__(
        self,
        documents: Sequence[Document] = (),
        file: RegistryFile | None = None,
        *,
        known: KnownWorks | None = None,
        threshold: float = FUZZY_THRESHOLD,
        store: NameStore | None = None,
        held: Held | None = None,
        text: Callable[[str], str] = lambda identifier: "",
    ) -> None:
        """Use the ``store`` and ``held`` documents of a knowledge base, or keep the names of ``documents`` in memory.

        ``threshold``: the least similarity (0-1) of a name with typing errors; ``text`` returns a document's text by
        its id, for its acronyms and the documents it replaces.
        """
        self._threshold = threshold
        self._known = known if known is not None else known_works()
        self._store = store or NameStore()
        self._answered: dict[tuple[str, str | None, tuple[str, ...]], Lookup] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._named: dict[str, str] = {}
        if held is None:
            by_id = {document.id: document for document in documents}
            held = Held(by_id.get)
            rows = file or RegistryFile()
            self._store.change(
                entered(document, ordinal, rows.row(document.collection, document.file), self._known, text(document.id))
                for ordinal, document in enumerate(documents, 1)
            )
        self._held = held

    @classmethod
    def load(
        cls,
        path: Path,
        documents: Sequence[Document] = (),
        *,
        known: KnownWorks | None = None,
        threshold: float = FUZZY_THRESHOLD,
    ) -> Registry:
        return cls(documents, RegistryFile.load(path), known=known, threshold=threshold)

    @property
    def documents(self) -> Held:
        return self._held

    @property
    def store(self) -> NameStore:
        return self._store

    def names_in(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield (name as registered, proper name of its document) of the names that may occur in a text."""
        named, generic = self._store.standing_in(text)
        given: set[str] = set()
        for each in named:
            if each.name in given or not self._counts(each) or each.document not in self._held:
                continue  # the first of several documents with this name was given already
            given.add(each.name)
            if not (each.name.isalpha() and each.name.islower()):
                # a name such as 'spark', from 'spark.pdf', is an ordinary word in a sentence
                yield each.name, self.proper_name(self._held[each.document])
        yield from ((name, name) for name in generic)

    def names_of(self, document: str) -> tuple[str, ...]:
        if document not in self._listed:
            found = tuple(each.name for each in self._store.names_of(document) if self._counts(each))
            _remember(self._listed, document, found)
        return self._listed[document]

    def decisions(self, document: Document) -> Iterator[NameRow]:
        """Yield all names of a document, also those that do not count, with the uses that decided."""
        for named in self._store.names_of(document.id):
            cited, seen, example = (0, 0, "") if named.counts else self._store.usage(named.name)
            yield NameRow(
                name=named.name,
                file=document.file,
                collection=document.collection,
                counts=self._counts(named),
                cited=cited,
                seen=seen,
                example=example,
            )

    def proper_name(self, document: Document) -> str:
        """Return how people name a document: a known work's abbreviation, a standard's number, or its first name.

        A document without a name is called by its file. The issue of the gazette in which it appeared is its name only
        if it has no other.
        """
        if document.id not in self._named:
            _remember(self._named, document.id, self._proper_name(document))
        return self._named[document.id]

    def _proper_name(self, document: Document) -> str:
        listed = self.names_of(document.id)
        names = [name for name in listed if not is_issue_of_gazette(name)] or listed
        for name in names:
            if known := self._known.names(name_key(split_edition(name).base)):
                return known[0]
        designated = next((found.name for name in names if (found := designation_of(name))), "")
        titled = document.title if len(names) < len(listed) else ""
        named = designated or next(filter(is_designation, names), "") or titled or next(iter(names), "")
        if named and named != document.title and len(self.lookup(named, collections=[document.collection]).entries) > 1:
            named = document.title  # such as a programme's number, which several of its rules have
        return named or document.file

    def lookup(self, name: str, *, edition: str | None = None, collections: Sequence[str] = ()) -> Lookup:
        """Return the documents with the name ``name``.

        ``edition``: the edition asked for, if it is not part of the name; ``collections``: where to look, all if empty.
        """
        asked = (name, edition, tuple(collections))
        if asked not in self._answered:
            _remember(self._answered, asked, self._look_up(name, edition, collections))
        return self._answered[asked]

    def _look_up(self, name: str, edition: str | None, collections: Sequence[str]) -> Lookup:
        designation = designation_of(f"{name} {edition}" if edition else name) or designation_of(name)
        if designation is not None and (found := self._designated(designation, edition, collections)):
            return found
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

    def known_name(self, name: str) -> str | None:
        """Return the proper name of a known work, held or not; None if no known work has this name."""
        return self._known.proper_name(name_key(split_edition(name).base))

    def _one_work(self, key: NameKey, base: str) -> bool:
        """Return whether documents with this name are editions of one work, as with laws and standards."""
        return key in self._known or _names_an_act(key) or bool(numbers(key)) or _abbreviates(base)

    def _counts(self, named: Named) -> bool:
        return named.counts or counts_as_a_name(*self._store.usage(named.name)[:2])

    def _designated(self, asked: Designation, edition: str | None, collections: Sequence[str]) -> Lookup | None:
        """Return the documents of a designation, by its part and edition; None if no document has its number."""
        rows = [
            (row, document)
            for row in self._store.designated(asked.key)
            if (document := self._held.get(row.document)) and (not collections or document.collection in collections)
        ]
        if not rows:
            return None
        if asked.part:
            rows_of_part = [(row, document) for row, document in rows if row.part == asked.part]
            if not rows_of_part:
                held = ", ".join(sorted({row.name for row, _ in rows}))
                return Lookup(
                    (),
                    "another part of the series is held",
                    asked.full,
                    asked.edition or None,
                    f"held of this series: {held}",
                )
            rows = rows_of_part
        elif whole := [(row, document) for row, document in rows if not row.part]:
            rows = whole
        elif all(row.name.endswith((f"-{row.part}", f".{row.part}")) for row, _ in rows):
            held = ", ".join(sorted({row.name for row, _ in rows}))
            return Lookup((), "only parts of this number are held", asked.full, None, f"held of this series: {held}")
        parts = sorted({row.part for row, _ in rows})
        wanted = asked.edition or (edition_key(edition) if edition else None)
        found = [
            by_edition(
                tuple(Entry(document, row.name, row.edition or None) for row, document in rows if row.part == part),
                "exact name, by designation",
                asked.name,
                wanted,
                editions=True,
            )
            for part in parts
        ]
        if len(found) == 1:
            single = found[0]
            if not asked.part and parts[0]:
                note = "; ".join(each for each in (single.note, f"of this number part {parts[0]} is held") if each)
                return single._replace(note=note)
            return single
        entries = tuple(entry for each in found for entry in each.entries)
        return Lookup(entries, "several parts of this number are held", asked.name, wanted)

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
        if key[0] in _INTERNATIONAL:
            adopted = [candidate for candidate in self._store.containing(key) if _adopts(candidate, key)]
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
        distinctive = [word for word in words(key) if word not in _GENERIC]
        if sum(map(len, distinctive)) < _SUBSTRING_LETTERS or _names_an_act(key):
            return ()
        return [
            candidate
            for candidate in self._store.containing(key)
            if numbers(candidate) == numbers(key) and len(candidate) > len(key) and _contains(candidate, key)
        ]

    def _entries(self, keys: Sequence[NameKey], collections: Sequence[str]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for key in keys:
            for named in self._store.named(key):
                document = self._held.get(named.document)
                if document is None or named.document in found or not self._counts(named):
                    continue
                if not collections or document.collection in collections:
                    found[document.id] = Entry(document, named.name, named.edition)
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


def _names_an_act(key: NameKey) -> bool:
    """Return whether a name is a law's: 'Kostenverordnung' does not mean the 'Kostenverordnung zum Atomgesetz'."""
    return key[-1].endswith(("gesetz", "ordnung", "buch", "richtlini", "satzung")) or key[-1] in {"act", "regulation"}


def tells(key: NameKey) -> bool:
    """Return whether a name is specific; 'Verordnung' or 'Report' alone is not."""
    return any(token not in _GENERIC for token in key)


def _abbreviates(name: str) -> bool:
    """Return whether a name is an abbreviation, one word with a capital inside: 'StrlSchV', 'UVPG'."""
    return " " not in name and any(letter.isupper() for letter in name[1:])


def _adopts(candidate: NameKey, key: NameKey) -> bool:
    """Return whether a standard is the national edition of the one asked for: 'DIN EN ISO 7503-1' of 'ISO 7503-1'."""
    lead = candidate[: len(candidate) - len(key)]
    return key[0] in _INTERNATIONAL and candidate[len(lead) :] == key and bool(lead) and set(lead) <= _NATIONAL


def _contains(longer: NameKey, shorter: NameKey) -> bool:
    """Return whether a name contains another, word by word.

    A single word must be the first of the longer name, and the shorter name must have 40 % of its characters.
    """
    if sum(map(len, shorter)) < _SUBSTRING_SHARE * sum(map(len, longer)):
        return False
    width = len(shorter)
    last = 1 if width == 1 else len(longer) - width + 1
    return any(longer[start : start + width] == shorter for start in range(last))
