"""A part of a question with the weight of its words in a collection, and how much of its names a unit says."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from rabbithole.steps.reasoning.text.terms import stems

from .matching import Matcher
from .models import QuestionPart
from .opening import Opened

Rarity = Callable[[str, str], float]
"""How rare a stem is in the collection, from 0 (in every passage) to 1 (in none), for a language."""

_CONTEXT = 0.35
"""What a word counts that only the rest of the question has."""
_COMMON = 0.05
_UNKNOWN = 0.3
"""What a word counts that no passage has: a person's own word for the matter. A name counts in full."""


def _literal(name: str) -> re.Pattern[str]:
    """A name as it stands in texts, however its parts are joined."""
    parts = re.findall(r"[^\W\d_]+|\d+|[^\w\s-]", name)
    return re.compile(r"(?<!\w)" + r"[\s-]*".join(map(re.escape, parts)) + r"(?![\w]|\.\d)", re.IGNORECASE)


class Question:
    """A part of a question with the weight of its terms in a collection."""

    def __init__(self, part: QuestionPart, rarity: Rarity) -> None:
        self.part = part
        weights = {term.stem: term.weight for term in part.terms if term.weight > 0}
        for term in part.context:
            weights.setdefault(term.stem, _CONTEXT * term.weight)
        self.idf: Mapping[str, float] = {stem: max(rarity(stem, part.language), _COMMON) for stem in weights}
        numbered = [name for name in part.names if any(character.isdigit() for character in name)]
        self.numbered = tuple(_literal(name) for name in numbered)
        words = [name for name in part.names if name not in numbered]
        self.names = Matcher({stem: 1.0 for name in words for stem in stems(name, part.language)})
        unknown = {stem for stem, value in self.idf.items() if value >= 1.0 and stem not in self.names.weights}
        self.matcher = Matcher(
            {stem: weight * self.idf[stem] * (_UNKNOWN if stem in unknown else 1.0) for stem, weight in weights.items()}
        )
        matter = {term.stem for term in (*part.terms, *part.context) if term.weight > 0}
        self.whole = Matcher({stem: self.idf[stem] * (_UNKNOWN if stem in unknown else 1.0) for stem in matter})
        own = [term.stem for term in part.terms]
        self.pairs = tuple(itertools.pairwise(own))
        self.rarest = sorted(self.matcher.weights, key=lambda stem: (-self.matcher.weights[stem], stem))[:2]

    @cached_property
    def asks_figure(self) -> bool:
        return self.part.answer_type in ("number", "amount", "duration", "date")


def names_said(question: Question, one: Opened, unit: Sequence[str]) -> float:
    """Share of the question's names that stand in a unit, above it, or on the first lines of its document; one with a
    number must stand there as it is: 'TLS 1.3' is not said by 'TLS 1.2'."""
    words, numbered = question.names.weights, question.numbered
    if not words and not numbered:
        return 1.0
    around = f"{one.heading} {one.path} {one.title} {one.front}"
    text = f"{one.unit.head} {one.unit.text} {around}"
    said = question.names.strengths((*unit, *stems(around, question.part.language)))
    found = sum(pattern.search(text) is not None for pattern in numbered)
    return (question.names.coverage(said) * len(words) + found) / (len(words) + len(numbered))
