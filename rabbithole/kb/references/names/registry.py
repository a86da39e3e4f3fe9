"""The registry: all names of a set of documents, and the documents that a name means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rabbithole.kb.models import Document, Model, Section

from .completion import is_designation
from .designations.well_known_series import designation_of, is_issue_of_gazette
from .edition_choice import Lookup
from .entering import entered
from .held_documents import HeldDocuments
from .known_works import KnownWorks, known_works
from .lookup.name_lookup import NameLookup
from .name_keys import name_key, split_edition
from .ordinary_words import is_ordinary_word, quoted
from .registry_file import RegistryFile, RegistryRow
from .stored.name_store import NameStore

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

FUZZY_THRESHOLD = 0.7
"""Least similarity (0-1) of a name with typing errors."""
_REMEMBERED = 50_000
"""Maximum number of look-ups kept in memory, as texts cite the same names again and again."""


class NameRow(Model):
    """A name and whether it counts. ``cited``: how often an acronym is used as a document's name; ``seen``: all."""

    name: str
    file: str
    collection: str
    counts: bool
    cited: int = 0
    seen: int = 0
    example: str = ""


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
        held: HeldDocuments | None = None,
        text: Callable[[str], str] = lambda identifier: "",
        outline: Callable[[str], Sequence[Section]] = lambda identifier: (),
    ) -> None:
        """Use the ``store`` and ``held`` documents of a knowledge base, or keep the names of ``documents`` in memory.

        ``threshold``: the least similarity (0-1) of a name with typing errors; ``text`` returns a document's text by
        its id, for its acronyms and the documents it replaces, ``outline`` its sections, some perhaps documents.
        """
        self._known = known if known is not None else known_works()
        self._store = store or NameStore()
        self._answered: dict[tuple[str, str | None, tuple[str, ...]], Lookup] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._named: dict[str, str] = {}
        if held is None:
            by_id = {document.id: document for document in documents}
            held = HeldDocuments(by_id.get)
            rows = file or RegistryFile()
            self._store.correct(rows.corrections())
            self._store.change(
                entered(
                    document,
                    ordinal,
                    rows.row(document.collection, document.file),
                    self._known,
                    text(document.id),
                    outline(document.id),
                )
                for ordinal, document in enumerate(documents, 1)
            )
        self._held = held
        self._look_up = NameLookup(self._store, held, self._known, threshold).look_up

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
    def documents(self) -> HeldDocuments:
        """The documents whose names these are, by id."""
        return self._held

    @property
    def store(self) -> NameStore:
        """The tables of names."""
        return self._store

    def names_in(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield (name as registered, proper name of its document) of the names that may occur in a text."""
        named, generic = self._store.names_in(text)
        given: set[str] = set()
        for each in named:
            if each.name in given or not self._store.counts(each) or each.document not in self._held:
                continue  # the first of several documents with this name was given already
            given.add(each.name)
            document = self._held[each.document]
            if each.name.isalpha() and each.name.islower():
                continue  # a name such as 'spark', from 'spark.pdf', is an ordinary word in a sentence
            if each.part is not None:
                yield each.name, each.name
            elif is_ordinary_word(each.name) and self._was_read(each.name, document):
                yield from ((form, self.proper_name(document)) for form in quoted(each.name, text))
            else:
                yield each.name, self.proper_name(document)
        yield from ((name, name) for name in generic)

    def names_of(self, document: str) -> tuple[str, ...]:
        """Return the names of a document (by id) that count, best first, without those of documents in its file."""
        if document not in self._listed:
            named = (each for each in self._store.names_of(document) if each.part is None)
            found = tuple(each.name for each in named if self._store.counts(each))
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
                counts=self._store.counts(named),
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

    def _was_read(self, name: str, document: Document) -> bool:
        """Return whether a name was only read in the document: no person gave it, and no known work has it."""
        if name in document.synonyms or self._known.names(name_key(name)):
            return False
        written = self._store.correction(document.collection, document.file)
        row = RegistryRow.model_validate_json(written) if written and written != "{}" else None
        return row is None or name not in row.synonyms

    def known_name(self, name: str) -> str | None:
        """Return the proper name of a known work, held or not; None if no known work has this name."""
        return self._known.proper_name(name_key(split_edition(name).base))
