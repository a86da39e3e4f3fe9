"""Resolves generic names within a family of documents: 'der Satzung' in a club's rules means that club's Satzung.

Three things decide: what follows the name ('vom 7. Mai 2014', 'der HTW Dresden'); how closely the documents are related
(file names, folders, organisations in titles, numbers); and the words of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from rabbithole.kb.models import Document
from rabbithole.kb.references.names.designations.well_known_series import designation_of
from rabbithole.kb.references.names.name_keys import fold, stem

_DATED = re.compile(r"^[\s,]*vom\s+(?P<day>\d{1,2})\.\s*(?P<month>[A-ZÄ]\w+|\d{1,2}\.)\s*(?P<year>(?:19|20)\d\d)")
_CHAIN = re.compile(
    r"^\s*(?:\([^()]{1,40}\)\s*)?(?P<chain>(?:der|des|für|zur|zum|über|an der|von|im)\s+(?:(?:den|die|das|der|"
    r"dem)\s+)?[A-ZÄÖÜ][^\n,;:()]{2,160})"
)
_CHAINED = re.compile(r"^(?:[A-ZÄÖÜ][\w/.-]*|der|des|dem|den|die|das|für|zur|zum|über|an|von|und|im|in|e\.|V\.)$")
_CAPITAL = re.compile(r"[A-ZÄÖÜ][\wÄÖÜäöüß/-]+")
_WORD = re.compile(r"[^\W\d_]{4,}")
_KIND = re.compile(
    r"(?:ordnung|satzung|richtlinie|vertrag|vereinbarung|bestimmungen|statut|reglement|konzept|handbuch)(?:en)?$"
)
_FOLDED = str.maketrans("äöü", "aou")
_FIRST_PART = 6
"""Letters at the beginning of a compound that tell its subject."""
_ORGANS = frozenset(
    stem(word)
    for word in "verein vereins hochschule universität fakultät fakultäten gesellschaft vorstand vorstands rat "
    "senat amt "
    "gemeinde stadt land landes unternehmen betrieb schule institut studiengang studiengangs studium "
    "förderverein".split()
)


class Meant(NamedTuple):
    """The documents a generic name means: none (missing, by ``name``), one, or several that cannot be told apart."""

    documents: tuple[Document, ...]
    rule: str
    name: str


def settle(name: str, own: Document, candidates: Sequence[Document], before: str, after: str) -> Meant:
    """Return the documents that a generic name means.

    ``before`` and ``after`` are the text around the mention, roughly to the ends of its sentence.
    """
    left = tuple(candidates)
    spoken = name
    if dated := _DATED.match(" ".join(after.split())):
        spoken = f"{name} vom {dated['day']}. {dated['month']} {dated['year']}"
        left = tuple(each for each in left if _bears(each, dated["year"]))
        if not left:
            return Meant((), "no document of this name bears that date", spoken)
        if len(left) == 1:
            return Meant(left, "the document of this name and date", spoken)
    elif chain := chained(after):
        asked = [word for word in _CAPITAL.findall(chain) if stem(word.casefold()) not in _ORGANS]
        fitting = tuple(each for each in left if all(_has(each, word) for word in asked))
        if asked and not fitting:
            return Meant((), "no document of this name is that body's", f"{name} {chain}")
        if asked:
            spoken, left = f"{name} {chain}", fitting
            if len(left) == 1:
                return Meant(left, "the document of this name and body", spoken)
    if any(each.id == own.id for each in left):
        return Meant((own,), "the document it stands in bears this name", name)
    akin = [(kinship(own, each), each) for each in left if each.id != own.id]
    best = max((score for score, _ in akin), default=0.0)
    if best <= 0 and len(akin) == 1 and _may_be_its(own, akin[0][1]):
        return Meant((akin[0][1],), "exact name, the only document called so", spoken)
    if best <= 0:
        return Meant((), "no document of the same family goes by this name", spoken)
    nearest = tuple(each for score, each in akin if score == best)
    if len(nearest) == 1:
        return Meant(nearest, "the document of this name in the same family", spoken)
    told = _told_apart(nearest, f"{before} {after}")
    if told is not None:
        return Meant((told,), "the document of this name in the same family, by the words of the sentence", spoken)
    return Meant(nearest, "several documents of the same family go by this name", spoken)


def chained(after: str) -> str:
    """Return the continuation of a name, such as 'des Chaos Computer Club Mannheim e.V.', without further words."""
    found = _CHAIN.match(" ".join(after.split()))
    if not found:
        return ""
    words: list[str] = []
    for word in found["chain"].split():
        if not _CHAINED.match(word) or (words and words[-1] == "und" and word in ("der", "die", "das", "den", "des")):
            break
        words.append(word)
        if word.endswith(".") and word not in ("e.", "V.", "e.V."):
            break
    while words and not words[-1][:1].isupper():
        words.pop()
    return " ".join(words).rstrip(".") if not words or words[-1] not in ("V.", "e.V.") else " ".join(words)


def kinship(one: Document, other: Document) -> float:
    """Return a score of how strongly two documents belong together; 0 if nothing links them."""
    score = 0.0
    first, second = PurePosixPath(one.file), PurePosixPath(other.file)
    if first.parent == second.parent and first.parent.parts:
        score += 1.0
    stems = [[part for part in re.split(r"[_\s-]+", path.stem.casefold()) if part] for path in (first, second)]
    shared = 0
    for left, right in zip(*stems, strict=False):
        if left != right or _KIND.search(left):
            break
        shared += 1
    score += min(shared, 2) * 1.5
    score += min(3, len(_proper_words(one.title) & _proper_words(other.title)))
    numbers = [str(each.metadata.get("designation") or "") for each in (one, other)]
    if all(numbers):
        parts = [designation_of(number) for number in numbers]
        same = numbers[0] == numbers[1] or (
            parts[0] is not None and parts[1] is not None and parts[0].key == parts[1].key
        )
        score += 2.0 * same
    return score


def _may_be_its(own: Document, other: Document) -> bool:
    """Return whether the only document of a name may belong to the citing document.

    It may if its title names no other body: it has no proper words, or one that shares a compound's first part with the
    citing title ("für Kleingärten" beside "des Kleingartenvereins").
    """
    theirs = {word.translate(_FOLDED) for word in _proper_words(other.title)}
    ours = {word.translate(_FOLDED) for word in _proper_words(own.title)}
    return not theirs or any(
        len(shorter) >= _FIRST_PART and longer.startswith(shorter)
        for word in theirs
        for mine in ours
        for shorter, longer in ((word, mine), (mine, word))
    )


def _proper_words(title: str) -> set[str]:
    """Return stems of a title's capitalised words, without kinds of documents and common words for organisations."""
    found = {
        stem(word.casefold())
        for word in _CAPITAL.findall(fold(title))
        if len(word) > 3 and not _KIND.search(word.casefold())
    }
    return found - _ORGANS


