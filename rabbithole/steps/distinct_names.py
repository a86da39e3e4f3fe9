"""Names by which the documents of a knowledge base can be told apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from weakref import WeakKeyDictionary

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document

from .document_names import SHORTENED, document_name

_END = ""
_known: WeakKeyDictionary[KnowledgeBase, tuple[int, Mapping[str, str]]] = WeakKeyDictionary()
"""The generation of each knowledge base, and the names of its documents then."""


def name_in(kb: KnowledgeBase, document: Document) -> str:
    """Return what a document of the knowledge base is called for short."""
    return names_in(kb).get(document.id) or document_name(document)


def names_in(kb: KnowledgeBase) -> Mapping[str, str]:
    """Return the short names of all documents by id, cached until the knowledge base changes."""
    generation = kb.generation
    known = _known.get(kb)
    if known is None or known[0] != generation:
        known = generation, distinct_names(kb.documents())
        _known[kb] = known
    return known[1]


def distinct_names(documents: Sequence[Document]) -> dict[str, str]:
    """Return the short name of each document by its id; no two have the same if anything tells them apart.

    Shortened titles show the words that differ; what is still the same has the year or else the file behind it.
    """
    names = {one.id: document_name(one) for one in documents}
    shortened = [one for one in documents if SHORTENED in names[one.id]]
    differing = differing_words([one.title for one in shortened])
    names |= {one.id: document_name(one, differing[one.title]) for one in shortened}
    same: dict[str, list[Document]] = defaultdict(list)
    for one in documents:
        same[names[one.id]].append(one)
    for name, alike in same.items():
        if len(alike) > 1:
            names |= {one.id: f"{name} ({label})" for one, label in zip(alike, _labels(alike), strict=True) if label}
    return names


def differing_words(titles: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return for each title the positions of its words at which a title with the same beginning goes on otherwise."""
    following: dict[tuple[str, ...], set[str]] = defaultdict(set)
    words = {title: tuple(word.strip(".,;:").casefold() for word in title.split()) for title in titles}
    for each in words.values():
        for at, word in enumerate((*each, _END)):
            following[each[:at]].add(word)
    return {
        title: tuple(at for at in range(1, len(each)) if len(following[each[:at]]) > 1) for title, each in words.items()
    }


def _labels(alike: Sequence[Document]) -> tuple[str, ...]:
    """Return what tells documents of the same name apart: their years, else their files."""
    years = tuple(str(one.metadata.get("year") or "") for one in alike)
    if all(count == 1 for count in Counter(years).values()):
        return years
    return tuple(PurePath(one.file).name for one in alike)
