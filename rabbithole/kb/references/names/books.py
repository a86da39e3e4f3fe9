"""Names of manuals and sites whose pages are documents of their own: the book a page belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rabbithole.kb.models import Document

BOOK = "book"
"""The metadata field with the name of the book a page belongs to."""
_VERSION = re.compile(
    r"\s*(?:\((?:[Vv]ersion|[Rr]elease|[Vv])?\s*\d[\w.+~-]*\)|\b(?:[Vv]ersion|[Rr]elease)\s+\d[\w.+~-]*|"
    r"(?<!\S)[vV]?\d+(?:\.\d+)+[\w+~-]*(?!\S))"
)
_KINDS = (
    r"(?:documentation|docs|manual|guide|handbook|reference|faq|tutorial|policy|dokumentation|handbuch|leitfaden|"
    r"anleitung|referenz)(?:s|es)?"
)
_KIND = re.compile(rf"{_KINDS}\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
_SMALL = frozenset("the der die das des of for zu zum zur für von and und user users your new neue".split())
_ARTICLE = re.compile(r"^(?:The|Der|Die|Das)\s+")


def book_of(document: Document) -> str:
    """Return the name of the book or site that a document is a page of, or ''."""
    return str(document.metadata.get(BOOK) or "")


def names_of_book(book: str) -> tuple[str, ...]:
    """Return the names by which a book is cited: with its version and without, and without an article before it."""
    plain = " ".join(_VERSION.sub("", book).split())
    names = (book, plain, _ARTICLE.sub("", book), _ARTICLE.sub("", plain))
    return tuple(dict.fromkeys(name for name in names if name))


def cited_as(book: str) -> tuple[str, ...]:
    """Return the names that mean the book wherever they stand; the name of a site may also mean a product."""
    return tuple(name for name in names_of_book(book) if _KIND.search(name) and " " in name)


def books_named(books: Iterable[str], text: str) -> dict[str, frozenset[str]]:
    """Return the books that a text names, with the words of it that do: 'the PostgreSQL manual', 'Doku von Slurm'.

    A book is named by a word of its name beside a word for such works. Of several, those count that share most words
    with the text. Words are in lower case.
    """
    said = frozenset(word.casefold() for word in _WORD.findall(text))
    kinds = frozenset(word for word in said if _KIND.fullmatch(word))
    found: dict[str, frozenset[str]] = {}
    for book in dict.fromkeys(books):
        words = frozenset(word.casefold() for word in _WORD.findall(book)) - _SMALL
        telling = {word for word in words & said if not _KIND.fullmatch(word)}
        named = "|".join(map(re.escape, sorted(telling)))
        before = rf"\b(?:{named})['’s]{{0,2}}[\s-]+{_KINDS}\b"
        behind = rf"\b{_KINDS}\s+(?:of|for|von|zu|zum|zur|der|des)\s+(?:the\s+)?(?:{named})\b"
        if telling and re.search(f"{before}|{behind}", text, re.IGNORECASE):
            found[book] = words & said
    most = max((len(words) for words in found.values()), default=0)
    return {book: words | kinds for book, words in found.items() if len(words) == most}


def beside_book(document: Document) -> str:
    """Return the book of a page for printing before its title; '' if the title already contains it."""
    book = book_of(document)
    return "" if _letters(book) in _letters(document.title) else book


def title_with_book(document: Document) -> str:
    """Return a document's title, behind that of the book it is a page of."""
    return ", ".join(part for part in (beside_book(document), document.title) if part)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
