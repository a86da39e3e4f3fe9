"""What is chosen from several sets of candidates: reached by references, in some documents, in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import choosing
from rabbithole.steps.response.choosing import Chooser, keeps_to, likelier
from rabbithole.steps.selection import AnswerCandidate, AnswerUnit, QuestionPart, RankedUnit, Selection, question_part
from tests.kb_records import knowledge_base, record


@pytest.mark.parametrize(("with_it", "without", "chosen"), [(0.1, 0.3, 0.3), (0.4, 0.3, 0.4), (0.3, 0.3, 0.3)])
def test_a_place_reached_never_makes_the_answer_less_likely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_it: float, without: float, chosen: float
) -> None:
    rules = record(
        "Rules of the Garden", [("1", "Fee\nThe fee is 20 euros."), ("2", "Keys\nA key is lent.")], language="en"
    )
    reached = AnswerCandidate(document=rules.document.id, start=10_000, end=10_001, rank=0, score=1.0)

    def select(kb: KnowledgeBase, part: QuestionPart, found: Sequence[AnswerCandidate], **_: Any) -> Selection:
        probability = with_it if reached in found else without
        return Selection(part=part, units=(), shown=0, probability=probability, status="none")

    monkeypatch.setattr(choosing, "select", select)
    with knowledge_base(tmp_path, rules) as kb:
        question = "How much is the fee?"
        chooser = Chooser(kb, understand(kb, question, "en"), (), (), (reached,))
        made = chooser.choose(question)
    assert made.selection.probability == chosen
    assert reached in made.candidates


def selected(probability: float, status: Any, *, units: int = 1) -> Selection:
    unit = AnswerUnit(document="a", section=None, page=0, start=0, end=1, text="x")
    ranked = RankedUnit(unit=unit, score=0.0, probability=probability)
    part = QuestionPart(text="q", language="en", terms=())
    return Selection(part=part, units=(ranked,) * units, probability=probability, status=status)


@pytest.mark.parametrize(
    ("led", "found", "kept"),
    [
        (selected(0.7, "answered"), selected(0.8, "answered"), True),
        (selected(0.6, "answered"), selected(0.9, "answered"), False),  # much likelier elsewhere
        (selected(0.1, "none"), selected(0.25, "none"), True),
        (selected(0.1, "none"), selected(0.4, "partly"), False),
        (selected(0.5, "partly"), selected(0.6, "answered"), False),
        (selected(0.1, "none", units=0), selected(0.1, "none"), False),
    ],
)
def test_a_follow_up_keeps_to_its_documents_unless_others_are_clearly_likelier(
    led: Selection, found: Selection, kept: bool
) -> None:
    assert keeps_to(led, found) is kept


@pytest.mark.parametrize(("inside", "everywhere", "within"), [(0.3, 0.2, True), (0.2, 0.3, False), (0.2, 0.2, False)])
def test_a_document_with_a_noun_of_the_question_in_its_title_is_taken_if_likelier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: float, everywhere: float, within: bool
) -> None:
    titled = record("Mietverträge", [("1", "Das Feld wird ausgefüllt.")])
    other = record(
        "Handbuch", [("1", "Die Schlüssel liegen bereit. " * 20 + "Ein Mietvertrag braucht keinen Stempel.")]
    )

    def select(kb: KnowledgeBase, part: QuestionPart, found: Sequence[AnswerCandidate], **_: Any) -> Selection:
        probability = inside if part.documents == (titled.document.id,) else everywhere
        return Selection(part=part, units=(), shown=0, probability=probability, status="none")

    monkeypatch.setattr(choosing, "select", select)
    with knowledge_base(tmp_path, titled, other) as kb:
        question = "Braucht ein Mietvertrag einen Stempel?"
        understood = understand(kb, question, "de").model_copy(update={"titled": (titled.document.id,)})
        made = Chooser(kb, understood, (), (), ()).choose(question)
    assert made.selection.probability == (inside if within else everywhere)


def chosen_units(probability: float, order: Sequence[int], shown: int = 1) -> Selection:
    part = question_part("How much is the fee?", "en")
    units = [
        RankedUnit(
            unit=AnswerUnit(document="d", section=None, page=0, start=10 * at, end=10 * at + 5, text=f"Fee {at}"),
            score=1.0,
            probability=probability,
        )
        for at in order
    ]
    return Selection(part=part, units=tuple(units), shown=shown, probability=probability, status="none")


@pytest.mark.parametrize(
    ("with_it", "without", "starts"),
    [
        (chosen_units(0.1, [9, 1, 2]), chosen_units(0.3, [1, 2]), [10, 90, 20]),  # 9: the place reached
        (chosen_units(0.4, [9, 1, 2]), chosen_units(0.3, [1, 2]), [90, 10, 20]),
        (chosen_units(0.1, [9, 1, 2]), chosen_units(0.3, [1, 2, 3], shown=2), [10, 20, 90]),
        (chosen_units(0.0, []), chosen_units(0.3, [1]), [10]),
    ],
)
def test_a_place_reached_stands_after_what_is_likelier_without_it(
    with_it: Selection, without: Selection, starts: list[int]
) -> None:
    assert [one.unit.start for one in likelier(with_it, without).units] == starts
