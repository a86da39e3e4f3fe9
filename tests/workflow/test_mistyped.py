"""A mistyped word of the question: searched as it was meant, said in the report, and not asked back about."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from flows import answer_all, finish, research, settings
from kb_records import knowledge_base, record

from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.events import ClarificationRequested, ResearchRequest
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

QUESTION = "Wann endet die Mitgleidschaft?"
SAID = "„Mitgleidschaft“ kommt in keinem der durchsuchten Dokumente vor; gesucht wurde nach „Mitgliedschaft“."
RULES = record(
    "Satzung",
    [("1", "Die Mitgliedschaft endet sechs Wochen nach der Erklärung."), ("2", "Der Vorstand führt die Geschäfte.")],
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    with knowledge_base(tmp_path_factory.mktemp("kb"), RULES) as opened:
        yield opened


def test_research_says_how_it_read_the_question(kb, tmp_path: Path) -> None:
    report = research(kb, tmp_path / "runs.sqlite", QUESTION)
    assert report.query == QUESTION
    assert report.markdown.startswith(f"# {QUESTION}\n")
    assert report.todo[0].todo.text == "Wann endet die Mitgliedschaft?"
    assert SAID in report.markdown
    assert "sechs Wochen" in report.markdown


def test_research_does_not_ask_about_the_word(kb, tmp_path: Path) -> None:
    runs = SqliteRunStore(tmp_path / "runs.sqlite")
    flow = ResearchWorkflow(kb, settings(), ExtractiveReasoner(), runs)
    _, events = asyncio.run(finish(flow, ResearchRequest(query=QUESTION), answer_all))
    runs.close()
    asked = [one.text for event in events if isinstance(event, ClarificationRequested) for one in event.questions]
    assert not [text for text in asked if "Mitgl" in text]


def test_an_answer_says_how_it_read_the_question(kb, tmp_path: Path) -> None:
    runs = SqliteRunStore(tmp_path / "runs.sqlite")

    async def answer():
        return (await AnswerWorkflow(kb, None, ExtractiveReasoner(), settings(), runs).run(
            start_event=AnswerRequest(question=QUESTION)
        )).report  # fmt: skip

    report = asyncio.run(answer())
    runs.close()
    assert report.query == QUESTION
    assert SAID in report.markdown
    assert "sechs Wochen" in report.markdown
