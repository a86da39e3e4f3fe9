"""Finds names in a question that no document contains, although a document that answers would contain them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.notation.months import MONTH
from rabbithole.kb.references.names.books import title_with_book

_WORD = re.compile(r"[^\W_][\w.+/-]*[\w+]")
_SPECIAL = re.compile(r"\w[A-Z]|_|[A-Za-z]\d")
"""A pattern inside a word that shows it to be a name ('SameSite', 'QIBM_DB_SECADM', 'TLS1.3') in any language."""
_SIGNS = re.compile(r"[\W_]+")
_PARTS = re.compile(r"[_/+-]|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
"""Positions at which a document may split a name into several words."""
_ENGLISH = re.compile(rf"(?<=[a-z,;] )(?!(?:{MONTH})\b|\w+day\b)[A-Z][a-z]{{2,}}(?!\w)")
"""A word with a capital inside an English sentence: "Kafka"."""
_ORDINARY = re.compile(r"(?:-[A-ZÄÖÜ]?[a-zäöüß]{3,})+\Z")
"""The part of a compound that is no name: "LaTeX-Standardklassen", "XML-based"."""
_NOUN_BEFORE = re.compile(r"\A(?:[A-ZÄÖÜ]?[a-zäöüß]{4,}-)+")
"""The same before a name: "Arbeitsplatz-PC"."""
_VERSIONED = re.compile(
    r"(?<![\w.])(?P<name>\w*[A-ZÄÖÜ]\w*[A-Z]\w*|(?i:version|release)|(?<=[a-z,] )(?:[A-Z]\w+ )*[A-Z][a-z]+)"
    r"(?: (?:[Vv]ersion |[Rr]elease |v)?|/)(?P<number>\d{1,2}(?:\.\d{1,2}){1,3})(?![\w%]|[.,]\d)"
)
"""A name with the number of an edition: 'TLS 1.3', 'Apache License 2.0', 'Version 2.1'."""
_SHORTEST = 4
_READ = 20
_BETWEEN = 40
"""Most letters between a name and the number of its edition: 'TLS versions 1.1, 1.2 and 1.3'."""


def absent_names(
    kb: KnowledgeBase, question: str, collections: Sequence[str] = (), language: str = ""
) -> tuple[str, ...]:
    """Return the names in a question that no document of the collections contains.

    Only words whose spelling shows them to be names count, because a document may express other nouns in other words,
    and names with the number of an edition. In English (``language`` "en") words with a capital inside a sentence are
    names, too. Spaces and signs within a name are ignored.
    """
    words = [_NOUN_BEFORE.sub("", _ORDINARY.sub("", word)) for word in _WORD.findall(question)]
    names = [word for word in words if len(word) >= _SHORTEST and _SPECIAL.search(word)]
    absent = tuple(name for name in dict.fromkeys(names) if not _stands(kb, name, collections))
    if absent:
        held = [one for one in kb.documents() if not collections or one.collection in collections]
        absent = tuple(name for name in absent if not any(_calls(name, one) for one in held))
    if language == "en":
        absent += tuple(word for word in _ENGLISH.findall(question) if not kb.chunks_with(word.lower()))
    editions = _absent_editions(kb, question, collections)
    return tuple(dict.fromkeys((*(name for name in absent if not any(name in one for one in editions)), *editions)))


def _absent_editions(kb: KnowledgeBase, question: str, collections: Sequence[str]) -> tuple[str, ...]:
    """Return the names with the number of an edition of which the documents have other editions at most.

    What the grammar reads as a place ("Section 3.2") is none.
    """
    named = list(_VERSIONED.finditer(question))
    if not named:
        return ()
    places = kb.detect(question)
    return tuple(
        one[0]
        for one in named
        if not any(place.start < one.end() and one.start() < place.end for place in places)
        and not _stands_as(kb, one["name"].split()[-1], one["number"], collections)
    )


def _stands_as(kb: KnowledgeBase, name: str, number: str, collections: Sequence[str]) -> bool:
    """Return whether one of the best passages for a name and a number has them beside each other."""
    together = re.compile(
        rf"{re.escape(name)}(?![^\W\dv])[^;\n]{{0,{_BETWEEN}}}?(?<![\d.]){re.escape(number)}(?!\d|\.\d)", re.IGNORECASE
    )
    return any(together.search(text) for text in _passages(kb, f"{name} {number}", collections))


def _calls(name: str, document: Document) -> bool:
    """Return whether a document's file or the initials of its title have the name: 'BY-NC-SA', 'DFSL'."""
    plain = _plain(name)
    initials = "".join(word[0] for word in re.findall(r"[^\W\d_]+", document.title))
    return plain in _plain(Path(document.file).stem) or plain in initials.casefold()


def _stands(kb: KnowledgeBase, name: str, collections: Sequence[str]) -> bool:
    """Return whether one of the best passages for a name contains it whole; the index knows only its words."""
    return any(_plain(name) in _plain(text) for text in _passages(kb, f"{name} {_PARTS.sub(' ', name)}", collections))


def _passages(kb: KnowledgeBase, words: str, collections: Sequence[str]) -> Iterator[str]:
    """Yield the best passages for some words, each with its document's title."""
    for hit in kb.search(words, collections, mode="keyword", top_k=_READ).hits:
        yield f"{hit.chunk.text} {title_with_book(kb.document(hit.chunk.document))}"


def _plain(text: str) -> str:
    return _SIGNS.sub("", text).casefold()
