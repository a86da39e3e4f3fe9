"""``rabbithole eval``: the table on passages and on documents; passages indexed once; wrong sets explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Cli

PASSAGES = [
    ("Web of Suspicion", "Web of Suspicion is a 1959 British crime film directed by Max Varnel."),
    ("Max Varnel", "Max Varnel (21 March 1925) was a French-born Australian television maker."),
    ("Sydney", "Sydney is the capital of New South Wales."),
]


def write_set(folder: Path) -> Path:
    folder.mkdir()
    rows = [{"pid": f"p{number}", "title": title, "text": text} for number, (title, text) in enumerate(PASSAGES)]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    question = {
        "id": "q1", "question": "When was the director of Web of Suspicion born?", "answer": "21 March 1925",
        "gold_pids": ["p1", "p0"],
    }  # fmt: skip
    (folder / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_MODEL", "hash")


def test_a_folder_of_passages_is_measured_and_indexed_once(cli: Cli, tmp_path: Path) -> None:
    folder, out = write_set(tmp_path / "tiny"), tmp_path / "out"
    result = cli("eval", str(folder), "--out", str(out), "--json")
    assert result.code == 0, result.err
    content = json.loads(result.out)
    assert [row["way"] for row in content["retrieval"]] == ["keyword", "semantic", "hybrid"]
    assert content["retrieval"][2]["recall"] == 1.0
    assert content["answers"]["hop_recall"] == 1.0
    databases = list((out / "tiny").glob("database-*"))
    assert len(databases) == 1
    before = (databases[0] / "catalog.sqlite").stat().st_mtime_ns
    assert cli("eval", str(folder), "--out", str(out), "--retrieval-only").code == 0
    assert (databases[0] / "catalog.sqlite").stat().st_mtime_ns == before


@pytest.mark.slow
def test_questions_on_documents_need_their_places(cli: Cli, sample_database: Path, tmp_path: Path) -> None:
    result = cli("eval", "sample", "--kb", str(sample_database), "--sample-size", "2", "--out", str(tmp_path), "--json")
    assert result.code == 0, result.err
    answers = json.loads(result.out)["answers"]
    assert answers["questions"] == 2
    assert answers["hop_recall"] > 0
    assert answers["whole_recall"] >= answers["hop_recall"]
    assert (tmp_path / "sample" / "runs.sqlite").is_file()
    gold = tmp_path / "own.json"
    question = {"id": "q", "question": "Wer?", "chain": [{"file": "nowhere.pdf", "section": "§ 1"}]}
    gold.write_text(json.dumps({"questions": [question]}), encoding="utf-8")
    lacking = cli("eval", str(gold), "--kb", str(sample_database), "--out", str(tmp_path))
    assert lacking.code != 0
    assert "nowhere.pdf" in lacking.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "is not a set of questions"),
        ('{"questions": [{"id": 1}]}', "is not a set of questions"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_set_is_said(cli: Cli, tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "set.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    result = cli("eval", str(path), "--out", str(tmp_path))
    assert result.code == 2
    assert words in result.err


def test_documents_without_a_knowledge_base(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    question = {"id": "q", "question": "Wer?", "chain": [{"file": "a.pdf"}]}
    path.write_text(json.dumps({"questions": [question]}), encoding="utf-8")
    result = cli("eval", str(path), "--out", str(tmp_path))
    assert result.code == 2
    assert "--kb" in result.err
