"""``rabbithole kb``, ``graph``, ``verify``, ``visualize`` and ``doctor``."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.steps.report_models import Citation, Report
from rabbithole.workflow.run.state import ResearchState
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

from .conftest import Cli, complained


def test_stats_tell_a_stranger_what_is_there(cli: Cli, sample_database: Path) -> None:
    shown = cli("kb", "stats", "--kb", sample_database).out
    for word in ("sample", "12", "IsoLG.pdf", "year (number)", " to 20", "hash", "names"):
        assert word in shown
    data = json.loads(cli("kb", "stats", "--kb", sample_database, "--json").out)
    assert data["collections"][0]["documents"] == len(data["documents"]) == 12


def test_a_sound_knowledge_base_checks_clean(cli: Cli, sample_database: Path) -> None:
    assert cli("kb", "check", "--kb", sample_database, "--json").out.strip() == "[]"


@pytest.mark.slow
def test_damage_is_found_and_mended(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sample_database, copy)
    (matrix,) = copy.glob("vectors-*")
    matrix.unlink() if matrix.is_file() else shutil.rmtree(matrix)
    found = cli("kb", "check", "--kb", copy)
    assert found.code == 1
    assert "kb repair" in found.out
    assert cli("kb", "repair", "--kb", copy).code == 0
    assert cli("kb", "check", "--kb", copy).code == 0


def test_a_collection_is_removed_only_when_asked_for(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sample_database, copy)
    complained(cli("kb", "remove", "Nichts", "--kb", copy, "--yes"), 2, "Nichts", "sample")
    done = cli("kb", "remove", "sample", "--kb", copy, "--yes", "--json")
    assert json.loads(done.out) == {"collection": "sample", "removed": 12}


def test_the_graph_names_what_is_missing(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    done = cli("graph", "-c", "sample", "--kb", sample_database, "--out", "graph.html")
    assert done.code == 0
    assert "Atomgesetz" in done.out
    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert 'src="http' not in page
    counted = re.search(r"([\d,]+) references? between them", done.out)
    assert counted is not None
    assert f"{counted[1]} references" in page
    complained(cli("graph", "-c", "sample", "--kb", sample_database, "--out", "graph.png"), 2, ".graphml")


def report_with(quote: str, kb: KnowledgeBase) -> Report:
    document = next(each for each in kb.documents() if each.file == "IsoLG.pdf")
    citation = Citation(
        marker="[1]", key="e1", document=document.id, file=document.file, title="", page=2, page_label="3", quote=quote
    )
    return Report(run_id="r", query="q", language="de", markdown="", citations=(citation,))


@pytest.mark.parametrize(("quote", "code"), [("8 Millisievert im Kalenderjahr", 0), ("80 Millisievert", 1)])
def test_a_report_is_checked_again(cli: Cli, sample_database: Path, tmp_path: Path, quote: str, code: int) -> None:
    with KnowledgeBase.open(sample_database) as kb:
        (tmp_path / "r.json").write_text(report_with(quote, kb).model_dump_json(), encoding="utf-8")
    done = cli("verify", "r.json", "--kb", sample_database)
    assert done.code == code
    assert ("no longer in the document" in done.out) == bool(code)


def test_quotations_of_the_appendix_are_counted_by_themselves(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    with KnowledgeBase.open(sample_database) as kb:
        report = report_with("8 Millisievert im Kalenderjahr", kb)
    first, gone = (
        report.citations[0],
        report.citations[0].model_copy(update={"marker": "[2]", "quote": "80 Millisievert"}),
    )
    report = report.model_copy(update={"markdown": "> 8 Millisievert [[1]][s1]", "citations": (first, gone)})
    (tmp_path / "r.json").write_text(report.model_dump_json(), encoding="utf-8")
    done = cli("verify", "r.json", "--kb", sample_database)
    assert done.out.startswith("Quotations that hold: 1 of 1 in the report, 0 of 1 that only its appendix cites.")


def test_what_is_no_report(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    complained(cli("verify", "nothing.json", "--kb", sample_database), 2, "nothing.json")
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    complained(cli("verify", "other.json", "--kb", sample_database), 2, "other.json")


def test_the_flow_is_drawn(cli: Cli, tmp_path: Path) -> None:
    assert cli("visualize").out.startswith("flowchart")
    assert cli("visualize", "--out", "flow.html").code == 0
    assert "<html" in (tmp_path / "flow.html").read_text(encoding="utf-8")
    complained(cli("visualize", "--out", "flow.png"), 2, ".html")
    complained(cli("visualize", "--run", "nothing"), 2, "nothing")


def test_the_doctor_says_what_is_there_and_how_to_mend_the_rest(cli: Cli, sample_database: Path) -> None:
    findings = {each["name"]: each for each in json.loads(cli("doctor", "--kb", sample_database, "--json").out)}
    assert findings["knowledge base"]["status"] == "ok"
    assert findings["embeddings"]["status"] == "ok"
    fresh = cli("doctor", "--kb", "nowhere")
    assert fresh.code == 0
    assert "rabbithole ingest" in fresh.out


def test_the_doctor_fails_on_a_model_that_is_demanded_and_not_there(
    cli: Cli, sample_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REASONER", "ollama")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    done = cli("doctor", "--kb", sample_database)
    assert done.code == 1
    assert "127.0.0.1:9" in done.out


def test_saved_reports_that_cite_what_has_changed_are_listed(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "rules.md").write_text("# Rules\n\nThe limit of the vessel is 8 mSv.\n", encoding="utf-8")
    (folder / "more.md").write_text("# More\n\nThe dose of the day is low.\n", encoding="utf-8")
    kb_path = tmp_path / "kb"
    with KnowledgeBase.open(kb_path, KbSettings(embedding_model="hash", parse_workers=1), create=True) as kb:
        kb.ingest([folder], "Rules")
        documents = {each.file: each for each in kb.documents()}
        with closing(SqliteRunStore(tmp_path / "runs.sqlite")) as runs:
            for name, quote in (("rules.md", "The limit of the vessel is 8 mSv."), ("more.md", "The dose of the day")):
                state = ResearchState(run_id=name[:4], query=f"What of {name}?", collections=("Rules",))
                runs.acquire(state.run_id)
                runs.save(state)
                citation = Citation(
                    marker="[1]", key="e1", document=documents[name].id, file=name, title="", page=1,
                    page_label="¶ 2", quote=quote,
                )  # fmt: skip
                report = Report(run_id=name[:4], query=state.query, language="en", markdown="", citations=(citation,))
                runs.put_report(name[:4], report)
        assert cli("verify", "--stale", "--kb", kb_path).out.startswith("0 of 2 saved reports")
        (folder / "rules.md").write_text("# Rules\n\nThe limit of the vessel is 6 mSv.\n", encoding="utf-8")
        kb.ingest([folder], "Rules")
    done = cli("verify", "--stale", "--kb", kb_path)
    assert done.code == 1
    assert done.out.startswith("1 of 2 saved reports")
    assert "[1] rules.md: is no longer in the document" in done.out
    complained(cli("verify", "--kb", kb_path), 2, "--stale")
