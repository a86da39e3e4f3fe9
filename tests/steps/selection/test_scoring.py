"""Scores of units made in the test: a chapter that the question names, and units without the figure asked for."""

from __future__ import annotations

import pytest

from rabbithole.steps.selection import AnswerCandidate, question_part
from rabbithole.steps.selection.models import AnswerUnit
from rabbithole.steps.selection.ranker import load
from rabbithole.steps.selection.scoring import NAMED_CHAPTER, scored
from rabbithole.steps.selection.units.candidate_units import Opened
from rabbithole.steps.selection.weighted_question import Question

TEXT = "The highest score of the game is 48 points."


def unit(at: int, *chapters: str) -> Opened:
    return Opened(
        unit=AnswerUnit(document="d", section=f"d:s{at}", page=0, start=100 * at, end=100 * at + len(TEXT), text=TEXT),
        candidate=AnswerCandidate(document="d", start=100 * at, end=100 * at + len(TEXT), rank=0, score=1.0),
        position=0,
        heading="Score",
        path="",
        chapters=chapters,
        title="Games",
        front="",
        outdated=False,
        units_in_section=1,
    )


@pytest.mark.parametrize(
    ("chapter", "lead"),
    [
        ("Carpet", NAMED_CHAPTER),
        ("Carpets", NAMED_CHAPTER),
        ("Magic Carpet", 0.0),  # another game
        ("Game", 0.0),  # a common word names no chapter
        ("Spider", 0.0),
    ],
)
def test_a_chapter_that_the_question_names_leads(chapter: str, lead: float) -> None:
    part = question_part("What is the highest score of a game of Carpet?", "en")
    question = Question(part, lambda stem, language: 0.9 if stem == "carpet" else 0.2)
    found = scored(question, [unit(0), unit(1, chapter)], None, load())
    assert found.scores[1] - found.scores[0] == pytest.approx(lead)