def _has(document: Document, word: str) -> bool:
    """Return whether a document's title or file contains a word, inflected or as initials ('HTW')."""
    sought = stem(word.casefold().rstrip("."))
    words = {stem(each.casefold()) for each in _WORD.findall(f"{document.title} {re.sub(r'[_-]', ' ', document.file)}")}
    if sought in words or any(sought == stem(part) for each in words for part in each.split("-")):
        return True
    initials = "".join(each[0] for each in _CAPITAL.findall(document.title))
    return word.isupper() and len(word) > 1 and word in initials


def _bears(document: Document, year: str) -> bool:
    dates = [str(document.metadata.get(field) or "") for field in ("date", "year", "edition")]
    return year in document.title or any(each.startswith(year) for each in dates)


def _told_apart(documents: Sequence[Document], sentence: str) -> Document | None:
    """Return the document whose distinctive title words occur most in the sentence; None if no single one does."""
    said = _stems(_WORD.findall(sentence))
    words = {each.id: _stems(_WORD.findall(each.title)) for each in documents}
    scored = []
    for each in documents:
        others = set().union(*(words[other.id] for other in documents if other.id != each.id))
        scored.append((len((words[each.id] - others) & said), each))
    best = max(score for score, _ in scored)
    found = [each for score, each in scored if score == best]
    return found[0] if best > 0 and len(found) == 1 else None


def _stems(words: Iterable[str]) -> set[str]:
    return {stem(word.casefold()) for word in words}
