"""A part of a question with its words weighted by rarity, and the share of its names that a unit contains."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from rabbithole.steps.reasoning.text.terms import stems

from .matching import Matcher
from .models import QuestionPart
from .units.candidate_units import Opened

Rarity = Callable[[str, str], float]
"""Returns how rare a stem is in the collection for a language, from 0 (in every passage) to 1 (in none)."""

_CONTEXT = 0.35
"""Weight of a word that occurs only in the rest of the question."""
_JOINT = r"[\s-]*"
_VERSION = rf"{_JOINT}(?:versions?\s+|v\.?\s*)?"
_COMMON = 0.05
_UNKNOWN = 0.3
"""Weight of a word that no passage has, such as a person's own word for the subject. Names keep their full weight."""


def _literal(name: str) -> re.Pattern[str]:
    """Return a pattern that finds a name in texts, however its parts are joined: "TLS 1.3" in "TLS version 1.3"."""
    parts = re.findall(r"[^\W\d_]+|\d+|[^\w\s-]", name)
    written = re.escape(parts[0]) if parts else ""
    for before, after in itertools.pairwise(parts):
        written += (_VERSION if before.isalpha() and after.isdigit() else _JOINT) + re.escape(after)
    return re.compile(rf"(?<!\w){written}(?![\w]|\.\d)", re.IGNORECASE)


class Question:
    """A part of a question with the weights of its terms in a collection."""

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
        return self.part.answer_type in ("number", "amount", "duration", "times", "date")


def names_said(question: Question, one: Opened, unit: Sequence[str]) -> float:
    """Return the share of the question's names that occur in a unit, above it or in its document's first lines.

    A name with a number must occur as it is written: 'TLS 1.2' does not match 'TLS 1.3'. Returns 1.0 if the question
    has no names.
    """
    words, numbered = question.names.weights, question.numbered
    if not words and not numbered:
        return 1.0
    around = f"{one.heading} {one.path} {one.title} {one.front}"
    text = f"{one.unit.head} {one.unit.text} {around}"
    said = question.names.strengths((*unit, *stems(around, question.part.language)))
    found = sum(pattern.search(text) is not None for pattern in numbered)
    return (question.names.coverage(said) * len(words) + found) / (len(words) + len(numbered))
