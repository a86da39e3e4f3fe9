"""The answer workflow's decisions without a model."""

from __future__ import annotations

import asyncio

import pytest

from rabbithole.steps.models import Evidence
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.protocol import Fact, ListedResult

QUERY = "Welche Dosis gilt für Auszubildende?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welche Verträge seit 2020 gibt es?", [(">=", "2020")]),
        ("Welche Normen zwischen 2010 und 2015 gelten?", [(">=", "2010"), ("<=", "2015")]),
        ("Which reports before 2005 mention it?", [("<", "2005")]),
        ("Which standards from 2017 apply?", [(">=", "2017")]),
        ("Was gilt nach dem Gesetz?", []),
    ],
)
def test_years_become_constraints(question: str, expected: list[tuple[str, str]]) -> None:
    found = asyncio.run(ExtractiveReasoner().decompose(question, "de", ("Normen",), ("year", "type")))
    assert [(item.operator, item.value) for item in found.constraints] == expected


def test_questions_are_split_and_comparisons_name_both_sides() -> None:
    reasoner = ExtractiveReasoner()
    parts = asyncio.run(reasoner.decompose("Was regelt das Gesetz und wer haftet?", "de", (), ())).subqueries
    assert parts == ("Was regelt das Gesetz", "wer haftet (Gesetz)")
    compared = asyncio.run(reasoner.decompose("Vergleiche KTA 1401 mit KTA 1404 zur Prüfung.", "de", (), ()))
    assert compared.intent == "compare"
    assert any("KTA 1401" in part for part in compared.subqueries)


def test_select_review_and_compose(evidence: tuple[Evidence, ...]) -> None:
    reasoner = ExtractiveReasoner()
    candidates = (
        ListedResult(number=1, title="Bauordnung", document="a", page="1", snippet="Stellplätze für Fahrräder"),
        ListedResult(
            number=2, title="Dosisgesetz", document="b", page="4", snippet="Die Dosis für Auszubildende beträgt 2 mSv."
        ),
    )
    assert asyncio.run(reasoner.select(QUERY, QUERY, "de", candidates, ())).number == 2
    none = asyncio.run(reasoner.select(QUERY, "Deckungsvorsorge Zwischenlager", "de", candidates[:1], ()))
    assert none.number is None
    assert none.query
    fact = Fact(key="f1", subquery=QUERY, text="Die Dosis für Auszubildende beträgt 2 mSv.", where="§ 12")
    assert asyncio.run(reasoner.review(QUERY, "de", (QUERY,), (fact,), 5)).status == "enough"
    more = asyncio.run(reasoner.review(QUERY, "de", (QUERY, "Wer überwacht die Behörde?"), (fact,), 5))
    assert more.status == "more"
    assert more.next_call is not None
    assert asyncio.run(reasoner.review(QUERY, "de", (QUERY,), (), 0)).clarify_type == "no_results"
    assert asyncio.run(reasoner.review(QUERY, "de", (QUERY,), (), 5000)).clarify_type == "overload"

    async def composed(answer: str) -> str:
        return "".join([piece async for piece in reasoner.compose(QUERY, "de", (), evidence, answer)])

    assert asyncio.run(composed("> 2 mSv. [e0000001]")) == "> 2 mSv. [e0000001]\n"
    assert asyncio.run(composed("")).strip()


def test_the_reason_names_words_of_the_question_as_written() -> None:
    candidate = ListedResult(number=1, title="UPS", document="a", page="1", snippet="Batteries of a UPS last years.")
    question = "How many years does a UPS battery, the battery of a UPS, last?"
    chosen = asyncio.run(ExtractiveReasoner().select(question, question, "en", (candidate,), ()))
    assert chosen.reason == "covers years, UPS, battery, last"
