"""What limits the probability of the best unit, whatever the ranker says: what it lacks, what it merely is. Pure."""

from __future__ import annotations

from rabbithole.kb.search.derived_figures import figures
from rabbithole.kb.search.fiscal_years import is_fiscal, is_of_year

from .expected import announces, figure_asked, figure_needed, may_answer, states_figure
from .features import is_headline
from .units.candidate_units import Opened
from .weighted_question import Question

UNFIT = 0.9
"""Highest probability, as a share of the ``answered`` threshold, of a unit that cannot answer."""
NO_ANSWER = 0.2
"""Highest probability if the best unit is a heading, or has none of the figures asked for: on real PDFs 2 of 74 such
units answered."""
OTHER_YEAR = 0.1
"""Highest probability if a figure is asked for of a year, and the unit states it of others."""


def highest(question: Question, best: Opened, sentence: str, answered: float) -> float:
    """Return the highest probability that the best unit, chosen for this sentence, can have; 1 if nothing limits it."""
    part, said = question.part, f"{best.unit.head}\n{best.unit.text}"
    figure = figure_asked(part)
    stated = figure is not None and states_figure(figure, said)
    if _of_another_year(question, best):
        return OTHER_YEAR
    # "When" is also answered by a condition, and a line that is no sentence may hold the figure: "Deadline 12 weeks".
    if not stated and (figure_needed(part) is not None or is_headline(best)):
        return NO_ANSWER
    return UNFIT * answered if announces(sentence) or not may_answer(part, said) else 1.0


def _of_another_year(question: Question, chosen: Opened) -> bool:
    """Return whether a figure is asked for of a year that a unit, and what stands above it, does not name."""
    asked = question.part.text
    if not (question.asks_figure or is_fiscal(asked) or figures(asked)):
        return False
    above = f"{chosen.title} {chosen.path} {chosen.heading}"
    return not is_of_year(asked, f"{above} {chosen.unit.head} {chosen.unit.text}")
