"""What is done with a model's answers before anybody relies on them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from rabbithole.steps.models import Anchor, Evidence, TaskSummary, Todo
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.protocol import GateCandidate, GateDecision, Passage, Reasoner, TodoDraft
from servers.model_server import Behaviour, running
from servers.settings import settings_for

T = TypeVar("T")


def answered(said: dict[str, Any], ask: Callable[[Reasoner], Awaitable[T]]) -> T:
    """What comes of an answer."""

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


def gated(anchor: Anchor, task: Todo, said: list[dict[str, str]], count: int) -> tuple[GateDecision, ...]:
    candidates = [
        GateCandidate(
            id=f"r{number}", text=f"§ {number}", context=f"nach § {number} gilt", target=f"XG, § {number} Ort"
        )
        for number in range(1, count + 1)
    ]
    return answered({"decisions": said}, lambda reasoner: reasoner.gate(anchor, task, candidates))


def test_what_a_place_may_add_decides_and_is_the_reason_in_the_persons_language(anchor: Anchor, task: Todo) -> None:
    said = ["exception", "nothing", "unsure", "value"]
    decided = gated(anchor, task, [{"id": f"r{n}", "adds": adds} for n, adds in enumerate(said, start=1)], 4)
    assert [one.follow for one in decided] == [True, False, True, True]
    assert decided[0].reason == "„XG, § 1 Ort“ kann nach Einschätzung des Modells eine Ausnahme enthalten."


def test_a_candidate_the_model_leaves_out_is_decided_all_the_same(anchor: Anchor, task: Todo) -> None:
    decided = gated(anchor, task, [{"id": "r2", "adds": "nothing"}, {"id": "r99", "adds": "rule"}], 5)
    assert [one.id for one in decided] == ["r1", "r2", "r3", "r4", "r5"]
    assert not decided[1].follow


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
    assert len(set(found)) >= 2
    assert "Grenzwerte der effektiven Dosis" not in found, "it asks nothing the question does not ask"
