"""From a name to the documents it may mean: exact, then a typing error, then part of a name; never a guess.

Digits, part numbers and Roman numerals must be equal at every stage; only letters may differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rabbithole.kb.models import Document

from .completion import is_designation, names_of_document
from .editions import Entry, Lookup, by_edition, edition_of
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

FUZZY_THRESHOLD = 0.7
_REMEMBERED = 50_000
"""Look-ups kept: texts ask for the same names again and again."""
_SUBSTRING_LETTERS = 6
_SUBSTRING_SHARE = 0.4
_GENERIC = frozenset(
    {
        *(
            "gesetz",
            "verordnung",
            "ordnung",
            "richtlini",
            "satzung",
            "vertrag",
            "anlag",
            "anhang",
            "norm",
            "teil",
            "band",
        ),
        *("bericht", "dokument", "unterlag", "act", "code", "regulation", "report", "standard", "guid", "document"),
        *("manual", "annex", "part", "volume"),
    }
)
_INTERNATIONAL = frozenset({"en", "iso", "iec"})
_NATIONAL = frozenset({"din", "en", "bs", "nf", "önorm", "sn", "vde"})
_TITLE_HEADS = frozenset({"gesetz", "verordnung", "richtlini", "übereinkomm", "abkomm", "vertrag"})
_CONTINUING = frozenset(
    {"in", "im", "auf", "für", "bei", "beim", "von", "vom", "zur", "zum", "über", "an", "am", "aus", "nach"}
)


class Registry:
    """All names of a set of documents, with the names of known works that are not among them.

    ``known`` are works that exist, such as a country's laws: a name found there is never taken for a typing error of
    another one and is reported missing by its proper name; a document of that name goes by the work's other names too.
    """

    def __init__(
        self,
        documents: Sequence[Document] = (),
        file: RegistryFile | None = None,
        *,
        known: KnownWorks | None = None,
        threshold: float = FUZZY_THRESHOLD,
    ) -> None:
        self._threshold = threshold
        self._known = known if known is not None else known_works()
        self._names: dict[str, tuple[str, ...]] = {}
        self._documents = {document.id: document for document in documents}
        self._by_key: dict[NameKey, list[Entry]] = defaultdict(list)
        self._by_numbers: dict[NameKey, list[NameKey]] = defaultdict(list)
        self._answered: dict[tuple[str, str | None, tuple[str, ...]], Lookup] = {}
        file = file or RegistryFile()
        for document in documents:
            self._add(document, file)
        for key in self._by_key:
            self._by_numbers[numbers(key)].append(key)

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
    def documents(self) -> Mapping[str, Document]:
        return self._documents

    def names(self) -> Iterator[tuple[str, str]]:
        """(name as written, proper name) of every name of every document."""
        for identifier, names in self._names.items():
            proper = self.proper_name(self._documents[identifier])
            for name in names:
                yield name, proper

    def names_of(self, document: str) -> tuple[str, ...]:
        return self._names.get(document, ())

    def proper_name(self, document: Document) -> str:
        """How people name a document: a known work's abbreviation, a standard's number, else its first name or file."""
        names = self._names.get(document.id, ())
        for name in names:
            if known := self._known.names(name_key(split_edition(name).base)):
                return known[0]
        return next(filter(is_designation, names), "") or next(iter(names), "") or document.file

    def lookup(self, name: str, *, edition: str | None = None, collections: Sequence[str] = ()) -> Lookup:
        """Documents that go by ``name``. ``edition`` as asked for in the text, when it is not part of the name."""
        asked = (name, edition, tuple(collections))
        if asked not in self._answered:
            if len(self._answered) >= _REMEMBERED:
                self._answered.clear()
            self._answered[asked] = self._look_up(name, edition, collections)
        return self._answered[asked]

    def _look_up(self, name: str, edition: str | None, collections: Sequence[str]) -> Lookup:
        split = _split(name, edition)
        key = name_key(split.base)
        if not key:
            return Lookup((), "no name", fold(name), split.edition)
        proper = self._known.proper_name(key) or base_form(split.base)
        for rule, keys in self._stages(key):
            entries = self._held(keys, collections)
            if entries:
                editions = key in self._known or _names_an_act(key) or bool(numbers(key)) or _abbreviates(split.base)
                return by_edition(entries, rule, self._proper(keys, proper), split.edition, editions=editions)
        rule = "a known work that is not in the collection" if key in self._known else "no document goes by this name"
        return Lookup((), rule, proper, split.edition, self._other_parts(key, collections))

    def known_name(self, name: str) -> str | None:
        """The proper name of a work that exists, held or not."""
        return self._known.proper_name(name_key(split_edition(name).base))

    def _add(self, document: Document, file: RegistryFile) -> None:
        row = file.row(document.collection, document.file)
        ignored = {name_key(name) for name in row.ignore} if row else set()
        names = [*(row.synonyms if row else ()), *names_of_document(document, self._known)]
        names += [other for name in names for other in self._known.names(name_key(split_edition(name).base))]
        kept = [name for name in dict.fromkeys(names) if name_key(name) not in ignored]
        self._names[document.id] = tuple(kept)
        added: set[NameKey] = set()
        for name in kept:
            split = split_edition(name)
            held = split.edition or edition_of(document)
            for key in {name_key(split.base), name_key(name)} - added:
                if _tells(key):
                    added.add(key)
                    self._by_key[key].append(Entry(document, name, held))

    def _stages(self, key: NameKey) -> Iterator[tuple[str, Sequence[NameKey]]]:
        yield "exact name", (key,) if key in self._by_key else ()
        if key in self._known:
            return
        if lead := self._leading(key):
            yield "exact name, more words following", (lead,) if lead in self._by_key else ()
            return
        yield "name but for a typing error", self._fuzzy(key)
        yield (
            "national edition of the standard",
            [candidate for candidate in self._by_numbers.get(numbers(key), ()) if _adopts(candidate, key)],
        )
        yield "part of the name", self._substring(key)

    def _fuzzy(self, key: NameKey) -> Sequence[NameKey]:
        """Candidates with the same numbers; a known work that is nearer keeps the name from leading elsewhere."""
        asked = numbers(key)
        scored = [
            (score, candidate)
            for candidate in self._by_numbers.get(asked, ())
            if (score := same_but_for_typing(words(key), words(candidate), self._threshold))
        ]
        if not scored:
            return ()
        best = max(score for score, _ in scored)
        for candidate in self._known.by_numbers.get(asked, ()):
            if candidate not in self._by_key and (
                same_but_for_typing(words(key), words(candidate), self._threshold) >= best
            ):
                return ()
        return [candidate for score, candidate in scored if score == best]

    def _leading(self, key: NameKey) -> NameKey | None:
        """The longest name that a spelled-out title begins with, when what follows cannot be a title's continuation.

        A sentence's words are easily taken into "Gesetz über die Umweltverträglichkeitsprüfung genanntes Schutzgut";
        "... in Brandenburg" would be another law.
        """
        if len(key) < 4 or key[0] not in _TITLE_HEADS:
            return None
        for length in range(len(key) - 1, 2, -1):
            lead = key[:length]
            if lead in self._by_key or lead in self._known:
                return None if key[length] in _CONTINUING or is_number(key[length]) else lead
        return None

    def _substring(self, key: NameKey) -> Sequence[NameKey]:
        """Names that contain the whole asked name, word by word, with no number more than was asked for."""
        distinctive = [word for word in words(key) if word not in _GENERIC]
        if sum(map(len, distinctive)) < _SUBSTRING_LETTERS or _names_an_act(key):
            return ()
        return [
            candidate
            for candidate in self._by_numbers.get(numbers(key), ())
            if len(candidate) > len(key) and _contains(candidate, key)
        ]

    def _held(self, keys: Sequence[NameKey], collections: Sequence[str]) -> tuple[Entry, ...]:
        found: dict[str, Entry] = {}
        for key in keys:
            for entry in self._by_key.get(key, ()):
                if not collections or entry.document.collection in collections:
                    found.setdefault(entry.document.id, entry)
        return tuple(found.values())

    def _proper(self, keys: Sequence[NameKey], otherwise: str) -> str:
        return next((proper for key in keys if (proper := self._known.proper_name(key))), otherwise)

    def _other_parts(self, key: NameKey, collections: Sequence[str]) -> str:
        """What the reader may want to know: other parts of the same series are held."""
        if not numbers(key):
            return ""
        parts = [other for other in self._by_key if len(other) == len(key) + 1 and other[: len(key)] == key]
        held = self._held(parts, collections)
        return "held of this series: " + ", ".join(sorted({entry.name for entry in held})) if held else ""


def _split(name: str, edition: str | None) -> EditionedName:
    split = split_edition(name)
    return EditionedName(split.base, edition_key(edition) if edition else split.edition)


def _names_an_act(key: NameKey) -> bool:
    """A law's name leads to that law alone: 'Kostenverordnung' is not the 'Kostenverordnung zum Atomgesetz'."""
    return key[-1].endswith(("gesetz", "ordnung", "buch", "richtlini", "satzung")) or key[-1] in {"act", "regulation"}


def _tells(key: NameKey) -> bool:
    """Whether a name says anything: 'Verordnung' or 'Report' alone do not."""
    return any(token not in _GENERIC for token in key)


def _abbreviates(name: str) -> bool:
    """'StrlSchV', 'UVPG': one word with a capital inside."""
    return " " not in name and any(letter.isupper() for letter in name[1:])


def _adopts(candidate: NameKey, key: NameKey) -> bool:
    """Whether a standard is the national edition of the one asked for: 'DIN EN ISO 7503-1' of 'ISO 7503-1'."""
    lead = candidate[: len(candidate) - len(key)]
    return key[0] in _INTERNATIONAL and candidate[len(lead) :] == key and bool(lead) and set(lead) <= _NATIONAL


def _contains(longer: NameKey, shorter: NameKey) -> bool:
    """Word by word; a single word only where the longer name begins with it, and never a small part of a long name."""
    if sum(map(len, shorter)) < _SUBSTRING_SHARE * sum(map(len, longer)):
        return False
    width = len(shorter)
    last = 1 if width == 1 else len(longer) - width + 1
    return any(longer[start : start + width] == shorter for start in range(last))
