"""German words of the same meaning: 'Selbstmord' and 'Selbsttötung', 'Windrad' and 'Windenergieanlage'.

The groups are those of OpenThesaurus (``pack_german.py``). English has none: the groups of WordNet, tried the same way,
changed two of 128 answers, one for the worse (docs/rejected.md).
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from rabbithole.kb.notation.quotation_marks import quoted
from rabbithole.kb.store.index.index_terms import LANGUAGES, analyzer, plain_words

_MOST = 4
"""Maximum number of synonyms that a word is also searched by."""
_MEANINGS = 2
"""A word of more meanings ("Schluss", "Leute", "still") has too many synonyms of which one is meant."""
_COMMON = 0.03
"""A synonym in more than this share of the chunks says little about what was meant."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_QUOTED = re.compile(quoted(1))
_LETTERS = re.compile(r"[^\W\d_]+")


class Thesaurus:
    """Groups of words with the same meaning; a word is found in any of its forms."""

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self._groups = [tuple((word, stem) for word in group if (stem := _stem(word))) for group in groups]
        self._of: dict[str, list[int]] = defaultdict(list)
        for at, group in enumerate(self._groups):
            for stem in dict.fromkeys(stem for _, stem in group):
                self._of[stem].append(at)

    def words(self, word: str, *, cased: bool = True) -> tuple[str, ...]:
        """Return the synonyms of a word that are other words, not other forms of it; none of a word of many meanings.

        ``cased``: a word with a capital is a noun and has the synonyms of the noun ('Lohn', not 'lohnen'), another one
        those of a verb or adjective.
        """
        own = _stem(word)

        def meant(other: str) -> bool:
            return not cased or other[0].isupper() == word[0].isupper()

        groups = [self._groups[at] for at in self._of.get(own, ())]
        told = [group for group in groups if any(stem == own and meant(other) for other, stem in group)]
        if len(told) > _MEANINGS:
            return ()
        return tuple(dict.fromkeys(other for group in told for other, stem in group if stem != own and meant(other)))


@lru_cache(maxsize=1)
def german() -> Thesaurus:
    """Return the thesaurus; the first call takes a fifth of a second."""
    packed = (files(__package__) / "german.json.gz").read_bytes()
    return Thesaurus([group.split("|") for group in json.loads(gzip.decompress(packed))])


def synonyms(
    query: str, thesaurus: Callable[[], Thesaurus], chunks_with: Callable[[str], int], chunks: int
) -> Mapping[str, tuple[str, ...]]:
    """Return the words of a query that none of so many ``chunks`` has, with their synonyms that some have.

    ``thesaurus`` is loaded only for a query with such a word. ``chunks_with`` returns how many chunks have a word. The
    most frequent synonyms come first. The words of a question in English have none.
    """
    if is_english(query):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for word in dict.fromkeys(_WORD.findall(query)):
        if chunks_with(word.lower()):
            continue
        counts = {other: chunks_with(other.lower()) for other in thesaurus().words(word, cased=is_cased(word, query))}
        standing = [other for other, count in counts.items() if 0 < count <= _COMMON * chunks]
        if standing:
            found[word] = tuple(sorted(standing, key=lambda other: -counts[other])[:_MOST])
    return found


def is_english(query: str) -> bool:
    """Return whether a query has more English function words than German ones, apart from what it quotes."""
    own = plain_words(_QUOTED.sub(" ", query))
    counts = {language: sum(not analyzer(language, stop=True).analyze(word) for word in own) for language in LANGUAGES}
    return counts["en"] > counts["de"]


def is_cased(word: str, query: str) -> bool:
    """Return whether a capital tells that a word is a noun: not at the beginning, nor in a query without capitals."""
    return not query.startswith(word) and any(one[0].isupper() for one in _LETTERS.findall(query)[1:])


def _stem(word: str) -> str:
    """Return the stem of a word, or '' for a stop word or a word that is split into several."""
    stems = analyzer("de", stop=True).analyze(word)
    return stems[0] if len(stems) == 1 else ""
