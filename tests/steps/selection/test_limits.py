"""What limits the probability of a unit, whatever the ranker says."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection import AnswerCandidate, question_part
from rabbithole.steps.selection.limits import NO_ANSWER, UNFIT, highest
from rabbithole.steps.selection.models import AnswerUnit
from rabbithole.steps.selection.units.candidate_units import Opened
from rabbithole.steps.selection.weighted_question import Question

ANSWERED = 0.6


def unit(text: str) -> Opened:
    return Opened(
        unit=AnswerUnit(document="d", section="d:s0", page=0, start=0, end=len(text), text=text),
        candidate=AnswerCandidate(document="d", start=0, end=len(text), rank=0, score=1.0),
        position=0,
        heading="Recovery",
        path="",
        title="Manual",
        front="",
        outdated=False,
        units_in_section=1,
    )


@pytest.mark.parametrize(
    ("question", "text", "limit"),
    [
        ("Which bookings does it restore?", "Replaying the file restores all bookings of the day.", 1.0),
        (
            "Which bookings does it not restore?",
            "Replaying the file restores all bookings of the day.",
            UNFIT * ANSWERED,
        ),
        ("Which bookings does it not restore?", "Bookings of other files are not restored.", 1.0),
        ("How many years does a 50-year-old lose?", "These are the years lost of a 50-year-old.", NO_ANSWER),
        ("How many years does a 50-year-old lose?", "A 50-year-old loses 7 years.", 1.0),
    ],
)
def test_limits(question: str, text: str, limit: float) -> None:
    part = Question(question_part(question, "en"), lambda stem, language: 0.5)
    assert highest(part, unit(text), text, ANSWERED) == limit
