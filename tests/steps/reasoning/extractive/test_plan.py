"""The plan without a model: what the question asks and what the passages say that may change its answer, no more."""

from __future__ import annotations

import asyncio

import pytest

from rabbithole.steps.models import Anchor
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Passage


def test_parts_and_findings_are_told_from_tasks_of_a_model(passages: tuple[Passage, ...], anchor: Anchor) -> None:
    drafts = asyncio.run(ExtractiveReasoner().plan(anchor, passages, 5))
    assert {draft.origin for draft in drafts} <= {"part", "search"}


def planned(anchor: Anchor, *passages: Passage, wanted: int = 5) -> list[str]:
    drafts = asyncio.run(ExtractiveReasoner().plan(anchor, passages, wanted))
    assert all(draft.context for draft in drafts)
    return [draft.text for draft in drafts]


def passage(text: str, where: str = "rules.pdf, 4 Lending, p. 3") -> Passage:
    return Passage(key="e0000001", where=where, text=text)


def test_the_parts_of_a_question_are_tasks(passages: tuple[Passage, ...], anchor: Anchor) -> None:
    texts = planned(anchor, *passages)
    assert len(texts) == len(set(texts)) >= 2
    assert anchor.query not in texts
    assert any("abgewichen" in text for text in texts)
    assert len(planned(anchor, *passages, wanted=1)) == 1


def test_a_task_has_the_subject_that_its_part_leaves_to_another() -> None:
    asked = Anchor(query="What is a lease and when does it expire?", language="en")
    assert planned(asked) == ["What is a lease?", "When does it expire (lease)?"]


def test_without_parts_and_findings_there_is_only_the_question() -> None:
    asked = Anchor(query="How long may a microscope be kept at home?", language="en")
    assert planned(asked) == []
    assert planned(asked, passage("A microscope may be kept at home for fourteen days in every case.")) == []


@pytest.mark.parametrize(
    ("question", "language", "text", "task"),
    [
        (
            "How long may a microscope be kept at home?",
            "en",
            "A microscope may be kept at home for fourteen days unless another member has asked for it.",
            'Exception in rules, 4 Lending, p. 3: "A microscope may be kept at home',
        ),
        (
            "How long may a microscope be kept at home?",
            "en",
            "A microscope may be kept at home for fourteen days only if the deposit has been paid in full.",
            'Condition in rules, 4 Lending, p. 3: "A microscope may be kept at home',
        ),
        (
            "How long may a precision microscope be kept at home?",
            "en",
            "Precision microscope means any microscope with an adjustable stage and a serial number. It may be kept at "
            "home for fourteen days.",
            'Definition of "precision microscope" in rules, 4 Lending, p. 3.',
        ),
        (
            "Wie lange darf ein Präzisionsmikroskop behalten werden?",
            "de",
            "Ein Präzisionsmikroskop im Sinne dieser Ordnung ist ein Mikroskop mit Messtisch und Nummer. Ein "
            "Präzisionsmikroskop darf vierzehn Tage behalten werden.",
            "Begriffsbestimmung von „Präzisionsmikroskop“ in rules, 4 Lending, S. 3.",
        ),
    ],
)
def test_what_may_change_the_answer_is_a_task_with_its_place(
    question: str, language: str, text: str, task: str
) -> None:
    (found,) = planned(Anchor.model_validate({"query": question, "language": language}), passage(text))
    assert found.startswith(task)


@pytest.mark.parametrize(
    "text",
    [
        "Keep the microscope at home: the fee is EUR 150 for members and EUR 20.00 for pupils of the school.",
        "LISTEN 127.0.0.1 3493 is the address of the server that says how long a microscope is at home.",
        "Version 2.7.2 of the list of microscopes at home replaces version 2.7.1 of the list.",
        "7 28-36 microscope home unless 7 49-57 kept home 7 72-80 long 8 18-34 microscope 8 49-57 home",
        "The garden is open to members unless it rains; the key hangs beside the door of the shed.",
    ],
)
def test_amounts_addresses_versions_forms_and_other_subjects_are_no_tasks(text: str) -> None:
    near = passage("A microscope may be kept at home for fourteen days in every case.")
    assert planned(Anchor(query="How long may a microscope be kept at home?", language="en"), near, passage(text)) == []
