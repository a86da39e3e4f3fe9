"""Names by which the documents of a knowledge base can be told apart."""

from __future__ import annotations

import re
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
_WORDS = re.compile(r"[^\W\d_]+")
_WORD_ENDS = re.compile(r"[\W\d_]+|(?<=[a-zäöü])(?=[A-ZÄÖÜ])")
_GENERAL = re.compile(
    r"(?:users?|admin(?:istrator)?s?|developers?|owners?|operators?|programmers?|authors?|reference|quick|start|getting|started|"
    r"installation|setup|product|technical|general|full|complete|short|brief|"
    r"manual|guide|handbook|documentation|docs?|faqs?|readme|tutorial|howto|introduction|overview|instructions?|release|"
    r"notes?|report|annual|paper|article|agreement|contract|minutes|policy|rules|"
    r"(?:benutzer|bedienungs|betriebs|gebrauchs|anwender|installations|kurz)?(?:handbuch|anleitung)|dokumentation|leitfaden|"
    r"einführung|übersicht|überblick|hinweise?|bericht|jahresbericht|satzung|vertrag|protokoll|merkblatt|ordnung|"
    r"version|revision|edition|draft|entwurf|final|the|of|for|and|to|a|an|der|die|das|des|für|und|zu[rm]?|von)"
)
"""Words of a name that say nothing of what its document is about."""
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
    differ, or else the year or the file. A name that only says what kind of document it is has the file as well.
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
        elif is_general(name) and not is_general(_stem(alike[0])):
            names[alike[0].id] = f"{name} ({PurePath(alike[0].file).name})"
    return names


def _stem(document: Document) -> str:
    """Return the words of the file's name: 'UserManual_gpu' -> 'User Manual gpu'."""
    return _WORD_ENDS.sub(" ", PurePath(document.file).stem)


def is_general(name: str) -> bool:
    """Return whether a name only says what kind of document it is: "User's Manual", 'Handbuch, v 2.1', 'FAQ'."""
    words = [word for word in _WORDS.findall(name.casefold()) if word not in ("s", "v")]
    return bool(words) and all(_GENERAL.fullmatch(word) for word in words)


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
