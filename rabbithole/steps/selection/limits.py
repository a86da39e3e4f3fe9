"""What limits the probability of the best unit, whatever the ranker says: what it lacks, what it merely is. Pure."""

from __future__ import annotations

from .expected import announces, figure_asked, figure_needed, may_answer, states_figure
from .features import is_headline, with_headings
from .numbered_names import is_of_another_number, numbers_asked
from .question import is_negated
from .units.candidate_units import Opened
from .weighted_question import Question

UNFIT = 0.9
"""Highest probability, as a share of the ``answered`` threshold, of a unit that cannot answer, or that has no negation
although the question has one: it may say the opposite."""
NO_ANSWER = 0.2
"""Highest probability if the best unit is a heading, or has none of the figures asked for: on real PDFs 2 of 74 such
units answered."""
OTHER_NUMBER = 0.05
"""Highest probability if a unit is about another edition or another year than the one asked for."""


def highest(question: Question, best: Opened, sentence: str, answered: float) -> float:
    """Return the highest probability that the best unit, chosen for this sentence, can have; 1 if nothing limits it."""
    part, said = question.part, f"{best.unit.head}\n{best.unit.text}"
    figure = figure_asked(part)
    stated = figure is not None and states_figure(figure, said, part.text)
    if is_of_another_number(part, numbers_asked(part), with_headings(best)):
        return OTHER_NUMBER
    # "When" is also answered by a condition, and a line that is no sentence may hold the figure: "Deadline 12 weeks".
    if not stated and (figure_needed(part) is not None or is_headline(best)):
        return NO_ANSWER
    opposite = part.negated and not is_negated(with_headings(best))
    return UNFIT * answered if opposite or announces(sentence) or not may_answer(part, said) else 1.0
