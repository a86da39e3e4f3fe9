"""Documents a question means by the names in it: of an organisation, a programme, a series.

Such names stand in a document's title or on its first lines and seldom in its text, so a search by words alone does
not see them: 'Wie lange ... an der HTW Dresden?' is answered by Dresden's rules, which say 'Dresden' once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.steps.reasoning.text.terms import stem_set, stems

OPENING = 400
"""Characters of a document in which it says whose it is."""
MOST_DOCUMENTS = 500
_COMMON = 0.5
"""Share of the documents from which a name tells none of them apart."""
_NEAR_BEST = 0.6
_NAME = re.compile(r"(?<![.?!]\s)(?<!\A)\b[A-ZÄÖÜ][\w-]*\w")
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


def preferred_documents(kb: KnowledgeBase, query: str, language: str, collections: Sequence[str]) -> tuple[str, ...]:
    """Ids of the documents that bear most of the names in the question; () where no name tells documents apart."""
    documents = [one for one in kb.documents() if not collections or one.collection in collections]
    if len(documents) < 2 or len(documents) > MOST_DOCUMENTS:
        return ()
    names = _names(query, language)
    if not names:
        return ()
    bearing: dict[str, set[str]] = {name: set() for name in names}
    for document in documents:
        identity = _identity(kb, document, language)
        for name in names:
            if name in identity:
                bearing[name].add(document.id)
    headed = _headed(kb, documents, language)
    telling = {
        name: ids
        for name, ids in bearing.items()
        if ids and len(ids) <= _COMMON * len(documents) and name not in headed
    }
    if not telling:
        return ()
    scores: Mapping[str, float] = {
        document.id: sum(1.0 / len(ids) ** 0.5 for ids in telling.values() if document.id in ids) for document in documents
    }
    best = max(scores.values())
    return tuple(one for one, score in scores.items() if score >= _NEAR_BEST * best)


def _names(query: str, language: str) -> frozenset[str]:
    """Stems of the words written with a capital inside a sentence, and years."""
    words = [found.group() for found in _NAME.finditer(query)]
    parts = [part for word in words for part in word.split("-")]
    return frozenset(stem for part in parts for stem in stems(part, language)) | frozenset(_YEAR.findall(query))


def _identity(kb: KnowledgeBase, document: Document, language: str) -> frozenset[str]:
    year = str(document.metadata.get("year") or "")
    said = " ".join((document.title, *document.synonyms, document.file.rsplit(".", 1)[0].replace("_", " ")))
    return stem_set(f"{said} {_opening(kb, document.id)}", language) | frozenset((year,))


@lru_cache(maxsize=4096)
def _opening(kb: KnowledgeBase, document: str) -> str:
    return kb.text(document, 0, OPENING)


def _headed(kb: KnowledgeBase, documents: Sequence[Document], language: str) -> frozenset[str]:
    """Stems of section headings: what documents treat is matter, whoever's they are."""
    return _headings(kb, tuple(document.id for document in documents), language)


@lru_cache(maxsize=16)
def _headings(kb: KnowledgeBase, documents: tuple[str, ...], language: str) -> frozenset[str]:
    found: set[str] = set()
    for document in documents:
        sections = kb.outline(document)
        for section in sections:
            if section.level > 0 and section.start > OPENING:
                found |= stem_set(section.heading, language)
    return frozenset(found)
