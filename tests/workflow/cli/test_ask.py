"""``rabbithole ask`` in a terminal that answers nothing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.workflow.cli.conftest import Cli

QUESTION = "Welcher Grenzwert der effektiven Dosis gilt?"


@pytest.mark.timeout(60)
def test_the_end_of_input_counts_as_no_reply(cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    done = cli("ask", QUESTION, "--filter", "year=1850", "--kb", sample_database)
    assert done.code == 0
    assert "press Enter to go on" in done.err
    assert "year = 1850" in done.out


@pytest.mark.timeout(60)
def test_an_error_while_asking_ends_the_command(
    cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(text: str) -> str:
        raise OSError("the terminal is gone")

    monkeypatch.setattr("rabbithole.workflow.cli.questions.ask", fails)
    done = cli("ask", QUESTION, "--filter", "year=1850", "--kb", sample_database)
    assert done.code == 1
    assert "the terminal is gone" in done.err
