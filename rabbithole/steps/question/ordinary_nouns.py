"""Tells ordinary German nouns from names: both have capitals, but only of a noun there is one, none or each.

'Wer unterschreibt einen Mietvertrag?' asks about contracts, whichever document has the word in its title; 'an der HTW
Dresden' names whose rules are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.notation.quotation_marks import quoted
from rabbithole.steps.reasoning.text.terms import stem_set, stems

_READ = 30
"""Number of passages with a word that are looked at."""
_ONE_OF_MANY = re.compile(
    r"\b(?i:k?ein(?:e[nmrs]?)?|jede[nmrs]?|manche[nmrs]?|mehrere[nr]?|solche[nmrs]?|beliebige[nmrs]?)"
    r"(?:\s+[a-zäöüß]+e[nmrs]?)?\s+(?P<noun>[A-ZÄÖÜ][a-zäöüß]+)(?![\w-]|\s+[A-ZÄÖÜ])"
)
"""The article of an unspecified thing, perhaps an adjective, and the noun; 'ein Mannheimer Verein' speaks of clubs."""
_MARKED = re.compile(r"\d|\w[A-ZÄÖÜ]")
"""An abbreviation, a designation or a name with capitals inside."""
_SOURCE = re.compile(r"\b(?:[Ll]aut|[Gg]emäß)\s+(?:de[rmns]\s+)?([A-ZÄÖÜ][\w-]+)")
_QUOTED = re.compile(quoted(2, 200))


def nouns_of(text: str, language: str) -> frozenset[str]:
    """Return the stems of the words that a German text speaks of as one of many.

    >>> sorted(nouns_of("Enthält ein kurzer Brief der Bahn keine Anrede?", "de"))
    ['anred', 'brief']
    """
    found = {match["noun"] for match in _ONE_OF_MANY.finditer(text)}
    return stem_set(" ".join(found), language)


def designating(query: str, language: str) -> frozenset[str]:
    """Return the stems of the words of a question that cannot be ordinary nouns.

    These are abbreviations, words with a digit, quoted ones and those that it gives as the source ('laut Satzung').
    """
    marked = [word for word in re.findall(r"[\w-]+", query) if _MARKED.search(word)]
    said = [*(match.group() for match in _QUOTED.finditer(query)), *_SOURCE.findall(query)]
    return stem_set(" ".join((*marked, *said)), language)


def ordinary(
    kb: KnowledgeBase, query: str, names: Iterable[str], language: str, collections: Sequence[str] = ()
) -> frozenset[str]:
    """Return those of the capitalised words of a question, given by their stems, that are ordinary nouns.

    The question or a passage that has the word speaks of it as one of many. Only German writes all nouns with capitals.
    """
    if language != "de":
        return frozenset()
    unsure = frozenset(names) - designating(query, language)
    told = nouns_of(query, language)
    return frozenset(stem for stem in unsure if stem in told or _is_noun(kb, stem, query, language, collections))


def _is_noun(kb: KnowledgeBase, stem: str, query: str, language: str, collections: Sequence[str]) -> bool:
    spelled = next((word for word in re.findall(r"\w+", query) if stem in stems(word, language)), stem)
    hits = kb.search(spelled, collections, mode="keyword", top_k=_READ).hits
    return any(stem in nouns_of(hit.chunk.text, language) for hit in hits)
