"""How what the reader finds decides between units, and between the sentences of a unit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from rabbithole.kb.store.encoders.span_reader import FoundSpans, PassageToRead
from rabbithole.steps.selection import AnswerCandidate, question_part
from rabbithole.steps.selection.features import NAMES
from rabbithole.steps.selection.models import AnswerUnit
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.ranker import VERDICT, verdict_facts
from rabbithole.steps.selection.reading import ORDER, READ, WEIGHT, decided, located
from rabbithole.steps.selection.sentence_rows import Row
from rabbithole.steps.selection.units.candidate_units import Opened

PART = question_part("How much is the deposit?", "en")


def test_the_best_score_of_a_unit_stays_and_its_order_changes() -> None:
    new = decided(np.array([2.0, 1.9, -1.0]), np.array([-3.0, -0.1, -2.5]))
    assert new.max() == pytest.approx(2.0)
    assert np.argsort(-new).tolist() == [1, 0, 2]
    assert new[1] - new[0] == pytest.approx(WEIGHT * 2.9 - 0.1)


class Last:
    """Finds the answer in the last sentence of each passage, prefers one passage, and counts what it read."""

    def __init__(self, preferred: int = -1) -> None:
        self.passages: list[PassageToRead] = []
        self._preferred = preferred

    def read(self, question: str, passages: Sequence[PassageToRead]) -> list[FoundSpans]:
        self.passages = list(passages)
        return [
            FoundSpans(float(at), float(at == self._preferred), np.array([-9.0] * (len(one.sentences) - 1) + [0.0]))
            for at, one in enumerate(passages)
        ]


def unit(at: int) -> Opened:
    text = f"Unit {at} is about keys. It is kept in the shed."
    made = AnswerUnit(document="d", section=None, page=0, start=100 * at, end=100 * at + len(text), text=text)
    candidate = AnswerCandidate(document="d", start=made.start, end=made.end)
    return Opened(
        unit=made,
        candidate=candidate,
        position=at,
        heading="Keys",
        path="",
        title="Rules",
        front="",
        outdated=False,
        units_in_section=1,
    )


def scored_units(count: int) -> tuple[list[Opened], list[Row], Floats]:
    """Return units of two sentences, each 1.0 below the one before."""
    opened = [unit(at) for at in range(count)]
    rows = [
        Row(at, start, end, one.unit.text[start:end])
        for at, one in enumerate(opened)
        for start, end in ((0, 24), (25, 47))
    ]
    return opened, rows, np.array([float(-row.opened) - 0.1 * (row.start > 0) for row in rows])


def test_only_the_best_units_are_read() -> None:
    opened, rows, scores = scored_units(READ + 2)
    reader = Last()
    found = located(reader, PART, opened, rows, scores)
    assert [one.text for one in reader.passages] == [one.unit.text for one in opened[:READ]]
    assert reader.passages[0].above == "Rules Keys: "
    for at in range(READ + 2):
        best = int(np.argmax(found.sentences[2 * at : 2 * at + 2]))
        assert best == (1 if at < READ else 0)
        assert found.sentences[2 * at : 2 * at + 2].max() == pytest.approx(-float(at))
    assert found.units.tolist() == scores.tolist()
    assert found.answers == {at: float(at) for at in range(READ)}


def test_the_unit_that_the_reader_prefers_moves_up_and_those_not_read_stay_below() -> None:
    opened, rows, scores = scored_units(READ + 2)
    found = located(Last(preferred=1), PART, opened, rows, scores)
    best = found.units.reshape(-1, 2).max(axis=1)
    assert best.tolist() == pytest.approx([-ORDER, -1.0, *(-at - ORDER for at in range(2, READ + 2))])
    assert found.sentences.reshape(-1, 2).max(axis=1).tolist() == pytest.approx(best.tolist())


def test_without_a_reader_nothing_changes() -> None:
    scores = np.array([1.0, 0.0])
    found = located(None, PART, [unit(0)], [Row(0, 0, 24, "a"), Row(0, 25, 47, "b")], scores)
    assert (found.units.tolist(), found.sentences.tolist(), found.answers) == ([1.0, 0.0], [1.0, 0.0], {})


@pytest.mark.parametrize(
    ("answers", "own", "ahead"),
    [
        ({}, -1.8, -1.1),  # not read: what is usual
        ({0: 2.0}, 2.0, 5.0),
        ({0: 2.0, 1: -2.0, 2: -4.0}, 2.0, 5.0),
        ({1: 2.0}, -1.8, -1.1),  # the best unit was not read
    ],
)
def test_facts_from_what_was_read(answers: dict[int, float], own: float, ahead: float) -> None:
    table = np.zeros((3, len(NAMES)))
    facts = verdict_facts(table, np.array([3.0, 2.0, 1.0]), np.zeros(0), [0, 1, 2], ["", "", ""], answers)
    assert set(facts) == set(VERDICT)
    assert (facts["answers"], facts["answers_ahead"]) == (own, ahead)
