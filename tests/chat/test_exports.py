"""A finished run as a file."""

from __future__ import annotations

import pytest

from rabbithole.steps.report_models import Report, ReportAnswer
from rabbithole.workflow.chat.runs.run_view import RunView
from rabbithole.workflow.chat.server.exports import export
from rabbithole.workflow.report.markdown import render


@pytest.mark.parametrize("form", ["md", "html"])
def test_a_file_contains_the_appendix_instead_of_an_option_of_the_command_line(form: str) -> None:
    report = Report(
        run_id="r",
        query="How long?",
        language="en",
        markdown="",
        body="# How long?\n\n## Answer\n\nTen days.",
        answer=ReportAnswer(status="answered"),
        appendix="### Tasks\n\nWhat was looked for.",
        outlook="In the appendix (`--length full`): 1 task.",
        reasoner="extractive",
    )
    report = report.model_copy(update={"markdown": render(report)})
    view = RunView(run="r", query="How long?", mode="research", report=report)
    made = export(view, form, lambda node: node)
    assert made is not None
    text = made.data.decode()
    assert "What was looked for." in text
    assert "--length" not in text
