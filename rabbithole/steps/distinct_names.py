"""Names by which the documents of a knowledge base can be told apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from weakref import WeakKeyDictionary

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document

from .document_names import SHORTENED, document_name

LONGEST_LABEL = 60
"""Most letters of the words of a title that stand behind a name."""
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

    Shortened titles show the words that differ; what is still the same has the words behind it in which the titles
    differ, or else the year or the file.
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
    """Return what tells documents of the same name apart: words of their titles, else their years, else their files."""
    if words := _own_words([" ".join(one.title.split()) for one in alike]):
        return words
    years = tuple(str(one.metadata.get("year") or "") for one in alike)
    if all(count == 1 for count in Counter(years).values()):
        return years
    return tuple(PurePath(one.file).name for one in alike)


def _own_words(titles: Sequence[str]) -> tuple[str, ...]:
    """Return for each title its words between those with which all begin and end; () if these tell nothing.

    Figures alone tell editions apart, for which there is the year.
    """
    words = [title.split(" ") for title in titles]
    fewest = min(map(len, words))
    first = next((at for at in range(fewest) if len({each[at].casefold() for each in words}) > 1), fewest)
    last = next((at for at in range(fewest - first) if len({each[-1 - at].casefold() for each in words}) > 1), 0)
    own = tuple(" ".join(each[first : len(each) - last]).strip(".,;:- ") for each in words)
    telling = all(any(map(str.isalpha, each)) and len(each) <= LONGEST_LABEL for each in own)
    return own if telling and len({each.casefold() for each in own}) == len(own) else ()
