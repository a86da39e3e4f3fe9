"""Numbers that speak for a sentence, from units made in the test."""

from __future__ import annotations

import numpy as np
import pytest

from rabbithole.steps.selection import AnswerCandidate, AnswerUnit, question_part
from rabbithole.steps.selection.features import NAMES, features
from rabbithole.steps.selection.nearness import Nearness, standardised
from rabbithole.steps.selection.sentence_rows import is_quotable, rows
from rabbithole.steps.selection.units.candidate_units import Opened
from rabbithole.steps.selection.weighted_question import Question


def opened(text: str, *, heading: str = "", title: str = "", rank: int = 0) -> Opened:
    return Opened(
        unit=AnswerUnit(document="d", section="d:s0", page=0, start=0, end=len(text), text=text),
        candidate=AnswerCandidate(document="d", start=0, end=len(text), rank=rank, score=1.0 / (rank + 1)),
        position=rank,
        heading=heading,
        path="",
        title=title,
        front="",
        outdated=False,
        units_in_section=1,
    )


def values(question: str, units: list[Opened], feature: str, *, nearness: Nearness | None = None) -> list[float]:
    part = question_part(question, "en")
    table = features(Question(part, lambda stem, language: 0.5), units, rows(units), nearness or Nearness())
    return [round(float(value), 3) for value in table[:, NAMES.index(feature)]]


def test_words_of_the_question_are_counted_in_the_sentence() -> None:
    units = [opened("The yearly membership fee is 40 euros."), opened("The board meets twice in every year.")]
    first, second = values("What is the membership fee?", units, "said_sentence")
    assert first > second


def test_a_heading_speaks_for_its_sentence() -> None:
    units = [
        opened("It amounts to 40 euros a year.", heading="Membership fee"),
        opened("It amounts to 40 euros a year."),
    ]
    first, second = values("What is the membership fee?", units, "said_everywhere")
    assert (first, second) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Servers that support TLS 1.3 offer this suite.", 1.0),
        ("Servers that support TLS-1.3 offer this suite.", 1.0),
        ("Servers that support TLS 1.2 offer this suite.", 0.0),
        ("Servers that support TLS 1.31 offer this suite.", 0.0),
    ],
)
def test_a_name_with_a_number_must_stand_there_as_it_is(text: str, said: float) -> None:
    assert values("Which suites are offered by TLS 1.3 servers?", [opened(text)], "names_said") == [said]


def test_a_question_without_names_lacks_none() -> None:
    assert values("what is the fee?", [opened("The yearly fee is 40 euros.")], "names_said") == [1.0]


def test_the_kind_of_answer_is_looked_for() -> None:
    units = [opened("Notice is given four weeks before the end."), opened("Notice is given to the board in writing.")]
    assert values("How long before is notice given?", units, "holds_kind") == [1.0, -1.0]


def test_denying_sentences_answer_questions_that_deny() -> None:
    units = [opened("Guests who do not pay may not vote here."), opened("Guests who pay may vote in the hall.")]
    assert values("Who may not vote?", units, "negation") == [1.0, -1.0]


def test_cosines_count_relative_to_the_others() -> None:
    units = [opened(f"Sentence number {n} is about this and that.") for n in range(3)]
    near = [np.array([0.2, 0.5, 0.8]), np.array([0.62, 0.65, 0.68])]
    scaled = [values("what is it about?", units, "near_sentence", nearness=Nearness(sentences=one)) for one in near]
    assert scaled[0] == scaled[1]


def test_equal_values_say_nothing() -> None:
    assert not standardised(np.array([0.4, 0.4])).any()


def test_no_sentences_no_rows() -> None:
    question = Question(question_part("what is it?", "en"), lambda stem, language: 0.5)
    assert features(question, [], [], Nearness()).shape == (0, len(NAMES))


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("The fee is 40 euros a year.", True),
        ("| Fee | 40 euros |", True),
        ("Annex I\n| Goods | Price | Duty | Origin |\n| --- | --- | --- | --- |\n| Eggs | 3 | 0 | AR |", True),
        ("Annex I\n| Goods | Price | Duty | Origin |\n| --- | --- | --- | --- |", False),
        ("4.2 Fees ........................ 17", False),
        ("Client ------ ------ Hello -----> <----- Retry", False),
        ("17", False),
    ],
)
def test_what_can_be_quoted(text: str, quotable: bool) -> None:
    assert is_quotable(text) is quotable


@pytest.mark.parametrize(("question", "said"), [("Which filter is better?", 1.0), ("What is the aim of it?", 0.0)])
def test_the_aim_of_a_study_counts_as_announced(question: str, said: float) -> None:
    units = [opened("The aim of this study is to find the better filter."), opened("The second filter is better.")]
    assert values(question, units, "announces") == [said, 0.0]


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Duties of the tenants of gardens", [1.0, 0.0]), ("gardens", [0.0, 0.0]), ("Who mows the lawn?", [0.0, 0.0])],
)
def test_a_section_may_be_asked_for_by_its_heading(question: str, asked: list[float]) -> None:
    units = [
        opened("The lawn is mown once a week.", heading="Duties of tenants of gardens"),
        opened("The tenants of gardens have duties that are listed here.", heading="Scope"),
    ]
    assert values(question, units, "heading_asked") == pytest.approx(asked)


def test_an_acronym_asked_for_is_missed_where_another_unit_has_it() -> None:
    texts = ["Codes are sent by SMS.", "Codes are sent by letter."]
    units = [opened(texts[0]), opened(texts[1]), opened(texts[1], heading="SMS and letters")]
    assert values("May codes be sent by SMS?", units, "lacks_acronym") == [0.0, 1.0, 0.0]
    assert values("May codes be sent by SMS?", units[1:2], "lacks_acronym") == [0.0]
