"""Personal data of a question leaves report, dumps of the state and logs."""

import logging

import pytest
from flows import QUESTION, research

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
