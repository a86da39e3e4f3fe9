"""Selects what answers a question: answer units, their features, a learned ranker, a calibrated probability.

``question_part`` builds the part of a question, ``gather`` its candidates, and ``select`` chooses among them. Research,
``ask`` and plain answers use the same ranker.
"""

from .candidates import gather
from .models import AnswerCandidate, AnswerUnit, QuestionPart, RankedUnit, ScoredSpan, Selection, Term
from .question import question_part
from .select import select, select_units

__all__ = [
    "AnswerCandidate",
    "AnswerUnit",
    "QuestionPart",
    "RankedUnit",
    "ScoredSpan",
    "Selection",
    "Term",
    "gather",
    "question_part",
    "select",
    "select_units",
]
