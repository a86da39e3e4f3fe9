"""Which sentences answer a question: answer units, their features, a learned ranker, a calibrated probability.

``question_part`` makes what is asked, ``gather`` what may answer it, ``select`` decides. One ranker serves research,
``ask`` and plain answers; the answer itself is put together in ``steps/response``.
"""

from .candidates import gather
from .models import AnswerUnit, Candidate, QuestionPart, RankedUnit, ScoredSpan, Selection, Term
from .question import question_part
from .select import select, select_units

__all__ = [
    "AnswerUnit",
    "Candidate",
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
