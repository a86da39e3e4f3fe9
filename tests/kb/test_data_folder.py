"""Where data lives, and how what an older version built gets there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase, data_folder
from rabbithole.kb.errors import KnowledgeBaseError

HASH = KbSettings(embedding_model="hash")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, seen from an empty folder that is no checkout."""
    monkeypatch.setenv("RABBITHOLE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(data_folder, "CHECKOUT", tmp_path / "nothing")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def test_the_data_folder_is_named_else_in_the_checkout_else_of_the_account(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data_folder.data_folder() == home
    monkeypatch.delenv("RABBITHOLE_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder.data_folder() == tmp_path / "xdg" / "rabbithole"
    monkeypatch.setattr(data_folder, "CHECKOUT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    assert data_folder.data_folder() == tmp_path / "data"


def test_a_former_knowledge_base_is_moved_with_what_lay_beside_it(
    home: Path, tmp_path: Path, sample_database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    former = tmp_path / "kb"
    shutil.copytree(sample_database, former / "database")
    (former / "runs.sqlite").write_text("runs", encoding="utf-8")
    (former / "uploads").mkdir()
    with KnowledgeBase.open(settings=HASH) as kb:
        assert kb.folder == home / "database"
        assert kb.documents()
    assert (home / "runs.sqlite").read_text(encoding="utf-8") == "runs"
    assert sorted(path.name for path in former.iterdir()) == ["uploads"]
    assert "was moved to" in caplog.text
    caplog.clear()
    with KnowledgeBase.open("kb/database", HASH) as kb:  # code written for the former place
        assert kb.folder == home / "database"
    assert "has moved to" in caplog.text
    caplog.clear()
    KnowledgeBase.open(settings=HASH).close()
    assert not caplog.text


def test_two_knowledge_bases_are_both_kept(
    home: Path, tmp_path: Path, sample_database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for folder in (home, tmp_path / "kb"):
        shutil.copytree(sample_database, folder / "database")
    assert data_folder.knowledge_base_folder() == home / "database"
    assert (tmp_path / "kb" / "database" / "catalog.sqlite").exists()
    assert "is not used" in caplog.text


def test_what_cannot_be_moved_is_left_and_said(home: Path, tmp_path: Path, sample_database: Path) -> None:
    shutil.copytree(sample_database, tmp_path / "kb" / "database")
    home.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match="cannot be moved"):
        KnowledgeBase.open(settings=HASH)
    assert (tmp_path / "kb" / "database" / "catalog.sqlite").exists()
