"""``rabbithole research``, ``runs`` and ``resume``: a whole run in the terminal, and what stops it before it starts."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from asking import UNDECIDED, make_asking

from rabbithole.steps.models import Todo
from rabbithole.steps.report_models import Report
from rabbithole.workflow.cli.console import OUT
from rabbithole.workflow.cli.questions import chosen, edit

from .conftest import Cli, complained

QUESTION = "Wie hoch darf die effektive Dosis beschäftigter Personen sein, und wann ist mehr erlaubt?"


@pytest.mark.slow
def test_a_research_from_the_question_to_the_files(
    cli: Cli, sample_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = cli(
        "research",
        QUESTION,
        "--kb",
        sample_database,
        "--no-input",
        "--out",
        "r.md",
        "--out",
        "r.json",
        "--out",
        "r.html",
    )
    assert done.code == 0, done.err
    report = Report.model_validate_json((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert report.language == "de"
    assert report.citations
    assert all(citation.verified for citation in report.citations)
    assert "8 Millisievert im Kalenderjahr" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "<html" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "§ 17" in done.err
    said = " ".join(done.err.split())
    assert "stehen wörtlich an der genannten Stelle; " in said or "Das Zitat steht wörtlich" in said
    assert "1/5 Frage verstehen" in said
    assert "Bericht: r.md" in said
    addresses = re.findall(r"^\[s\d+\]: <([^>]+)>$", (tmp_path / "r.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert addresses
    assert all((tmp_path / unquote(one.partition("#")[0])).is_file() for one in addresses), "links work from there"
    printed = cli("resume", report.run_id, "--kb", sample_database).out
    assert re.findall(r"^\[s\d+\]: <([^>]+)>$", printed, re.MULTILINE) == addresses, "and from where it is printed"
    monkeypatch.setattr(OUT, "width", 60)
    assert report.run_id in cli("runs", "--kb", sample_database).out, "whole, however narrow the terminal is"
    again = cli("research", QUESTION, "--kb", sample_database, "--no-input", "--json")
    assert json.loads(again.out)["markdown"] == report.markdown


@pytest.mark.slow
def test_the_plan_can_be_changed(cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rabbithole.workflow.cli.running.amake_reasoner", make_asking)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n+Welche Fristen gelten?\n\n"))
    done = cli("research", UNDECIDED, "--kb", sample_database, "--depth", "0", "--json")
    assert done.code == 0, done.err
    tasks = [task["todo"]["text"] for task in json.loads(done.out)["todo"]]
    assert "Welche Fristen gelten?" in tasks
    assert "Plan:" in done.err


def test_what_stops_a_research_before_it_starts(
    cli: Cli, sample_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complained(cli("research", " ", "--kb", sample_database), 2, "empty")
    complained(cli("research", "x", "--kb", sample_database, "--out", "report.odt"), 2, ".md", "report.odt")
    complained(cli("research", "x", "--kb", "nowhere", "--no-input"), 1, "nowhere")
    monkeypatch.setenv("QUALITY_THRESHOLD", "900")
    complained(cli("research", "x", "--kb", sample_database, "--no-input"), 2, "QUALITY_THRESHOLD")
    assert list(tmp_path.glob("report*")) == []


def said_last(err: str) -> str:
    return err.strip().splitlines()[-1]


def test_an_unknown_collection_names_the_known_ones(cli: Cli, sample_database: Path) -> None:
    done = cli("research", "x", "-c", "Nichts", "--kb", sample_database, "--no-input")
    assert done.code == 2
    assert "sample" in said_last(done.err)
    assert "Traceback" not in done.err


def test_a_question_longer_than_any_context_window(cli: Cli, sample_database: Path) -> None:
    done = cli("research", "Warum? " * 20_000, "--kb", sample_database, "--no-input")
    assert done.code == 2
    assert "tokens" in said_last(done.err)


def test_a_model_server_that_does_not_answer(cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONER", "ollama")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    done = cli("research", "Was gilt?", "--kb", sample_database, "--no-input")
    assert done.code == 1
    assert "127.0.0.1:9" in said_last(done.err)
    assert "Traceback" not in done.err


def test_runs_without_any(cli: Cli, tmp_path: Path) -> None:
    assert cli("runs").out.strip() == "No runs yet."
    assert not (tmp_path / "runs.sqlite").exists()
    complained(cli("resume", "nothing"), 2, "nothing")
    assert cli("runs", "prune").code == 0


PLAN = [Todo(id=number, text=text) for number, text in enumerate(("question", "first", "second"))]


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("+third", ["question", "first", "second", "third"]),
        ("-1", ["question", "second"]),
        ("2 better", ["question", "first", "better"]),
        ("2>1", ["question", "second", "first"]),
        ("-0", None),
        ("-9", None),
        ("+", None),
        ("0 other question", None),
        ("0>1", None),
        ("what?", None),
    ],
)
def test_changes_to_the_plan(said: str, texts: list[str] | None) -> None:
    changed = edit(PLAN, said)
    assert (changed and [todo.text for todo in changed]) == texts


def test_an_option_may_be_chosen_by_its_number() -> None:
    assert chosen("2", ("yes", "no")) == "no"
    assert chosen("3", ("yes", "no")) == "3"
    assert chosen("maybe", ("yes", "no")) == "maybe"
