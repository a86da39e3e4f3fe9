"""Finds words of similar meaning: 'fee' and 'cost', 'Bußgeld' and 'Geldbuße', 'employees' and 'staff'.

The encoder compares single words. Unlike the cosines of sentences, those of words are comparable between questions:
unrelated words have 0.2 to 0.45, inflected forms and synonyms more than 0.55. In German a thesaurus adds synonyms that
the encoder does not know.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from rabbithole.kb.search.thesaurus.thesaurus import german, is_cased
from rabbithole.steps.reasoning.text.terms import stems
from rabbithole.steps.reasoning.text.vector_cache import VectorCache

from .matching import Alike

_FROM, _TO = 0.5, 0.9
_MOST = 0.8
"""Highest strength of a different word with the same meaning; the word itself counts 1."""
_SHORTEST = 4
_WORD = re.compile(r"[^\W\d_]+")


def alike(vectors: VectorCache, asked: str, terms: Iterable[str], texts: Iterable[str], language: str) -> Alike:
    """Return, for each stem of ``texts``, the ``terms`` of similar meaning with their strength (0-1).

    ``asked`` is the text whose words the terms are stems of.
    """
    of_question = surfaces([asked], language)
    wanted = {term: of_question.get(term, term) for term in terms if len(term) >= _SHORTEST and not term.isdigit()}
    said = surfaces(texts, language)
    if not wanted or not said:
        return {}
    synonyms = _synonyms(asked, wanted, said) if language == "de" else {}
    cosines = vectors(list(said.values())) @ vectors(list(wanted.values())).T
    strengths = _MOST * np.clip((cosines - _FROM) / (_TO - _FROM), 0.0, 1.0)
    names = list(wanted)
    found: dict[str, dict[str, float]] = {}
    for stem, row in zip(said, strengths, strict=True):
        own = {names[at]: float(row[at]) for at in np.flatnonzero(row > 0.05)}
        own |= dict.fromkeys(synonyms.get(stem, ()), _MOST)
        if own:
            found[stem] = own
    return found


def _synonyms(asked: str, wanted: Mapping[str, str], said: Collection[str]) -> Mapping[str, Sequence[str]]:
    """Return, for each stem that is ``said``, the wanted stems whose word has it as a synonym."""
    found: dict[str, list[str]] = defaultdict(list)
    for term, word in wanted.items():
        others = german().words(word, cased=is_cased(word, asked))
        for stem in {each for other in others for each in stems(other, "de")} & set(said):
            found[stem].append(term)
    return found


def surfaces(texts: Iterable[str], language: str) -> Mapping[str, str]:
    """Return, for each stem of the content words, the shortest word that has this stem."""
    found: dict[str, str] = {}
    for text in texts:
        for word in set(_WORD.findall(text)):
            if len(word) < _SHORTEST:
                continue
            for stem in stems(word, language):
                if stem not in found or (len(word), word) < (len(found[stem]), found[stem]):
                    found[stem] = word
    return found
