"""Which of a question's content words stand in the documents.

If none does, what is found by meaning is mostly noise, but not always: "Wer ist der Boss?" may find the board.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.index.index_terms import plain_words
from rabbithole.steps.reasoning.text.asking_nouns import only_asks
from rabbithole.steps.reasoning.text.separable_verbs import other_forms
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import is_name, matter_terms

from .models import AbsentWord, Strange

_SEVERAL = 4
"""Minimum number of content words of a question that is strange although one of them stands in the documents."""
_COMMON = 0.05
"""A word is common if it is in at least this share of the passages."""
_TELLING = 0.25
"""Least share of a question's content words that stand nowhere for them to be named: a long story always has some."""
_NAMED = 3
_WORD = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
"""A word that is no part of a name with a digit: not the "IPv" of "IPv6"."""
_IDIOM = re.compile(
    r"\b(?:g[eo]t(?:s|ting)? rid of|on behalf of|in lieu of|in spite of|by means of|by virtue of|for the sake of)\b",
    re.IGNORECASE,
)
"""English phrases with a noun that is no subject."""
_READ = 20
_PART = 5
"""Least letters of a word that is looked for as a part of compounds."""


def strange(kb: KnowledgeBase, texts: Sequence[str], language: str) -> Strange | None:
    """Return what is strange about the words of a question and of what was said beside it; None if nothing is."""
    query = " ".join(texts)
    words = [word for word in dict.fromkeys(plain_words(query)) if stem_set(word, language)]
    found = {word: kb.chunks_with(word) for word in words}
    if sum(map(bool, found.values())) > 1:
        return None
    if language == "de" and any(map(kb.chunks_with, other_forms(query))):  # "trete ... aus": "Austritt"
        return None
    found = {_as_written(word, query): count for word, count in found.items()}
    others = {word: max(map(kb.chunks_with, each)) for word, each in kb.synonyms(query).items()}
    return judged(with_synonyms(found, others), sum(one.chunks for one in kb.collections()))


def with_synonyms(found: Mapping[str, int], others: Mapping[str, int]) -> Mapping[str, int]:
    """Return the number of passages of each content word, or of its synonyms, if most words have some.

    ``others``: the number of passages with a synonym, for words that no passage has. Some word of a nonsense question
    has a synonym in most collections.
    """
    both = {**found, **others}
    return both if 2 * sum(map(bool, both.values())) > len(both) else found


def judged(found: Mapping[str, int], chunks: int) -> Strange | None:
    """Return what is strange about content words, each with the number of passages that have it, of ``chunks``.

    A question is strange if none of its words stands anywhere, or of several only a common one.
    """
    indexed = [word for word, count in found.items() if count]
    if not found or len(indexed) > 1:
        return None
    if not indexed:
        return Strange(words=len(found))
    (word,) = indexed
    few = len(found) < _SEVERAL or found[word] < _COMMON * chunks
    return None if few else Strange(words=len(found), only=word)


def _as_written(word: str, query: str) -> str:
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", query, re.IGNORECASE)
    return found[0] if found else word


def absent_words(kb: KnowledgeBase, query: str, language: str, known: Collection[str] = ()) -> tuple[AbsentWord, ...]:
    """Return the nouns of a question that stand in no document, if they are a good part of what it asks.

    Words with one of the ``known`` stems are names of documents; those that only ask or date are not named. Blocks.
    """
    query = _IDIOM.sub(" ", query) if language == "en" else query
    words = [word for word in dict.fromkeys(_WORD.findall(query)) if stem_set(word, language)]
    terms = " ".join(matter_terms(query, language))
    nouns = [word for word in _WORD.findall(terms) if language != "de" or is_name(word, query)]
    named = {word: kb.chunks_with(word.lower()) for word in words if not stem_set(word, language) & frozenset(known)}
    absent = [word for word in telling(named, nouns) if not only_asks(word)]
    others = kb.synonyms(query) if absent else {}
    return tuple(
        AbsentWord(word=word, synonyms=others.get(word, ()))
        for word in absent
        if word in others or language != "de" or not _stands_in_compounds(kb, word)
    )


def _stands_in_compounds(kb: KnowledgeBase, word: str) -> bool:
    """Return whether one of the best passages for a German word has a compound with it: 'Klausurarbeit'."""
    if len(word) < _PART:
        return False
    part = re.escape(word)
    compound = re.compile(rf"(?<!\w){part}\w{{3,}}|\w{{3,}}{part}(?:e?[ns]|er|ern)?(?!\w)", re.IGNORECASE)
    return any(compound.search(hit.chunk.text) for hit in kb.search(word, top_k=_READ, reread=False).hits)


def telling(found: Mapping[str, int], nouns: Collection[str]) -> tuple[str, ...]:
    """Return the words without a passage, of content words each with its number of passages, or () if they are few.

    Only ``nouns`` are named; where there are none, as in a question in small letters, every word is.
    """
    absent = [word for word, count in found.items() if not count]
    named = [word for word in absent if word in nouns or not nouns]
    return tuple(named[:_NAMED]) if len(absent) >= _TELLING * len(found) else ()
