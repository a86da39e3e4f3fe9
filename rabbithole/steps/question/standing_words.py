"""Which of a question's content words stand in the documents.

If none does, what is found by meaning is mostly noise, but not always: "Wer ist der Boss?" may find the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.index.index_terms import plain_words
from rabbithole.steps.reasoning.text.separable_verbs import other_forms
from rabbithole.steps.reasoning.text.terms import stem_set

from .models import Strange

_SEVERAL = 4
"""Minimum number of content words of a question that is strange although one of them stands in the documents."""
_COMMON = 0.05
"""A word is common if it is in at least this share of the passages."""


def strange(kb: KnowledgeBase, texts: Sequence[str], language: str) -> Strange | None:
    """Return what is strange about the words of a question and of what was said beside it; None if nothing is."""
    query = " ".join(texts)
    words = [word for word in dict.fromkeys(plain_words(query)) if stem_set(word, language)]
    found = {word: kb.chunks_with(word) for word in words}
    if sum(map(bool, found.values())) > 1:
        return None
    if language == "de" and any(map(kb.chunks_with, other_forms(query))):  # "trete ... aus": "Austritt"
        return None
    return judged(found, sum(one.chunks for one in kb.collections()))


def judged(found: Mapping[str, int], chunks: int) -> Strange | None:
    """Return what is strange about content words, each with the number of passages that have it, of ``chunks``.

    A question is strange if none of its words stands anywhere, or of several only a common one.
    """
    standing = [word for word, count in found.items() if count]
    if not found or len(standing) > 1:
        return None
    if not standing:
        return Strange(words=len(found))
    (word,) = standing
    few = len(found) < _SEVERAL or found[word] < _COMMON * chunks
    return None if few else Strange(words=len(found), only=word)
