"""Checks and corrections of a model's answers before they are used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.steps.models import Analysis, Anchor, Answer, ClarifyingQuestion, Evidence, Round, TaskSummary, Todo
from rabbithole.steps.reasoning.client.answer_shape import json_schema
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.llm.schemas import gate_of
from rabbithole.steps.reasoning.protocol import (
    GateCandidate,
    GateDecision,
    Passage,
    QualityRequest,
    Reasoner,
    Remedy,
    TodoDraft,
)
from rabbithole.steps.report_models import Quality

T = TypeVar("T")


def answered(said: dict[str, Any], ask: Callable[[Reasoner], Awaitable[T]]) -> T:
    """Return the result made from a model's answer."""

    async def asked(url: str) -> T:
        reasoner = make_reasoner(settings_for(url))
        try:
            return await ask(reasoner)
        finally:
            await reasoner.close()

    with running(Behaviour(fixed_text=json.dumps(said, ensure_ascii=False))) as server:
        return asyncio.run(asked(server.url))


def summed(anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...], *findings: dict[str, Any]) -> TaskSummary:
    said = {"findings": list(findings), "gaps": [], "relevance": 70}
    return answered(said, lambda reasoner: reasoner.summarise(anchor, task, evidence))


def finding(text: str, *evidence: int) -> dict[str, Any]:
    return {"text": text, "evidence": [f"E{number}" for number in evidence]}


def test_findings_carry_the_keys_of_the_evidence_they_name(
    anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...]
) -> None:
    limit = "Für beruflich exponierte Personen gilt ein Grenzwert von 18 Millisievert im Kalenderjahr."
    found = summed(anchor, task, evidence, finding(limit, 1), finding("Die Gründe sind festzuhalten (§ 14).", 2, 9))
    assert found.findings == (f"{limit} [e0000001]", "Die Gründe sind festzuhalten (§ 14). [e0000002]")
    assert found.relevance == 70
    assert not found.degraded


@pytest.mark.parametrize(
    "wrong",
    [
        finding("Für beruflich exponierte Personen gilt ein Grenzwert von 50 Millisievert im Kalenderjahr.", 1),
        finding("Für beruflich exponierte Personen gilt ein Grenzwert von 18 Millisievert im Kalenderjahr.", 2),
        finding("Für beruflich exponierte Personen gilt ein Grenzwert im Kalenderjahr.", 7),
        finding("", 1),
    ],
    ids=["a figure the evidence has not", "other evidence", "no evidence", "nothing"],
)
def test_findings_the_evidence_does_not_bear_are_dropped(
    anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...], wrong: dict[str, Any]
) -> None:
    right = finding("Die Gründe einer Abweichung von den Grenzwerten sind von dem festzuhalten, der sie nutzt.", 2)
    assert len(summed(anchor, task, evidence, wrong, right).findings) == 1
    alone = summed(anchor, task, evidence, wrong)
    assert alone.degraded, "none left: said without the model, and that is said"
    assert alone.findings


def gated(anchor: Anchor, task: Todo, related: list[str], count: int) -> tuple[GateDecision, ...]:
    candidates = [
        GateCandidate(
            id=f"c{number}", text=f"§ {number}", context=f"nach § {number} gilt", target=f"XG, § {number} Ort"
        )
        for number in range(1, count + 1)
    ]
    said = {"subject": "Grenzwerte", "related": related}
    return answered(said, lambda reasoner: reasoner.gate(anchor, task, candidates))


def test_references_on_the_subject_are_followed_with_a_reason_in_the_persons_language(
    anchor: Anchor, task: Todo
) -> None:
    decided = gated(anchor, task, ["r1", "R3 ", "r3", "r99"], 5)
    assert [one.id for one in decided] == ["c1", "c2", "c3", "c4", "c5"]
    assert [one.follow for one in decided] == [True, False, True, False, False]
    assert decided[0].reason == "Nach Einschätzung des Modells betrifft „XG, § 1 Ort“ die Aufgabe."
    assert decided[1].reason == "Nach Einschätzung des Modells trägt „XG, § 2 Ort“ nichts zur Frage bei."


def test_only_the_references_shown_can_be_named() -> None:
    schema = json_schema(gate_of(3))
    assert schema["properties"]["related"]["items"] == {"type": "string", "enum": ["r1", "r2", "r3"]}
    assert schema["properties"]["related"]["maxItems"] == 3
    assert list(schema["properties"]) == ["subject", "related"], "the subject first: then they are told apart"


def planned(anchor: Anchor, passages: tuple[Passage, ...], *tasks: str) -> tuple[TodoDraft, ...]:
    said = {"tasks": [{"text": text, "context": "", "queries": []} for text in tasks]}
    return answered(said, lambda reasoner: reasoner.plan(anchor, passages, 4))


