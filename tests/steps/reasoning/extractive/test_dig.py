"""The extractive reasoner while it understands, plans and digs: deterministic, verbatim, in the person's language."""

from __future__ import annotations

import asyncio
import re
from typing import get_args

import numpy as np
import pytest

from rabbithole.steps.models import Anchor, Evidence, Quote, Round, TaskSummary, Todo
from rabbithole.steps.models import Answer as PersonsAnswer
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.understand import distinct
from rabbithole.steps.reasoning.protocol import GateCandidate, Passage
from rabbithole.steps.reasoning.text.aspects import Aspect, asked_aspects


def test_different_queries_and_later_ones_use_answers(anchor: Anchor) -> None:
    reasoner = ExtractiveReasoner()
    first = asyncio.run(reasoner.queries(anchor.query, "de", (), ()))
    assert first[0] == anchor.query
    assert len({query.lower() for query in first}) == len(first) == 3
    said = PersonsAnswer(question="q1", text="nur Flugpersonal")
    later = asyncio.run(reasoner.queries(anchor.query, "de", (Round(index=0, queries=first, chunks=()),), (said,)))
    assert "Flugpersonal" in " ".join(later)
    assert later != first


def test_coverage_is_high_for_what_was_found_and_gaps_name_what_was_not(passages: tuple[Passage, ...]) -> None:
    reasoner = ExtractiveReasoner()
    found = asyncio.run(reasoner.analyse("Welcher Grenzwert der effektiven Dosis gilt?", "de", passages))
    assert found.coverage > 0.7
    assert found.gaps == ()
    lacking = asyncio.run(reasoner.analyse("Welche Deckungsvorsorge braucht ein Zwischenlager?", "de", passages))
    assert lacking.coverage < 0.4
    assert "Deckungsvorsorge" in lacking.gaps


def test_extraction_is_verbatim_and_tells_relevant_from_irrelevant(
    passages: tuple[Passage, ...], anchor: Anchor, task: Todo
) -> None:
    found = asyncio.run(ExtractiveReasoner().extract(anchor, task, passages, references=True))
    assert [item.key for item in found] == [item.key for item in passages]
    assert found[0].relevance >= 0.6 > 0.35 > found[2].relevance
    assert all(quote in passage.text for item, passage in zip(found, passages, strict=True) for quote in item.quotes)
    assert any("45 Millisievert" in quote for quote in found[0].quotes)
    assert not any(quote.startswith("§ 12 Grenzwerte für") for quote in found[0].quotes)


def test_the_same_input_gives_the_same_answer(passages: tuple[Passage, ...], anchor: Anchor, task: Todo) -> None:
    one, other = ExtractiveReasoner(), ExtractiveReasoner()
    first = asyncio.run(one.extract(anchor, task, passages, references=False))
    assert first == asyncio.run(one.extract(anchor, task, passages, references=False))
    assert first == asyncio.run(other.extract(anchor, task, passages, references=False))


def test_the_gate_follows_what_is_near_and_says_why(anchor: Anchor, task: Todo) -> None:
    candidates = (
        GateCandidate(
            id="r1",
            text="§ 14",
            context="ist nach § 14 zu dokumentieren",
            target="§ 14 Aufzeichnungen",
            source_score=0.6,
        ),
        GateCandidate(id="r2", text="§ 13", context="siehe § 13", target="DosG, § 13 Grenzwerte der effektiven Dosis"),
        GateCandidate(
            id="r3",
            text="§ 3",
            context="Die Zahl der Fahrräder und ihrer Plätze bestimmt sich allein nach § 3 der Bauordnung.",
            target="BauO, § 3 Stellplätze für Fahrräder",
        ),
        GateCandidate(id="r4", text="§ 99", context="tritt nach § 99 in Kraft", target="DosG, § 99 Inkrafttreten"),
    )
    decided = asyncio.run(ExtractiveReasoner().gate(anchor, task, candidates))
    assert [item.follow for item in decided] == [True, True, False, False]
    assert "„Grenzwerte“" in decided[1].reason
    assert all(item.reason for item in decided)


