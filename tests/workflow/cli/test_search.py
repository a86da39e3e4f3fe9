"""``rabbithole search``: its JSON, its filters, and what it says to wrong requests."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings

from .conftest import Cli, complained


def test_json_has_the_promised_shape(cli: Cli, sample_database: Path) -> None:
    found = json.loads(
        cli("search", "Becquerel je Quadratzentimeter", "--kb", sample_database, "--mode", "keyword", "--json").out
    )
    assert set(found) == {"total", "hits"}
    assert found["total"] >= 2
    assert set(found["hits"][0]) == {"document", "section", "page", "score", "text", "reasons", "times_cited"}
    assert ("IsoLV.pdf", "§ 10") in {(hit["document"], hit["section"]) for hit in found["hits"]}


def test_hits_are_listed_with_document_section_and_both_page_numbers(cli: Cli, sample_database: Path) -> None:
    done = cli("search", "moisture", "--kb", sample_database, "--mode", "keyword", "--filter", "year=2016")
    assert done.code == 0
    assert "Hartmann Lindqvist 2016.pdf" in done.out
    assert "p. 411 (PDF 1)" in done.out or "p. 412 (PDF 2)" in done.out


def test_the_page_of_a_hit_is_that_of_the_words_shown(cli: Cli, tmp_path: Path) -> None:
    pages = ("1 Zweck\n\n" + "Die Klasse erzeugt ein Dokument. " * 12, "Der Mindestlohn beträgt 8,50 Euro pro Stunde.")
    path = write_pdf(tmp_path / "pdf" / "a.pdf", pages, toc=[(1, "1 Zweck", 1)], title="Handbuch")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([path], "C")
    done = cli("search", "Mindestlohn", "--kb", tmp_path / "database", "--mode", "keyword")
    assert "beträgt 8,50" in done.out
    assert "p. 2 (PDF 2)" in done.out


def test_filters_restrict(cli: Cli, sample_database: Path) -> None:
    done = cli(
        "search",
        "Lüftung",
        "--kb",
        sample_database,
        "--filter",
        "year>=2019",
        "--filter",
        "type in Norm,Gesetz",
        "--json",
    )
    files = {hit["document"] for hit in json.loads(done.out)["hits"]}
    assert files
    assert files <= {"DIN 98412-3_2019-06.pdf", "IsoLG.pdf"}


def test_wrong_requests(cli: Cli, sample_database: Path) -> None:
    complained(cli("search", "x", "--kb", sample_database, "-c", "Nichts"), 2, "Nichts", "sample")
    complained(cli("search", "x", "--kb", sample_database, "--filter", "colour=red"), 2, "colour", "year")
    complained(cli("search", "x", "--kb", sample_database, "--filter", "year"), 2, "year")
    complained(cli("search", "  ", "--kb", sample_database), 2, "empty")
    complained(cli("search", "x", "--kb", "nowhere"), 1, "nowhere")


def test_a_knowledge_base_of_a_newer_version_is_refused(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    shutil.copytree(sample_database, newer)
    catalog = newer / "catalog.sqlite"
    with sqlite3.connect(catalog) as database:
        version = database.execute("PRAGMA user_version").fetchone()[0]
        database.execute(f"PRAGMA user_version = {version + 1}")
    complained(cli("search", "x", "--kb", newer), 1, "newer")


@pytest.mark.slow
def test_searching_by_words_loads_no_model_library(sample_database: Path) -> None:
    code = (
        "import sys; from rabbithole.workflow.cli.app import run\n"
        f"code = run(['search', 'Lüftung', '--mode', 'keyword', '--kb', {str(sample_database)!r}])\n"
        "heavy = {'torch', 'transformers', 'chromadb', 'workflows', 'pymupdf'}\n"
        "loaded = heavy & {name.split('.')[0] for name in sys.modules}\n"
        "sys.exit(code or (repr(loaded) if loaded else 0))"
    )
    environment = {**os.environ, "EMBEDDING_MODEL": "hash"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