def test_tasks_that_only_repeat_the_question_are_replaced(anchor: Anchor, passages: tuple[Passage, ...]) -> None:
    """Small models plan the halves of the question, or what they have just read."""
    own = "Aufbewahrungsfrist der Aufzeichnungen nach § 14 feststellen."
    copied = "Der Grenzwert der effektiven Dosis beträgt für beruflich exponierte Personen 18 Millisievert."
    found = planned(anchor, passages, "Welche Grenzwerte der effektiven Dosis gelten?", copied, own, anchor.query, own)
    assert len(found) == 3
    assert found[0].text == own
    assert all(draft.text not in ("", anchor.query, copied) for draft in found)


def test_tasks_that_differ_in_a_number_are_different(anchor: Anchor, passages: tuple[Passage, ...]) -> None:
    tasks = [f"Inhalt von § {number} feststellen." for number in (2, 3, 4, 5)]
    assert [draft.text for draft in planned(anchor, passages, *tasks)] == tasks


def test_three_different_queries_whatever_the_model_says(anchor: Anchor) -> None:
    said = {"queries": ["Grenzwerte der effektiven Dosis", anchor.query]}
    found = answered(said, lambda reasoner: reasoner.queries(anchor.query, "de", (), ()))
    assert found[0] == anchor.query
    assert len(set(found)) == 3
    assert "Grenzwerte der effektiven Dosis" not in found, "it asks nothing the question does not ask"


def asked_back(passages: tuple[Passage, ...], *questions: dict[str, Any]) -> tuple[ClarifyingQuestion, ...]:
    said = {"questions": list(questions)}
    question = "Welche Grenzwerte der Dosis gelten für Beschäftigte?"
    analysis = Analysis(gaps=("Beschäftigte",))
    return answered(said, lambda reasoner: reasoner.questions(question, "de", analysis, passages, ()))


def test_the_person_is_asked_nothing_they_said_and_offered_nothing_nobody_wrote(passages: tuple[Passage, ...]) -> None:
    again = {"text": "Welche Grenzwerte der Dosis gelten für die Beschäftigten?", "options": ["18 mSv"], "why": ""}
    new = {
        "text": "Geht es um Auszubildende oder um alle exponierten Personen?",
        "options": ["Auszubildende", "Auszubildende", "beruflich exponierte Personen", "18 Tage", "45 Jahre", "99 mSv"],
        "why": "The passages name both groups of persons, each with a limit of its own.",
    }
    (found,) = asked_back(passages, again, new, new)
    assert found.text == new["text"]
    assert found.options[:2] == ("Auszubildende", "beruflich exponierte Personen")
    assert "99 mSv" not in found.options
    assert found.why == "", "in another language than the person's"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Welche Grenzwerte der Dosis gelten für Beschäftigte?", ["Auszubildende", "beruflich exponierte Personen"]),
        ("Gibt es einen anderen Namen für Beschäftigte?", []),
        ("Gibt es einen anderen Namen für Beschäftigte?", ["Auszubildende"]),
    ],
    ids=["the question itself", "no choice", "one choice"],
)
def test_a_model_may_ask_only_for_a_choice_of_its_own(
    passages: tuple[Passage, ...], text: str, options: list[str]
) -> None:
    assert all(one.text != text for one in asked_back(passages, {"text": text, "options": options, "why": ""}))


LONG = 12  # remarks: a short conversation is told as it was
SAID = tuple(
    Answer(question="", text=f"Nur Auszubildende sind gemeint, {nach}.")
    for nach in [f"gefragt ist ein Grenzwert der effektiven Dosis nach Lehrjahr {number}" for number in range(LONG)]
)


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("Gefragt ist nach Grenzwerten für Auszubildende.", "Gefragt ist nach Grenzwerten für Auszubildende."),
        (
            "Gemeint sind Auszubildende. Für sie gelten 25 Millisievert im Jahr.",
            "Gemeint sind Auszubildende.",
        ),
        ("Es geht um Besucher und Gäste.", "Nur Auszubildende sind gemeint"),
    ],
    ids=["taken", "a figure nobody named", "the person is not heard"],
)
def test_a_conversation_is_told_with_what_was_said_in_it(summary: str, expected: str) -> None:
    rounds = (Round(index=0, queries=("Grenzwerte",), chunks=(), answers=SAID),)
    found = answered({"summary": summary}, lambda reasoner: reasoner.conversation("Welche Grenzwerte?", "de", rounds))
    assert expected in found
    assert "25" not in found


