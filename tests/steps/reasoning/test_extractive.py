"""The extractive reasoner: deterministic, verbatim, in the person's language."""

from __future__ import annotations

import asyncio
import re
from typing import get_args

import numpy as np
import pytest
from rabbithole.steps.models import Anchor, ChainLink, Evidence, Quote, Round, TaskSummary, Todo
from rabbithole.steps.models import Answer as PersonsAnswer
from rabbithole.steps.reasoning.aspects import Aspect, asked_aspects
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.reasoning.extractive.sentences import is_quotable
from rabbithole.steps.reasoning.protocol import (
    Candidate,
    Fact,
    GateCandidate,
    Passage,
    QualityRequest,
    SupportClaim,
    WriteRequest,
)

QUERY = "Welche Dosis gilt für Auszubildende?"


async def written(reasoner: ExtractiveReasoner, request: WriteRequest) -> str:
    return "".join([piece async for piece in reasoner.write(request)])


def test_three_different_queries_and_later_ones_use_answers(anchor: Anchor) -> None:
    reasoner = ExtractiveReasoner()
    first = asyncio.run(reasoner.queries(anchor.query, "de", (), ()))
    assert first[0] == anchor.query
    assert len(set(first)) == 3
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


def test_questions_are_raised_by_what_was_found(passages: tuple[Passage, ...], anchor: Anchor) -> None:
    reasoner = ExtractiveReasoner()
    analysis = asyncio.run(reasoner.analyse("Was gilt für die Deckungsvorsorge?", "de", passages))
    asked = asyncio.run(reasoner.questions(anchor.query, "de", analysis, passages, ()))
    assert 2 <= len(asked) <= 3
    assert any("DosG" in question.options for question in asked)
    assert any("Deckungsvorsorge" in question.text for question in asked)
    again = asyncio.run(reasoner.questions(anchor.query, "de", analysis, passages, [item.text for item in asked]))
    assert not {item.text for item in again} & {item.text for item in asked}


def test_a_plan_has_three_to_five_different_tasks(passages: tuple[Passage, ...], anchor: Anchor) -> None:
    drafts = asyncio.run(ExtractiveReasoner().plan(anchor, passages, 5))
    texts = [draft.text for draft in drafts]
    assert 3 <= len(texts) <= 5
    assert len(set(texts)) == len(texts)
    assert anchor.query not in texts
    assert any("abgewichen" in text for text in texts)
    assert all(draft.context for draft in drafts)


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
        GateCandidate(id="r1", text="§ 14", context="ist nach § 14 zu dokumentieren", target="§ 14 Aufzeichnungen"),
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


def test_a_report_answers_part_by_part_quotes_verbatim_and_repeats_nothing(
    anchor: Anchor, task: Todo, evidence: tuple[Evidence, ...]
) -> None:
    reasoner = ExtractiveReasoner()
    summary = asyncio.run(reasoner.summarise(anchor, task, evidence))
    tasks = (Todo(id=0, text=anchor.query, origin="question"), task)
    request = WriteRequest(
        anchor=anchor,
        tasks=tasks,
        summaries=(summary,),
        evidence=evidence,
        missing=("KTA 9999",),
        contradictions=("Zwei Fassungen nennen verschiedene Werte.",),
    )
    report = asyncio.run(written(reasoner, request))
    quotes = re.findall(r"„([^“]+)“ \[(e\d+)\]", report)
    known = {" ".join(quote.text.split()): item.key for item in evidence for quote in item.quotes}
    assert quotes
    assert all(known.get(quote) == key for quote, key in quotes)
    assert len({quote for quote, _ in quotes}) == len(quotes)
    assert report.startswith("# ")
    assert "## Antwort" in report
    assert "KTA 9999" in report
    assert "Zwei Fassungen" in report
    assert task.text.removesuffix(".") in report


def test_an_english_report_has_english_headings(evidence: tuple[Evidence, ...]) -> None:
    anchor = Anchor(query="Which dose limits apply?", language="en")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=1, text="Find the limits."),), summaries=(), evidence=())
    report = asyncio.run(written(ExtractiveReasoner(), request))
    assert "## Answer" in report
    assert "## Open points" in report
    assert "No sentence in the documents" in report


