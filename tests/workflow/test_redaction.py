"""Personal data of a question leaves report, dumps of the state and logs."""

import asyncio
import logging

import pytest
from flows import QUESTION, research

from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.answer import AnswerWorkflow
from rabbithole.workflow.answer_events import AnswerRequest
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

ASKED = f"{QUESTION} (Anfrage von Erika Mustermann, erika@example.org, Tel. 0170 1234567)"
PERSONAL = ("erika@example.org", "Mustermann", "1234567")


@pytest.mark.slow
def test_dumps_and_logs_hold_no_personal_data_when_asked(sample_kb, tmp_path, caplog):
    with caplog.at_level(logging.DEBUG):
        values = {"enable_state_dump": True, "state_dump_path": tmp_path / "dumps", "redact": "all"}
        report = research(sample_kb, tmp_path / "runs.sqlite", query=ASKED, **values)
    dumps = [path.read_text(encoding="utf-8") for path in (tmp_path / "dumps" / report.run_id).iterdir()]
    assert dumps
    for text in (*dumps, caplog.text, report.model_dump_json()):
        for word in PERSONAL:
            assert word not in text


@pytest.mark.slow
def test_the_report_alone_is_redacted_when_only_that_is_asked(sample_kb, tmp_path):
    report = research(sample_kb, tmp_path / "runs.sqlite", query=ASKED, redact="report")
    for word in PERSONAL:
        assert word not in report.markdown
    assert PERSONAL[0] in report.query


@pytest.mark.slow
@pytest.mark.parametrize("redaction", ["none", "report", "all"])
def test_an_answer_is_redacted_as_research_is(sample_kb, tmp_path, redaction):
    async def answered():
        runs = SqliteRunStore(tmp_path / "runs.sqlite")
        settings = ResearchSettings(redact=redaction)
        flow = AnswerWorkflow(sample_kb, None, ExtractiveReasoner(sample_kb.embed), settings, runs)
        ready = await flow.run(start_event=AnswerRequest(question=ASKED))
        await flow.settled()
        runs.close()
        return ready.report

    report = asyncio.run(answered())
    for word in PERSONAL:
        assert (word in report.markdown) == (redaction == "none")
        assert (word in report.model_dump_json()) == (redaction != "all")
