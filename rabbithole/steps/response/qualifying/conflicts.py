"""Finds a second document that states a figure for the same thing, so that both are shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.phases.contradictions import disagree
from rabbithole.steps.reasoning.text.figures import counted, numbers
from rabbithole.steps.reasoning.text.terms import stem_set
from rabbithole.steps.response.models import QuotedPassage
from rabbithole.steps.response.quoting.passage_builder import PassageBuilder
from rabbithole.steps.selection import RankedUnit, Selection
from rabbithole.steps.selection.expected import figure_needed, states_figure

_NEAR = 0.5  # share of the best unit's probability
_ITEM = re.compile(r"\A\s*(?:\(\d{1,3}[a-z]?\)|\d{1,3}[a-z]?[.)]|[⁰¹²³⁴-⁹]+)\s")
_CENTS = re.compile(r"[.,]0{1,2}\Z")


def another_figure(
    selection: Selection, shown: Sequence[RankedUnit], builder: PassageBuilder
) -> tuple[QuotedPassage, ...]:
    """Return the best unit of another document with nearly the same words but a different figure, or ()."""
    first = shown[0]
    own = [first.words_of(span) for span in first.sentences]
    for other in selection.units:
        if other.unit.document == first.unit.document or other.probability < _NEAR * first.probability:
            continue
        if any(disagree(left, other.words_of(span)) for left in own for span in other.sentences):
            return (builder.passage(other, "other", cut=True),)
    return ()


def own_rule(
    kb: KnowledgeBase, selection: Selection, shown: Sequence[RankedUnit], builder: PassageBuilder
) -> tuple[QuotedPassage, ...]:
    """Return the best unit of another document that states the figure asked for in a sentence with all words asked.

    Two clubs have a fee each, and a question that names neither may mean either. If both fees are the same, either
    answers.
    """
    part, first = selection.part, shown[0]
    figure, wanted = figure_needed(part), {term.stem for term in part.terms if term.weight >= 1.0}
    if figure is None or not wanted or part.documents:
        return ()
    told = {value for span in first.sentences for value in figures_in(first.words_of(span))}
    for other in selection.units:
        if other.unit.document == first.unit.document or kb.validity_note(other.unit.document):
            continue
        said = (other.words_of(span) for span in other.sentences)
        asked = [text for text in said if states_figure(figure, text) and wanted <= stem_set(text, part.language)]
        if any(not figures_in(text) <= told for text in asked):
            return (builder.passage(other, "own rule", cut=True),)
    return ()


def figures_in(sentence: str) -> frozenset[str]:
    """Return the numbers of a sentence, in digits or words, without that of its item: 'EUR 10,00' and '10 euros'."""
    words = _ITEM.sub("", sentence)
    return frozenset(_CENTS.sub("", number) for number in (*numbers(words), *(number for number, _ in counted(words))))
