"""``rabbithole ask`` in a terminal that answers nothing."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.workflow.cli.conftest import Cli


@pytest.mark.timeout(60)
def test_the_end_of_input_counts_as_no_reply(cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    question = "Welcher Grenzwert der effektiven Dosis gilt?"
    done = cli("ask", question, "--filter", "year=1850", "--kb", sample_database)
    assert done.code == 0
    assert "press Enter to go on" in done.err
    assert "year = 1850" in done.out
