"""Reads mistyped words of a question, and names joined with their number, as the documents write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.thesaurus.thesaurus import is_cased
from rabbithole.kb.store.encoders.spelling import likelihood
from rabbithole.steps.reasoning.text.terms import stem_set, stems

from .misspelling import LONGEST, SHORTEST, NearWord, meant, plausible
from .models import SpellingCorrection

_MOST = 3
"""A question with more unknown words is in another language, or no question."""
_READ = 5
_CHECKED = 6
_WORD = re.compile(r"(?<![\w@#$/\\.])[^\W\d_]+(?![\w@/\\]|[.:]\w)")
"""A word that is no part of an address, a path, a file's name or an identifier."""
_JOINED = re.compile(r"(?<![\w@#$/\\.-])(?P<letters>[^\W\d_]{2,})(?P<digits>\d{1,5})(?![\w@/\\-]|[.:]\w)")
"""A name with its number: "AES128", which a document may write "AES-128" or "AES 128"."""
_QUOTED = re.compile(r"„[^“”\"]*[“”\"]|“[^”]*”|\"[^\"]*\"|»[^«]*«|`[^`]*`")


def corrections(
    kb: KnowledgeBase, query: str, language: str, collections: Sequence[str]
) -> tuple[SpellingCorrection, ...]:
    """Return the words of a question that stand in no document, with the words read instead."""
    parted = _parted_names(kb, query, collections)
    unknown = [word for word in candidates(query, language) if not kb.chunks_with(word.lower())]
    if not 0 < len(unknown) <= _MOST:
        return parted
    found = ((word, _meant(kb, word, language, collections, cased=language == "de" and is_cased(word, query)))
             for word in unknown)  # fmt: skip
    return (
        *parted,
        *(SpellingCorrection(written=word, read=_as_written(word, other)) for word, other in found if other),
    )


def _parted_names(kb: KnowledgeBase, query: str, collections: Sequence[str]) -> tuple[SpellingCorrection, ...]:
    """Return the names joined with their number that the documents write only apart."""
    found: dict[str, str] = {}
    for name in _JOINED.finditer(query):
        if not kb.chunks_with(name[0].lower()):
            apart = re.compile(rf"(?<!\w){re.escape(name['letters'])}[- ]{name['digits']}(?!\w)")
            hits = kb.search(f"{name['letters']} {name['digits']}", collections, mode="keyword", top_k=_READ).hits
            forms = [match[0] for hit in hits if (match := apart.search(hit.chunk.text))]
            found.update({name[0]: forms[0]} if forms else {})
    return tuple(SpellingCorrection(written=written, read=read) for written, read in found.items())


def candidates(query: str, language: str) -> list[str]:
    """Return the words of a question that may be mistyped, each once.

    Short words, names with capitals or figures inside, quoted words and words that only serve to ask are left out.
    """
    quoted = [found.span() for found in _QUOTED.finditer(query)]
    return list(
        dict.fromkeys(
            found[0]
            for found in _WORD.finditer(query)
            if SHORTEST <= len(found[0]) <= LONGEST
            and found[0][1:].islower()
            and stem_set(found[0], language)
            and not any(start <= found.start() < end for start, end in quoted)
        )
    )


def corrected(query: str, changes: Sequence[SpellingCorrection]) -> str:
    """Return the question with the words read instead of those written."""
    for one in changes:
        query = re.sub(rf"(?<!\w){re.escape(one.written)}(?!\w)", one.read, query)
    return query


def _meant(kb: KnowledgeBase, written: str, language: str, collections: Sequence[str], *, cased: bool) -> str:
    """Return the word meant, in lower case, or ''.

    ``cased``: nouns have capitals in the question, so that a verb ("frisst") is not read as a noun ("Frist").
    """
    word = written.lower()
    found = kb.near_words(word, language)
    if not found:
        return ""
    own = likelihood(word)
    near = [
        NearWord(word=each, stem=" ".join(stems(each, language)), chunks=chunks, likelihood=spelt)
        for each, chunks in found.items()
        if plausible(word, own, each, spelt := likelihood(each))
    ]
    near = sorted(near, key=lambda one: -one.chunks)[:_CHECKED]
    return meant([one for one in near if one.stem and _stands(kb, one.word, written if cased else "", collections)])


def _stands(kb: KnowledgeBase, word: str, like: str, collections: Sequence[str]) -> bool:
    """Return whether the best passages for a word have it as it is written; the index knows only its stem.

    ``like``: a word that must begin with a capital if it does, and only then; '' if that does not matter.
    """
    form = re.compile(rf"(?<!\w){_as_written(like, word) if like else f'(?i:{word})'}(?!\w)")
    hits = kb.search(word, collections, mode="keyword", top_k=_READ).hits
    return any(form.search(hit.chunk.text) for hit in hits)


def _as_written(written: str, read: str) -> str:
    return read[:1].upper() + read[1:] if written[0].isupper() else read
