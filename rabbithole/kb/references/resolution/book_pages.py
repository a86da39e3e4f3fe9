"""Finds places in books of several documents, such as a manual that is split into HTML pages, one a section."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from rabbithole.kb.models import Document, PathElement
from rabbithole.kb.references.corpus_reader import CorpusReader
from rabbithole.kb.references.grammar.number_keys import number_key, path_key
from rabbithole.kb.references.names.books import book_of, names_of_book
from rabbithole.kb.references.names.entering import generic_key

from .sections.section_index import SectionIndex

_DIVIDED = frozenset({"section", "Abschnitt", "chapter", "Kapitel", "appendix", "annex", "Anhang", "part", "Teil", "§"})
_START = ("index", "contents", "toc", "home")
_BOOKS = 32
_REPEATED = 0.15
"""Share of numbers that stand before several headings, above which chapters count their sections anew."""
PAGE_NOT_HELD = "a page of the same site that is not in the collection"
"""Rule of a link to such a page; ``name`` is the book or folder, ``note`` the file."""
_PAGES = frozenset({"", ".html", ".htm", ".xhtml", ".pdf", ".md", ".docx", ".odt", ".epub"})
_AIDS = frozenset("index genindex bookindex search contents toc modindex py-modindex sitemap".split())
"""Pages that only lead to others."""


_COUNTED = frozenset({"section", "Abschnitt"})
Path = tuple[PathElement, ...]


class Book(NamedTuple):
    """A book: its name, and its pages in the order of their files."""

    collection: str
    name: str
    pages: tuple[Document, ...]


class Books:
    """The books of a reader's documents. Their sections are read at the first look for one, for one generation."""

    def __init__(self, reader: CorpusReader) -> None:
        self._reader = reader
        self._pages = lru_cache(_BOOKS)(self._load)
        self._indexes = lru_cache(_BOOKS)(self._index)
        self._restarts = lru_cache(_BOOKS)(self._begins_anew)

    def of(self, document: Document) -> Book | None:
        """Return the book that a document is a page of; None if it stands alone."""
        name = book_of(document)
        book = self._pages(document.collection, name) if name else None
        return book if book is not None and len(book.pages) > 1 else None

    def named(self, name: str, called: Iterable[Document]) -> tuple[Book, ...]:
        """Return the books called so, each once; ``called`` are the documents that have the name in common."""
        key = generic_key(name)
        pages = [each for each in called if key in map(generic_key, names_of_book(book_of(each)))]
        return tuple({(book.collection, book.name): book for each in pages if (book := self.of(each))}.values())

    def page_with(
        self, book: Book, path: Path, near: Document | None = None, *, exact: bool = False
    ) -> tuple[Document, Path] | None:
        """Return the page that has the section a path begins with, and the path on that page.

        If several have it, as the parts of a collection of manuals do, the one in the folder of ``near`` is meant; None
        if that does not settle it and their headings differ. Where each chapter counts its sections anew, "section
        31.9" is 9 of chapter 31. ``exact``: only a heading with the same word before its number counts.
        """
        if not path or path[0][0] not in _DIVIDED:
            return None
        if (page := self._page(book, path[0], near, exact)) or exact:
            return (page, path) if page else None
        if self._indexes(book.collection, book.name).find(*path[0]):
            return None
        chapter, dot, rest = path[0][1].partition(".")
        page = self._page(book, ("chapter", chapter), near) if dot and path[0][0] in _COUNTED else None
        if page is None:
            return None
        sections = SectionIndex(self._reader.outline(page.id))
        if sections.find("section", rest, within=sections.find("chapter", chapter)[0]):
            return page, (("chapter", chapter), ("section", rest), *path[1:])
        return (page, (("section", rest), *path[1:])) if len(sections.find("section", rest)) == 1 else None

    def _page(self, book: Book, element: PathElement, near: Document | None, exact: bool = False) -> Document | None:
        held = {each.id: each for each in book.pages}
        found = self._indexes(book.collection, book.name).find(*element)
        if exact or self._restarts(book.collection, book.name):
            found = tuple(each for each in found if number_key(each.number) == path_key(*element))
        pages = [held[document] for document in dict.fromkeys(section.document for section in found)]
        if near in pages:
            return near
        if len(pages) > 1 and near is not None:
            pages = [each for each in pages if _folder(each) == _folder(near)]
        copies = len({section.label for section in found if section.document in {each.id for each in pages}}) == 1
        return min(pages, key=lambda each: each.file) if pages and (copies or len(pages) == 1) else None

    def _begins_anew(self, collection: str, name: str) -> bool:
        """Return whether the chapters of a book count their sections anew: a number alone then identifies no page."""
        files = {page.id: _folder(page) for page in self._pages(collection, name).pages}
        labels: dict[tuple[PurePosixPath, str], set[str]] = {}
        for each in self._indexes(collection, name).sections:
            if (key := number_key(each.number)).kind == "":
                labels.setdefault((files[each.document], key.value), set()).add(each.label)
        return sum(len(each) > 1 for each in labels.values()) > _REPEATED * len(labels)

    def start_of(self, book: Book) -> Document:
        """Return the page a book begins with: the one called as the book, or the index of its outermost folder."""
        named = [each for each in book.pages if generic_key(each.title) in map(generic_key, names_of_book(book.name))]
        outermost = sorted(book.pages, key=lambda each: (len(PurePosixPath(each.file).parts), each.file))
        index = [each for each in outermost if PurePosixPath(each.file).name.split(".")[0] in _START]
        return (named or index or outermost)[0]

    def _load(self, collection: str, name: str) -> Book:
        held = self._reader.documents(collection)
        pages = [each for each in held if book_of(each) == name]
        folders = {_folder(each) for each in pages}
        # The start page has no link to itself, so only its title shows that it belongs to the book.
        starts = [each for each in held if not book_of(each) and each.title == name and _folder(each) in folders]
        return Book(collection, name, tuple(sorted([*pages, *starts], key=lambda each: (each.file, each.id))))

    def _index(self, collection: str, name: str) -> SectionIndex:
        pages = self._pages(collection, name).pages
        return SectionIndex([each for page in pages for each in self._reader.outline(page.id) if each.number])


def is_page(link: str) -> bool:
    """Return whether a link within a site leads to a page to read: not to a picture, a download or an index."""
    path = PurePosixPath(link.partition("#")[0].partition("?")[0])
    return path.suffix.lower() in _PAGES and path.name.split(".")[0].casefold() not in _AIDS


def _folder(document: Document) -> PurePosixPath:
    return PurePosixPath(document.file).parent
