"""The documents that a question may describe: files, and the documents in a file that holds several."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document, Section
from rabbithole.kb.notation.spelling_variants import one_spelling
from rabbithole.kb.references.names.books import book_of, title_with_book
from rabbithole.kb.references.names.file_parts import FilePart, abbreviations, file_parts, names_first_part

_SMALL_WORDS = frozenset("the and for der die das des dem den und von für zur zum".split())
"""Words that are in the names of many documents and do not say which one is meant."""
_STEM = 4
_ENDINGS = frozenset(("s", "es", "n", "en", "e", "er"))


@dataclass(frozen=True, slots=True, eq=False)
class DescribedWork:
    """A document: a file, or a part of one that holds several. ``titled``: the file has a title of its own."""

    document: Document
    part: FilePart | None = None
    titled: bool = True

    @property
    def name(self) -> str:
        """Its title, behind that of the book or the file it is in."""
        title = title_with_book(self.document)
        if self.part is None:
            return title
        return f"{title}, {self.part.name}" if self.titled else self.part.name

    @property
    def names(self) -> str:
        """All its names as one text."""
        one = self.document
        if self.part is None:
            return " ".join((one.title, *one.synonyms, one.file, book_of(one)))
        own = " ".join((self.part.name, *abbreviations(self.part.name, spelled=True), one.file))
        return f"{own} {one.title}" if self.titled else own

    def outline(self, kb: KnowledgeBase) -> tuple[Section, ...]:
        """Return its sections."""
        sections = kb.outline(self.document.id)
        if self.part is None:
            return sections
        return tuple(one for one in sections if self.part.start <= one.start < self.part.end)


def works_in(kb: KnowledgeBase, documents: Iterable[Document]) -> list[DescribedWork]:
    """Return the documents; in place of a file that holds several, each of these."""
    found = []
    for document in documents:
        parts = file_parts(kb.outline(document.id))
        titled = not names_first_part(document.title, parts)
        found += [DescribedWork(document, part, titled) for part in parts] or [DescribedWork(document)]
    return found


def described(work: DescribedWork, words: str) -> int:
    """Return how many words of the question occur in the document's names, whatever their endings."""
    asked = set(re.findall(r"[^\W_]{3,}", words.casefold())) - _SMALL_WORDS
    return shared_words(asked, work.names)


def abbreviated(work: DescribedWork, words: str) -> bool:
    """Return whether the question has the abbreviation of a document, and not only that of one with a longer name."""
    short = abbreviations(work.part.name) if work.part else ()
    return bool(shared_words(set(re.findall(r"[^\W_]{3,}", words.casefold())), " ".join(short)))


def shared_words(asked: Collection[str], names: str) -> int:
    """Return how many of these words names have."""
    known = set(re.findall(r"[^\W_]{3,}", names.casefold()))
    return sum(any(_same(one, other) for other in known) for one in asked)


def _same(one: str, other: str) -> bool:
    """Return whether two words differ at most by an ending of inflection or as British and American spellings do."""
    short, long = sorted((one_spelling(one), one_spelling(other)), key=len)
    return long == short or (len(short) >= _STEM and long.removeprefix(short) in _ENDINGS)
