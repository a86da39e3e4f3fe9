"""``rabbithole kb copy``: how a place is named, what is printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from .conftest import Cli, complained

ACT = record("act", [("§ 1", "Zweck ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EMBEDDING_MODEL", "hash")
    knowledge_base(tmp_path / "origin", ACT).close()
    return tmp_path / "origin"


def test_from_folder_to_folder(cli: Cli, origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RABBITHOLE_CATALOG", "postgresql://127.0.0.1:9/other")  # says nothing about folders
    monkeypatch.setenv("CHROMA_URL", "http://127.0.0.1:9")
    done = cli("kb", "copy", origin, "copy")
    assert done.code == 0
    assert "1 document copied to copy." in done.out
    assert "Runs and the chat's history were not copied" in done.out
    monkeypatch.delenv("RABBITHOLE_CATALOG")
    found = json.loads(cli("search", "Grenzwert", "--kb", tmp_path / "copy", "--json").out)
    assert found["hits"][0]["section"] == "§ 2"
    complained(cli("kb", "copy", origin, "copy"), 1, "already")


def test_to_a_cluster_and_back(
    cli: Cli, origin: Path, tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
    variables = {
        "RABBITHOLE_HOME": str(tmp_path / "home"),
        "RABBITHOLE_CATALOG": postgres_address,
        "RABBITHOLE_INDEX": str(tmp_path / "index"),
    }
    (tmp_path / "cluster.env").write_text("".join(f"{name}={value}\n" for name, value in variables.items()))
    assert cli("kb", "copy", origin, "cluster.env").code == 0
    assert not list((tmp_path / "home").rglob("*.sqlite"))
    complained(cli("kb", "copy", "home/database", "back"), 2, "into a file")
    assert cli("kb", "copy", "cluster.env", "back").code == 0
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cli("kb", "check").code == 0
    there = json.loads(cli("search", "Grenzwert", "--json").out)
    for name in variables:
        monkeypatch.delenv(name)
    assert json.loads(cli("search", "Grenzwert", "--kb", tmp_path / "back", "--json").out) == there


@pytest.mark.parametrize(
    ("written", "given", "said"),
    [
        ("", "postgresql://me:secret@host/database", "write RABBITHOLE_HOME"),
        ("", "none.env", "There is no file none.env"),
        ("RABBITHOLE_INDEX=/shared", "to.env", "RABBITHOLE_HOME=FOLDER"),
        ("%PDF-1.7 \n\\ <<>>", "to.env", "RABBITHOLE_HOME=FOLDER"),
        ("RABBITHOLE_HOME=home\nVECTOR_INDEX=round", "to.env", "VECTOR_INDEX"),
        ("RABBITHOLE_HOME=home\nRABBITHOLE_CATALOG=nowhere", "to.env", "no address"),
    ],
)
def test_a_place_that_is_none(cli: Cli, origin: Path, tmp_path: Path, written: str, given: str, said: str) -> None:
    (tmp_path / "to.env").write_text(written)
    done = cli("kb", "copy", origin, given)
    complained(done, 2, said)
    assert "secret" not in done.err
    assert not (tmp_path / "home").exists()
