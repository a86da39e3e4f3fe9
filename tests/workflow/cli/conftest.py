"""Command lines run in this process: exit code, standard output, standard error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rabbithole.workflow.cli.app import run


class Done(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Done]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """``cli("search", "x")`` -> code, out, err. Runs are stored in the test's own folder."""
    monkeypatch.setenv("RUNS_PATH", str(tmp_path / "runs.sqlite"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


def complained(done: Done, code: int, *words: str) -> None:
    """One line on standard error, holding these words; nothing on standard output."""
    assert done.code == code, done
    assert done.out == ""
    lines = done.err.strip().splitlines()
    assert len(lines) == 1, done.err
    assert lines[0].startswith("rabbithole: ")
    for word in words:
        assert word in lines[0]
