"""Whether a work that is cited beside the answer to a part of the question is worth reading.

A citation ("[14]") names no section whose heading could be compared, and the question's words are spread over several
parts. So the cited work's title and the sentence that cites it are compared with one part.
"""

from __future__ import annotations

from collections.abc import Mapping

from rabbithole.steps.reasoning.text.similarity import Meaning, coverage
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.reasoning.text.topic_terms import task_matter, wanted

SAID = 0.35
"""Least share of the part's words in the title and the citing sentence together."""
NAMED = 0.4
"""Least share of the title's words in the question or its part."""
_NAMING = 2
"""Least number of words of a title that can name a work; "SP 800-57" has none."""
_SHORTEST = 4


def is_worth_reading(part: str, question: str, title: str, sentence: str, language: str, meaning: Meaning) -> bool:
    """Return whether a cited work bears on a part of the question.

    Args:
        part: the task; the question itself if it has no parts.
        question: the whole question, which may name the work before the part that asks about it.
        title: the cited work's title.
        sentence: the sentence with the citation, or what is known of it.
        language: the question's language.
        meaning: tells how rare words are.
    """
    own = dict(wanted(task_matter(part, language) or part, language))
    asked = {**dict(wanted(question, language)), **own}
    name = frozenset(stem for stem in stem_set(title, language) if len(stem) >= _SHORTEST and stem.isalpha())
    said = stem_set(sentence, language)
    rarity = meaning.rarity({*asked, *name}, language, (part, question, title, sentence))
    return bears(own, frozenset(asked), name, said, rarity)


def bears(
    own: Mapping[str, float],
    asked: frozenset[str],
    title: frozenset[str],
    said: frozenset[str],
    rarity: Mapping[str, float],
) -> bool:
    """Return whether title and citing sentence have the part's own words, or the question has the title's.

    ``own``: the part's stems with weights; ``asked``: those of question and part; ``said``: the citing sentence's.
    """
    if coverage(own, title | said, rarity) >= SAID:
        return True
    return len(title) >= _NAMING and coverage(title, asked, rarity) >= NAMED