def test_summaries_cite_keys_and_name_gaps(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    todo = Todo(id=2, text="Was noch zu „Zwischenlager“ gesagt ist.")
    summary = asyncio.run(ExtractiveReasoner().summarise(anchor, todo, evidence))
    assert all(re.search(r"\[e\d+\]$", finding) for finding in summary.findings)
    assert any("Zwischenlager" in gap for gap in summary.gaps)
    nothing = asyncio.run(ExtractiveReasoner().summarise(anchor, todo, ()))
    assert nothing.relevance == 0
    assert isinstance(nothing, TaskSummary)


def test_quality_counts_what_can_be_counted(anchor: Anchor, evidence: tuple[Evidence, ...]) -> None:
    answer = "Der Grenzwert der effektiven Dosis beruflich exponierter Personen ist da. [e0000001]"
    good = f"# T\n\n## Antwort\n\n{answer}\n\n## Mehr\n\nText. [e0000002]"
    reasoner = ExtractiveReasoner()
    best = asyncio.run(reasoner.quality(QualityRequest(anchor=anchor, markdown=good, evidence=evidence)))
    worse = QualityRequest(
        anchor=anchor, markdown=good, evidence=evidence, unknown_keys=3, unverified_quotes=2, language_ok=False
    )
    poor = asyncio.run(reasoner.quality(worse))
    assert best.total > 400 > poor.total
    remedy = asyncio.run(reasoner.remedy(worse, poor))
    assert remedy.action == "retry"
    assert "Deutsch" in remedy.focus


def test_support_tells_verbatim_supported_and_contradicted_apart() -> None:
    source = "Der Grenzwert der effektiven Dosis beträgt 18 Millisievert im Kalenderjahr."
    claims = (
        SupportClaim(sentence=f"„{source}“ [e0000001]", source=source),
        SupportClaim(sentence="Der Grenzwert beträgt 18 Millisievert.", source=source),
        SupportClaim(sentence="Der Grenzwert beträgt 50 Millisievert.", source=source),
        SupportClaim(sentence="Fahrräder brauchen Stellplätze.", source=source),
    )
    verbatim, good, wrong, foreign = asyncio.run(ExtractiveReasoner().support(claims))
    assert verbatim == 1.0
    assert good > 0.7 > wrong > foreign


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
    assert len(parts) == 2
    compared = asyncio.run(reasoner.decompose("Vergleiche KTA 1401 mit KTA 1404 zur Prüfung.", "de", (), ()))
    assert compared.intent == "compare"
    assert any("KTA 1401" in part for part in compared.subqueries)


def test_select_review_and_compose(evidence: tuple[Evidence, ...]) -> None:
    reasoner = ExtractiveReasoner()
    candidates = (
        Candidate(number=1, title="Bauordnung", document="a", page="1", snippet="Stellplätze für Fahrräder"),
        Candidate(
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

    async def composed() -> str:
        return "".join([piece async for piece in reasoner.compose(QUERY, "de", (), evidence)])

    assert "[e000000" in asyncio.run(composed())


def test_an_answer_quotes_what_its_references_lead_to() -> None:
    def one(key: str, section: str, text: str, chain: tuple[ChainLink, ...] = ()) -> Evidence:
        place = {"task": 1, "document": "d", "file": "DosG.pdf", "title": "Dosisgesetz", "section": section}
        quotes = (Quote(text=text),)
        return Evidence(key=key, start=0, end=len(text), info=text, quotes=quotes, score=0.8, chain=chain, **place)

    link = ChainLink(document="d", section="d:s1", reference="§ 17 Absatz 3", kind="legal_section")
    rule = one("e1", "d:s1", "Mehr Dosis darf erhalten, wer die Voraussetzungen des § 17 Absatz 3 erfüllt.")
    reached = one("e2", "d:s2", "Die Betroffenen müssen schriftlich ihre Bereitschaft erklärt haben.", (link,))
    other = one("e3", "d:s3", "Alle Fenster des Gebäudes sind jedes Jahr im Frühling zu putzen.")

    async def composed() -> str:
        question = "Wer darf mehr Dosis erhalten?"
        return "".join(
            [piece async for piece in ExtractiveReasoner().compose(question, "de", (), (rule, reached, other))]
        )

    assert re.findall(r"\[(e\d)\]", asyncio.run(composed())) == ["e1", "e2"]


@pytest.mark.parametrize("aspect", get_args(Aspect))
def test_whatever_a_question_asks_for_there_are_queries_and_tasks(aspect: Aspect) -> None:
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
    assert aspect in asked_aspects(asked)
    assert len(asyncio.run(reasoner.queries(asked, "de", (), ()))) == 3
    assert asyncio.run(reasoner.plan(Anchor(query=asked, language="de", concepts=("Grenzwert",)), (), 5))


def test_the_answer_leads_with_the_sentence_whose_heading_is_the_question() -> None:
    """A short rule under a telling heading goes before long sentences that share more words with the question."""
    rule = "(1) Die zuständige Behörde erteilt sie, wenn das Dosiskriterium für die Freigabe eingehalten wird."
    aside = (
        "(6) Sieht der Antrag die Anwendung radioaktiver Stoffe in mehreren Einrichtungen vor, so erteilt die "
        "zuständige Behörde eine umfassende Genehmigung für alle Einrichtungen mit diesen Voraussetzungen."
    )
    evidence = tuple(
        Evidence(
            key=f"e000000{number}",
            task=0,
            document="d",
            section=f"s{number}",
            file="StrlSchV.pdf",
            section_label=label,
            info=text,
            quotes=(Quote(text=text),),
            score=score,
        )
        for number, (label, text, score) in enumerate(
            (
                ("§ 31 Anwendung radioaktiver Stoffe am Menschen", aside, 1.0),
                ("§ 33 Erteilung der Freigabe", rule, 0.6),
            )
        )
    )
    anchor = Anchor(query="Wer darf die Freigabe radioaktiver Stoffe erteilen?", language="de")
    request = WriteRequest(anchor=anchor, tasks=(Todo(id=0, text=anchor.query),), summaries=(), evidence=evidence)
    rare = ExtractiveReasoner(rarity=lambda stem, _: 0.6 if stem.startswith("freigab") else 0.25)
    answer = asyncio.run(written(rare, request)).split("## Antwort")[1]
    assert rule in answer
    assert aside not in answer or answer.index(rule) < answer.index(aside)


def test_drawings_of_plain_text_documents_are_not_quoted() -> None:
    assert not is_quotable("Client Server ------ ------ ClientHello -----> <----- HelloRetryRequest (cookie) and more")
    assert is_quotable("The client MUST verify the identity of the server before it sends any data.")