def test_a_short_conversation_is_told_word_for_word() -> None:
    rounds = (Round(index=0, queries=("Grenzwerte",), chunks=(), answers=SAID[:1]),)
    said = {"summary": "Es geht um Auszubildende."}
    found = answered(said, lambda reasoner: reasoner.conversation("Welche Grenzwerte?", "de", rounds))
    assert SAID[0].text in found
    assert said["summary"] not in found


@pytest.mark.parametrize(
    ("question", "value", "expected"),
    [
        ("Was gilt für Halden?", "2020", []),
        ("Was gilt seit 2020 für Halden?", "2020", ["2020"]),
        ("Was gilt nach der Fassung von 2020 für Halden?", "202", []),
        ("Was sagen KTA 1404 und KTA 1408?", "KTA 1404, KTA 1408", ["KTA 1404, KTA 1408"]),
        ("Was sagt KTA 1404?", "KTA 1404, KTA 1408", []),
    ],
)
def test_conditions_the_question_does_not_name_hide_nothing(question: str, value: str, expected: list[str]) -> None:
    constraint = {"field": "edition", "operator": "=", "value": value}
    said = {"intent": "qa", "collections": [], "constraints": [constraint], "subqueries": [question]}
    found = answered(said, lambda reasoner: reasoner.decompose(question, "de", (), ("edition",)))
    assert [one.value for one in found.constraints] == expected


def test_collections_the_question_does_not_mean_are_left_out_and_no_question_is_asked_twice() -> None:
    question = "Was gilt nach der Sammlung Strahlenschutz für Halden?"
    said = {
        "intent": "qa",
        "collections": ["Wetter", "Strahlenschutz"],
        "constraints": [],
        "subqueries": [question] * 4,
    }
    found = answered(said, lambda reasoner: reasoner.decompose(question, "de", ("Strahlenschutz", "Wetter"), ()))
    assert found.collections == ("Strahlenschutz",)
    assert found.subqueries == (question,)


def test_what_a_rule_reads_in_the_question_goes_before_a_models_reading() -> None:
    question = "Was gilt seit 2020 für Halden?"
    constraint = {"field": "year", "operator": "<", "value": "2020"}
    said = {"intent": "qa", "collections": [], "constraints": [constraint], "subqueries": [question]}
    found = answered(said, lambda reasoner: reasoner.decompose(question, "de", (), ("year",)))
    assert [(one.operator, one.value) for one in found.constraints] == [(">=", "2020")]


def mended(anchor: Anchor, said: dict[str, Any], **counted: Any) -> Remedy:
    judged = QualityRequest(
        anchor=anchor, markdown="# Grenzwerte\n\nEs gelten 50 Millisievert.", evidence=(), **counted
    )
    poor = Quality(
        factual_accuracy=10, semantic_validity=10, structural_integrity=10, citation_correctness=10, query_relevance=10
    )
    return answered(said, lambda reasoner: reasoner.remedy(judged, poor))


@pytest.mark.slow
def test_what_to_mend_is_said_by_kind_and_the_wrong_sentence_named(anchor: Anchor) -> None:
    wrong = "Es gelten 50 Millisievert."
    said = {"action": "retry", "mend": ["figures", "gaps", "order"], "part": "Halden und Deponien"}
    found = mended(anchor, said, contradicted=(wrong,))
    assert found.action == "retry"
    assert f"„{wrong}“" in found.focus
    assert "Stelle die Antwort an den Anfang." in found.focus
    assert "Halden" not in found.focus, "no part of the question"
    part = "unter welchen Voraussetzungen"
    assert part in mended(anchor, {"action": "retry", "mend": ["gaps"], "part": part}).focus
    whole = {"action": "retry", "mend": ["gaps"], "part": anchor.query}
    assert anchor.query.rstrip("?") not in mended(anchor, whole).focus, "the question again names no part of it"
    assert mended(anchor, {"action": "accept", "mend": [], "part": ""}).action == "accept"


def test_references_to_one_heading_are_judged_once(anchor: Anchor, task: Todo) -> None:
    """Eight paragraphs of one section would push everything else out of the wave."""
    targets = ["XG, § 9 Pflichten"] * 8 + [f"XG, § {number} Ort" for number in range(1, 5)]
    candidates = [
        GateCandidate(id=f"c{number}", text="§", context="nach § 9 gilt", target=target)
        for number, target in enumerate(targets)
    ]
    said = {"subject": "Pflichten", "related": ["r1"]}
    decided = answered(said, lambda reasoner: reasoner.gate(anchor, task, candidates))
    assert [one.id for one in decided] == [item.id for item in candidates]
    assert [one.follow for one in decided] == [True] * 8 + [False] * 4
