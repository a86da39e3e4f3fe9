"""The examples do what they say. The agent, which needs a model, is tried in ``test_llamaindex.py``."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import rabbithole

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "fastapi_app.py"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["answer", "research"])
def test_example_streams_events_and_a_report(sample_database: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("RABBITHOLE_KB", str(sample_database))
    spec = importlib.util.spec_from_file_location("example_app", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    question = "Welche Grenzwerte gelten für beruflich exponierte Personen und wann darf davon abgewichen werden?"
    with TestClient(module.app) as client:
        body = client.get(f"/{path}", params={"question": question}).text
    events = [block.splitlines() for block in body.strip().split("\n\n")]
    assert events[-1][0] == "event: ReportReady"
    report = json.loads(events[-1][1].removeprefix("data: "))["report"]
    assert report["citations"]
    assert all(citation["verified"] for citation in report["citations"])
    assert path == "answer" or report["metrics"]["followed"] > 0


def example(name: str, *arguments: str, kb: Path | None = None) -> str:
    """What an example prints, run as a person would run it."""
    environment = {**os.environ, "RABBITHOLE_KB": str(kb)} if kb else dict(os.environ)
    command = [sys.executable, str(EXAMPLE.with_name(name)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_notebook_ingests_searches_resolves_and_researches(sample_pdfs: Path) -> None:
    said = example("notebook.py", str(sample_pdfs))
    assert "12 documents" in said
    assert "resolved" in said
    assert "references followed" in said


@pytest.mark.slow
def test_the_query_engine_says_what_it_cites(sample_database: Path) -> None:
    said = example(
        "llamaindex_query.py", "Welcher Grenzwert gilt für beruflich exponierte Personen?", kb=sample_database
    )
    assert "probability 0." in said
    assert "(verified)" in said
    assert "[1] " in said


@pytest.mark.slow
def test_a_batch_writes_a_report_for_each_question_and_asks_nothing_twice(
    sample_database: Path, tmp_path: Path
) -> None:
    questions = "Welche Vorgänge hat die Laborleitung der Behörde mitzuteilen?\n\nHow long may filter beds be held?\n"
    (tmp_path / "questions.txt").write_text(questions, encoding="utf-8")
    arguments = (str(tmp_path / "questions.txt"), str(tmp_path / "out"))
    assert example("batch.py", *arguments, kb=sample_database).count("citations") == 2
    reports = sorted((tmp_path / "out").iterdir())
    assert [json.loads(path.read_text(encoding="utf-8"))["language"] for path in reports] == ["de", "en"]
    assert example("batch.py", *arguments, kb=sample_database) == ""


def test_a_form_of_ones_own_is_resolved(sample_database: Path) -> None:
    said = example("own_reference_form.py", "Siehe [[IsoLV#17.3]] und [[IsoLV#999]].", kb=sample_database)
    assert "[[IsoLV#17.3]]: resolved, § 17" in said
    assert "[[IsoLV#999]]: missing" in said


def test_the_version_is_said_in_one_place() -> None:
    root = EXAMPLE.parent.parent
    stated = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert rabbithole.__version__ == stated
    assert f"version: {stated}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
