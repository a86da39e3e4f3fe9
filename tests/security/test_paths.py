"""Nothing of this machine's folders leaves in a report, an export, an answer or a refusal."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import without_paths
from rabbithole.steps.report_models import Report
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ResearchRequest, ResearchWorkflow
from rabbithole.workflow.report.export.report_files import export
from rabbithole.workflow.run.stores.sqlite import SqliteRunStore

QUESTION = "Wie hoch darf die effektive Dosis beruflich exponierter Personen sein?"


def researched(database: Path, folder: Path, settings: ResearchSettings) -> Report:
    shutil.copytree(database, folder / "database")

    async def run(kb: KnowledgeBase) -> Report:
        store = SqliteRunStore(folder / "runs.sqlite")
        workflow = ResearchWorkflow(kb, settings, runs=store)
        request = ResearchRequest(query=QUESTION, mode="plain", auto_approve=True)
        done = await workflow.run(start_event=request)
        store.close()
        report: Report = done.report
        return report

    with KnowledgeBase.open(folder / "database", KbSettings(_env_file=None, embedding_model="hash")) as kb:
        return asyncio.run(run(kb))


@pytest.fixture(scope="module")
def report(sample_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Report:
    return researched(sample_database, tmp_path_factory.mktemp("paths"), ResearchSettings(_env_file=None))


def test_a_report_names_places_in_the_collection(report: Report, sample_pdfs: Path) -> None:
    told = report.model_dump_json()
    assert report.citations
    assert "file://" not in told
    assert str(sample_pdfs) not in told
    assert str(Path.home()) not in told
    assert all(not Path(one.path).is_absolute() for one in report.citations)


@pytest.mark.parametrize("form", ["md", "html", "json", "pdf"])
def test_an_export_names_no_folder(report: Report, sample_pdfs: Path, tmp_path: Path, form: str) -> None:
    target = tmp_path / f"report.{form}"
    export(report, target)
    data = target.read_bytes()
    assert b"file:/" not in data
    assert str(sample_pdfs).encode() not in data


def test_by_option_reports_hold_the_paths_of_the_machine(
    sample_database: Path, sample_pdfs: Path, tmp_path: Path
) -> None:
    settings = ResearchSettings(_env_file=None, report_paths="absolute")
    found = researched(sample_database, tmp_path, settings)
    held = {one.name for one in sample_pdfs.glob("*.pdf")}
    assert any(Path(one.path).is_absolute() and Path(one.path).name in held for one in found.citations)
    assert "file://" in found.markdown


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("No knowledge base at /home/ann/secret client/kb: build one.", "No knowledge base at kb: build one."),
        (r"The file C:\Users\ann\a.pdf cannot be read.", "The file a.pdf cannot be read."),
        ("See § 3/4 and/or http://localhost:11434/api.", "See § 3/4 and/or http://localhost:11434/api."),
        ("/srv/data/x.sqlite is locked", "x.sqlite is locked"),
        ("OSError:/srv/data/x.sqlite", "OSError:x.sqlite"),
        ("[Errno 2] No such file: '/home/ann/a b/c.pdf'", "[Errno 2] No such file: 'c.pdf'"),
        ("see file:///home/ann/a.pdf#page=3", "see a.pdf#page=3"),
        (r"no share \\server\ann\a.pdf", "no share a.pdf"),
        ("http://host:8080/a/b and https://kta.example/a/b/c.html", "http://host:8080/a/b and https://kta.example/a/b/c.html"),
    ],
)  # fmt: skip
def test_a_refusal_names_no_folder(sentence: str, told: str) -> None:
    assert without_paths(sentence) == told