def test_meaning_decides_where_words_do_not(anchor: Anchor, task: Todo) -> None:
    def near(texts: list[str]) -> np.ndarray:
        rows = [[1.0, 0.0] if "Strahlung" in text or "Dosis" in text else [0.0, 1.0] for text in texts]
        return np.asarray(rows, dtype=np.float32)

    strange = "Ein Satz ohne jedes gemeinsame Wort verweist an dieser Stelle auf § 9 und spricht von Strahlung."
    other = "Ein Satz ohne jedes gemeinsame Wort verweist an dieser Stelle auf § 9 und spricht von Blumen."
    candidates = tuple(
        GateCandidate(id=str(number), text="§ 9", context=context, target="")
        for number, context in enumerate((strange, other))
    )
    decided = asyncio.run(ExtractiveReasoner(near).gate(anchor, task, candidates))
    assert [item.follow for item in decided] == [True, False]


def test_summaries_cite_keys_and_name_gaps(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    todo = Todo(id=2, text="Was noch zu „Zwischenlager“ gesagt ist.")
    summary = asyncio.run(ExtractiveReasoner().summarise(anchor, todo, evidence))
    assert all(re.search(r"\[e\d+\]$", finding) for finding in summary.findings)
    assert any("Zwischenlager" in gap for gap in summary.gaps)
    nothing = asyncio.run(ExtractiveReasoner().summarise(anchor, todo, ()))
    assert nothing.relevance == 0
    assert isinstance(nothing, TaskSummary)


@pytest.mark.parametrize(
    ("language", "text", "missing"),
    [
        ("en", "What does the Anthrone test of TLS 1.3 servers cost?", ("Anthrone test", "TLS")),
        ("en", "Which rooms are swept daily?", ()),  # may be said in other words
        ("en", "Rooms that are swept", ()),  # a capital at the beginning says nothing
        ("de", "Was noch zu „Zwischenlager“ und zum täglichen Fegen gesagt ist.", ("Zwischenlager", "Fegen")),
        ("de", "Wird täglich gefegt?", ()),
    ],
)
def test_only_names_are_open_points(
    evidence: tuple[Evidence, ...], language: str, text: str, missing: tuple[str, ...]
) -> None:
    anchor = Anchor(query=text, language="de" if language == "de" else "en")
    summary = asyncio.run(ExtractiveReasoner().summarise(anchor, Todo(id=2, text=text), evidence))
    assert len(summary.gaps) == len(missing)
    assert all(any(name in gap for gap in summary.gaps) for name in missing)


def test_what_a_quotation_says_is_no_open_point(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    todo = Todo(id=2, text="Was noch zu „Zwischenlager“ gesagt ist.")
    quote = Quote(text="Das Zwischenlager ist bewacht.")
    quoted = evidence[0].model_copy(update={"info": "Es ist bewacht.", "quotes": (quote,)})
    assert asyncio.run(ExtractiveReasoner().summarise(anchor, todo, (quoted, *evidence[1:]))).gaps == ()


@pytest.mark.parametrize("aspect", get_args(Aspect))
def test_whatever_a_question_asks_for_only_its_own_words_are_searched(aspect: Aspect) -> None:
    asked = {
        "values": "Wie hoch ist der Grenzwert?",
        "exceptions": "Welche Ausnahmen gibt es vom Grenzwert?",
        "conditions": "Unter welchen Voraussetzungen gilt der Grenzwert?",
        "duties": "Welche Pflichten bestehen beim Grenzwert?",
        "definitions": "Was ist ein Grenzwert?",
        "procedure": "In welchem Verfahren wird der Grenzwert bestimmt?",
        "agents": "Wer legt den Grenzwert fest?",
    }[aspect]
    reasoner = ExtractiveReasoner()
    anchor, itself = Anchor(query=asked, language="de"), Todo(id=0, text=asked)
    searched = (
        *asyncio.run(reasoner.queries(asked, "de", (), ())), *asyncio.run(reasoner.task_queries(anchor, itself))
    )  # fmt: skip
    words = set(re.findall(r"\w+", asked.lower()))
    assert aspect in asked_aspects(asked)
    assert searched[0] == asked
    assert all(set(re.findall(r"\w+", query.lower())) <= words for query in searched)


@pytest.mark.parametrize(
    ("queries", "kept"),
    [
        (("Wie hoch ist die RAM-Grenze?", "RAM-Grenze", "RAM-Grenze"), ("Wie hoch ist die RAM-Grenze?", "RAM-Grenze")),
        (("RAM", "ram ", "", "Grenze"), ("RAM", "Grenze")),
        (("RAM", "Grenze", "RAM"), ("RAM", "Grenze")),
        (("RAM",), ("RAM",)),
    ],
)
def test_a_repeated_query_is_searched_once(queries: tuple[str, ...], kept: tuple[str, ...]) -> None:
    assert distinct(*queries) == kept
