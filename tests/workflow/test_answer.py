"""The answer workflow on the sample collection: order, filters, clarification, verified citations, traces."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.report_models import Report
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerClarification, AnswerClarified, AnswerRequest, ToolUsed
from rabbithole.workflow.report.trace import trace_of
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

GERMAN = "Welcher Grenzwert der effektiven Dosis gilt für beruflich exponierte Personen?"


def answered(
    kb: KnowledgeBase, folder: Path, question: str, replies: Sequence[str] = (), **options: Any
) -> tuple[Report, list[ToolUsed]]:
    """Run one answer; ``replies`` are given to its questions, each of them twice."""

    async def run() -> tuple[Report, list[ToolUsed]]:
        runs = SqliteRunStore(folder / "runs.sqlite")
        workflow = AnswerWorkflow(kb, reasoner=ExtractiveReasoner(kb.embed), runs=runs)
        handler = workflow.run(start_event=AnswerRequest(question=question, **options))
        waiting, used = list(replies), []
        async for event in handler.stream_events():
            if isinstance(event, ToolUsed):
                used.append(event)
            if isinstance(event, AnswerClarification):
                text = waiting.pop(0) if waiting else ""
                for _ in range(2):
                    handler.ctx.send_event(AnswerClarified(id=event.id, text=text))
        try:
            return (await handler).report, used
        finally:
            await workflow.settled()
            runs.close()

    return asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.slow
def test_answers_with_verified_citations(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, used = answered(sample_kb, tmp_path, GERMAN)
    assert report.mode == "answer"
    assert report.language == "de"
    assert report.citations
    assert all(citation.verified for citation in report.citations)
    actions = [event.action for event in used]
    assert actions[:2] == ["decompose", "search"]
    for at, action in enumerate(actions):
        if action == "read":
            assert actions[at - 1] == "inspect"
            assert actions[at - 2] == "select"


@pytest.mark.slow
def test_references_are_followed_on_from_where_they_lead(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    question = "How long may spare filter beds held in reserve remain fit for service?"
    _, used = answered(sample_kb, tmp_path, question)
    followed = [event.detail for event in used if event.action == "follow"]
    assert any("5.3 Shelf life" in target for target in followed)
    assert any("[3, Section 4] ->" in target for target in followed)


@pytest.mark.slow
def test_what_a_chain_of_references_leads_to_is_quoted(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, _ = answered(sample_kb, tmp_path, "How long may spare filter beds held in reserve remain fit for service?")
    assert "Six years is a prudent limit" in report.markdown


@pytest.mark.slow
def test_the_same_question_has_the_same_answer(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    first, second = (answered(sample_kb, tmp_path, GERMAN)[0] for _ in range(2))
    assert first.markdown == second.markdown


@pytest.mark.slow
def test_no_page_and_no_query_twice(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, _ = answered(sample_kb, tmp_path, "How is the dose of visitors measured, and who keeps the records?")
    with closing(SqliteRunStore(tmp_path / "runs.sqlite")) as runs:
        trace = trace_of(runs.load_answer(report.run_id), runs.report(report.run_id))
    assert len(trace["queries"]) == len({query.casefold() for query in trace["queries"]})
    read = trace["tree"]["read"]
    assert len(read) == len(set(read))
    assert sum(bool(node["whole"]) for node in trace["tree"]["nodes"]) <= 2


def test_filters_reach_every_search(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    document = sample_kb.documents()[0]
    report, _ = answered(sample_kb, tmp_path, GERMAN, filters=[f"file={document.file}"])
    assert {citation.file for citation in report.citations} <= {document.file}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"question": "  "}, "empty"),
        ({"question": GERMAN, "collections": ["Nirgends"]}, "Nirgends"),
        ({"question": GERMAN, "filters": ["colour=red"]}, "colour"),
        ({"question": GERMAN, "filters": ["year>=2020", "year<2010"]}, "contradict"),
        ({"question": GERMAN, "filters": ["year>=gestern"]}, "'gestern' is not a number"),
        ({"question": GERMAN, "filters": ["title=2024-02-30"]}, "is not a valid date"),
        ({"question": GERMAN, "filters": ["title=31.04.2024"]}, "is not a valid date"),
        ({"question": "Was galt zwischen 2020 und 2010?"}, "contradict"),
        ({"question": "x" * 100_000}, "shorten"),
    ],
)
def test_bad_input_is_one_sentence(
    sample_kb: KnowledgeBase, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        answered(sample_kb, tmp_path, **options)


def test_nothing_found_is_said_without_a_person(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, _ = answered(sample_kb, tmp_path, GERMAN, filters=["year=1850"])
    assert "year = 1850" in report.markdown
    assert not report.citations


def test_a_year_in_the_question_that_no_document_has_is_no_condition(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    year = GERMAN.replace("?", " im Jahr 1950?")
    report, used = answered(sample_kb, tmp_path, year)
    assert used[0].reason == "keine Textstelle in Dokumenten mit year = 1950, daher werden alle durchsucht"
    assert report.citations


def test_nothing_found_is_asked_and_a_second_reply_ignored(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, used = answered(sample_kb, tmp_path, GERMAN, ["effektive Dosis"], filters=["year=1850"], interactive=True)
    assert [event.action for event in used].count("search") == 2
    assert not report.citations


def test_a_third_language_is_answered_in_one_of_ours(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    report, _ = answered(sample_kb, tmp_path, "Quelle est la limite de dose pour les personnes exposées ?")
    assert report.language in ("de", "en")
    assert report.markdown


def test_an_empty_collection_is_said(tmp_path: Path) -> None:
    with knowledge_base(tmp_path / "kb") as kb, pytest.raises(UsageError, match="no documents in"):
        answered(kb, tmp_path, GERMAN)


@pytest.mark.slow
@pytest.mark.parametrize("replies", [None, [""]])
def test_too_many_matches_say_how_many_and_what_would_narrow_them(tmp_path: Path, replies: list[str] | None) -> None:
    records = [
        record(
            f"d{number:04}",
            [("", f"Rechnung {number} über Papier.")],
            metadata={"year": 2000 + number % 9, "kind": "r"},
        )
        for number in range(1200)
    ]
    with knowledge_base(tmp_path / "kb", *records) as kb:
        report, _ = answered(
            kb, tmp_path, "Welche Rechnung nennt Papier?", replies or (), filters=["kind=r"],
            interactive=replies is not None, language="de",
        )  # fmt: skip
    assert "1200 Textstellen" in report.markdown
    assert "kind, year" in report.markdown
    assert not report.citations
