"""The parts of a question, each with the subject that it leaves to a part before: 'when does it expire (lease)'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.steps.reasoning.parts.question_parts import TELLING, question_parts
from rabbithole.steps.reasoning.text.terms import concepts, stem_set

_MOST = 2
"""Most topics of the part before that are added."""
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|he|she|him|his|this|these|those|"
    r"er|ihn|ihm|seine[nmrs]?|sein(?=\s+(?-i:[A-ZÄÖÜ]))|ihr(?:e[nmrs]?)?|ihnen|dies\w*|"
    r"davon|dafür|dabei|darin|dazu|daran|darüber|dagegen|hiervon|hierzu|hierfür)\b|(?-i:\b(?:sie|es)\b(?!\s+(?:gibt|sich)\b))|"
    r"\b(?:that|das|so)\W*\Z",
    re.IGNORECASE,
)
_IMPERSONAL = re.compile(r"\b(?:it|es)\s+(?:is|be|gibt|ist)\s+(?:\w+\s+)?(?:to|zu|that|dass)\b", re.IGNORECASE)
_FEWEST = 2
"""Least number of content words of a part that says what it is about without the others."""


def completed_parts(question: str, language: str) -> tuple[str, ...]:
    """Return the parts of a question, each of which can be searched for without the others.

    One that refers back or says too little has topics of the part before in brackets.
    """
    return completed(question_parts(question, language), language)


def completed(parts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return ``parts``, each with what it needs from the nearest part before that says what it is about itself."""
    found: list[str] = []
    topics: tuple[str, ...] = ()
    for part in parts:
        lacking = [one for one in topics if not stem_set(one, language) & stem_set(part, language)]
        if found and lacking and needs_subject(part, language):
            found.append(f"{part} ({', '.join(lacking)})")
            continue
        found.append(part)
        matter = TELLING.sub(" ", part)
        topics = (concepts(matter, language) or _content(matter, language))[:_MOST] or topics
    return tuple(found)


def needs_subject(part: str, language: str) -> bool:
    """Return whether a part of a question leaves its subject to another: 'when does it expire', 'until when'."""
    if _REFERS.search(_IMPERSONAL.sub(" ", part)):
        return True
    return len(stem_set(part, language)) < _FEWEST


def _content(part: str, language: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"[^\W\d_]+", part) if stem_set(word, language))
