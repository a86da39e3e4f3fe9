"""The words under which chunks are indexed and searched: stems by language, pairs with a digit, 4-grams of letters.

Every index of words stores these, so that all of them find the same chunks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

LANGUAGES: Final = {"de": "german", "en": "english"}
LETTERED: Final = "de"
"""The language whose texts are also indexed by letters, with those in a language that is not known."""
_FREQUENT: Final = 0.25
"""A gram is frequent if it is in more than this share of the chunks."""
_RAREST: Final = 12
"""Minimum number of grams looked up, the rarest, frequent or not."""
MOST_TERMS: Final = 384
"""Maximum number of distinct terms of a query, in all fields together; a longer query is cut."""
MOST_GRAMMED: Final = 200_000
"""Maximum number of chunks searched by grams: the index doubles in size, and a query takes time with each chunk."""
_LONGEST_WORD: Final = 100
_GRAM: Final = 4
_FOLDED: Final = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "é": "e", "è": "e", "á": "a", "à": "a"})
_WORD: Final = re.compile(r"§+|\w+(?:[.,]\w+)*")
_LETTERS: Final = re.compile(r"[^\W_]+")
"""Runs of letters and digits of any script."""


def known(language: str) -> str:
    """Return the language (de, en) in which words of a language are stemmed: English if it is another."""
    return language if language in LANGUAGES else "en"


def stems(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text in a language (de; else en) as they are indexed, without stop words."""
    return frozenset(analyzer(known(language), stop=True).analyze(text))


def stems_among(wanted: frozenset[str], text: str, language: str) -> frozenset[str]:
    """Return those of the wanted stems that a text has: ``stems(text, language) & wanted``, but faster.

    Stemming takes most of the time, and a stem begins with the letter its word begins with, so that most words need not
    be stemmed. Only letters beyond "z" may become others ("ä", "a").
    """
    letters = {stem[0] for stem in wanted}
    alike = {word for word in plain_words(text) if word[0] in letters or word[0] > "z"}
    return wanted.intersection(_stemmer(known(language)).analyze(" ".join(alike)))


@cache
def _stemmer(language: str) -> TextAnalyzer:
    """Return the analyser of a language for words as ``plain_words`` gives them, without stop words."""
    builder = TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stopword(LANGUAGES[language]))
    return builder.filter(Filter.stemmer(LANGUAGES[language])).filter(Filter.ascii_fold()).build()


def words(text: str, language: str) -> list[str]:
    """Return the stems of a text in reading order, stop words included."""
    return list(analyzer(language).analyze(text))


def query_words(text: str, language: str) -> list[str]:
    """Return the stems a query is searched by: without stop words, unless it has no others."""
    return list(analyzer(language, stop=True).analyze(text) or analyzer(language).analyze(text))


@lru_cache(maxsize=65536)
def forms_of_word(word: str) -> tuple[tuple[str, str], ...]:
    """Return (language, stem) of a word for every language: the fields it may stand in, whatever language it is of."""
    return tuple((language, stem) for language in LANGUAGES for stem in analyzer(language).analyze(word))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, split as for every language."""
    return list(_splitter().analyze(text))


@cache
def _splitter() -> TextAnalyzer:
    builder = TextAnalyzerBuilder(Tokenizer.simple())
    return builder.filter(Filter.remove_long(_LONGEST_WORD)).filter(Filter.lowercase()).build()


def rarity(found: int, chunks: int) -> float:
    """Return the inverse document frequency of a word that ``found`` of ``chunks`` have, scaled to 0-1."""
    return math.log(1 + chunks / max(found, 1)) / math.log(1 + chunks)


def fields_of(languages: Collection[str]) -> Collection[str]:
    """Return the fields for texts in these languages: all fields if a language is unknown."""
    sure = languages and all(language in LANGUAGES for language in languages)
    return [language for language in LANGUAGES if not sure or language in languages]


@cache
def analyzer(language: str, *, stop: bool = False) -> TextAnalyzer:
    """Return the analyser of a language (de, en); ``stop``: leave out stop words."""
    name = LANGUAGES[language]
    builder = (
        TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_LONGEST_WORD)).filter(Filter.lowercase())
    )
    if stop:
        builder = builder.filter(Filter.stopword(name))
    return builder.filter(Filter.stemmer(name)).filter(Filter.ascii_fold()).build()


def grams(text: str) -> list[str]:
    """Return the runs of four letters in the words of a text, umlauts folded; a shorter word is one gram."""
    return [gram for word in _LETTERS.findall(text.casefold().translate(_FOLDED)) for gram in _grams_of(word)]


@lru_cache(maxsize=65536)
def _grams_of(word: str) -> tuple[str, ...]:
    return tuple(word[at : at + _GRAM] for at in range(max(1, len(word) - _GRAM + 1)))


def pairs(text: str) -> list[str]:
    """Return neighbouring words one of which has a digit, joined: "§ 78" -> "§_78", "20 mSv" -> "20_msv"."""
    words = ["§" if word[0] == "§" else word for word in _WORD.findall(text.lower())]
    return [f"{a}_{b}" for a, b in pairwise(words) if _has_digit(a) or _has_digit(b)]


def _has_digit(word: str) -> bool:
    # The first test is fast and sufficient for most words.
    return not word.isalpha() and any(letter.isdigit() for letter in word)


def telling(frequencies: Mapping[str, int], chunks: int) -> list[str]:
    """Return the grams that are in some chunks but not in many, rarest first; the rarest few in any case."""
    held = (gram for gram, chunks_with_it in frequencies.items() if chunks_with_it)
    rarest = sorted(held, key=lambda gram: (frequencies[gram], gram))
    return [gram for at, gram in enumerate(rarest) if at < _RAREST or frequencies[gram] <= _FREQUENT * chunks]
