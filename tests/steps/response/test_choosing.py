"""What references led to beside what the search found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.response import choosing
from rabbithole.steps.response.choosing import Chooser
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, Selection
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
