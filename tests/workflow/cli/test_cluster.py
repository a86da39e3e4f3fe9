"""A knowledge base whose catalog is in PostgreSQL, as a whole: the same commands, with one variable set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Cli, complained

pytest.importorskip("psycopg")


@pytest.mark.slow
def test_the_same_commands(
    cli: Cli, sample_pdfs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    monkeypatch.setenv("RABBITHOLE_CATALOG", postgres_address)
    folder = tmp_path / "kb"
    complained(cli("search", "x", "--kb", folder), 1, "rabbithole ingest")
    assert cli("ingest", sample_pdfs, "-c", "sample", "--kb", folder).code == 0
    assert not list(folder.glob("*.sqlite"))
    found = json.loads(cli("search", "Becquerel je Quadratzentimeter", "--kb", folder, "--json").out)
    assert ("IsoLV.pdf", "§ 10") in {(hit["document"], hit["section"]) for hit in found["hits"]}
    answer = cli(
        "ask", "Welcher Grenzwert der effektiven Dosis gilt für beruflich exponierte Personen?", "--kb", folder
    )
    assert answer.code == 0
    assert "IsoLG.pdf#page=3" in answer.out
    assert cli("kb", "check", "--kb", folder).code == 0
    again = cli("ingest", sample_pdfs, "-c", "sample", "--kb", folder)
    assert again.code == 0
    assert cli("kb", "stats", "--kb", folder).code == 0
    monkeypatch.delenv("RABBITHOLE_CATALOG")
    complained(cli("search", "x", "--kb", folder), 1, "RABBITHOLE_CATALOG")
