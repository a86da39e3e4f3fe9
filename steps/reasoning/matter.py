"""What a question or task is about, apart from the words that only say what is wanted of it."""

from __future__ import annotations

import re
from functools import lru_cache

from ..phrases import phrases
from .aspects import is_cue
from .terms import concepts, stem_set

_GAP = 12  # characters between two concepts that belong together: 'Grenzwerte der effektiven Dosis'
_CUE_WEIGHT = 0.35
_POINTING = re.compile(
    r"\b(?:davon|dafür|dabei|dazu|darüber|darin|hiervon|hierzu|hierfür|that|this|it|them|these|those)\b", re.IGNORECASE
)
_JOINING = re.compile(r"\s(?:(?:der|des|die|das|von|vom|zur|zum|für|of|the|for|in|im|an?)\s)*")


@lru_cache(maxsize=4)
def _planning_words(language: str) -> frozenset[str]:
    """Stems of the fixed words tasks are made of: 'Ausnahmen und Abweichungen zu ... ermitteln'."""
    fixed = (text for key, text in phrases(language).items() if key.startswith("reasoning.task_"))
    return frozenset().union(*(stem_set(re.sub(r"\{\w+\}", " ", text), language) for text in fixed))


@lru_cache(maxsize=4096)
def wanted(text: str, language: str) -> tuple[tuple[str, float], ...]:
    """(stem, weight) of the content words; words that only name an aspect weigh little."""
    weights: dict[str, float] = {}
    for word in re.findall(r"[^\W_][\w-]*", text):
        for stem in stem_set(word, language):
            weights[stem] = max(weights.get(stem, 0.0), _CUE_WEIGHT if is_cue(word) else 1.0)
    return tuple(sorted(weights.items()))


def task_matter(text: str, language: str) -> str:
    """The task without the planning words: what has to be found in a text."""
    words = [word for word in text.split() if not stem_set(word, language) <= _planning_words(language)]
    return " ".join(words) or text


def matter_terms(text: str, language: str) -> tuple[str, ...]:
    """Concepts of a question or task that a text can be expected to name."""
    planning = _planning_words(language)
    return tuple(
        term
        for term in concepts(text, language)
        if not stem_set(term, language) <= planning and not all(is_cue(word) for word in term.split())
    )


def points(text: str) -> bool:
    """Whether a part of a question says what it is about only by pointing: 'dafür', 'davon', 'that', 'it'."""
    return bool(_POINTING.search(text))


def subject(question: str, terms: tuple[str, ...]) -> str:
    """What a question is about in a few words: its first concept, with the second where they stand together."""
    if not terms:
        return question.strip().rstrip("?")
    start = question.find(terms[0])
    if len(terms) > 1 and start >= 0:
        second = question.find(terms[1], start)
        between = question[start + len(terms[0]) : second] if second >= 0 else ","
        if len(between) <= _GAP and _JOINING.fullmatch(between):
            return question[start : second + len(terms[1])]
    return terms[0]
