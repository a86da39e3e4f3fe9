"""A draft as people have it: read from each format, handed back as a page and in Word."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import docx
import pytest
from kb_records import HASH, knowledge_base, record

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.draft_check.check import check_draft
from rabbithole.workflow.cli.app import run
from rabbithole.workflow.draft_check.draft_file import read_draft
from rabbithole.workflow.draft_check.page import to_html
from rabbithole.workflow.draft_check.word_comments import write_comments

DUTY = "Der Betreiber hat die Messgeräte alle zwei Jahre durch eine anerkannte Stelle prüfen zu lassen."
RIGHT = f"§ 4 MessG bestimmt: „{DUTY}“"
WRONG = f"§ 4 MessG bestimmt: „{DUTY.replace('anerkannte', 'beliebige')}“"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kb") / "kb"
    knowledge_base(path, record("MessG", [("§ 1", "Zweck ist die Sicherheit."), ("§ 4", DUTY)])).close()
    return path


def word(path: Path, *paragraphs: str) -> Path:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    table = document.add_table(rows=1, cols=1)
    table.cell(0, 0).text = "§ 44 MessG regelt das."
    document.save(str(path))
    return path


def test_a_word_draft_comes_back_with_comments(folder: Path, tmp_path: Path) -> None:
    draft, out = word(tmp_path / "draft.docx", RIGHT, WRONG), tmp_path / "checked.docx"
    assert run(["check", str(draft), "--kb", str(folder), "--out", str(out)]) == 1
    comments = [comment.text for comment in docx.Document(str(out)).comments]
    assert len(comments) == 2
    assert "anerkannte" in comments[0]
    assert "§ 44" in comments[1]
    assert docx.Document(str(draft)).paragraphs[0].text == RIGHT


def test_a_right_draft_ends_with_0_and_prints_json(folder: Path, tmp_path: Path, capsys) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(f"# Notes\n\n{RIGHT}\n", encoding="utf-8")
    assert run(["check", str(draft), "--kb", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {one["verdict"] for one in found} == {"holds"}


def test_the_page_marks_findings_and_escapes_the_draft(folder: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(f"<script>alert(1)</script> {WRONG}", encoding="utf-8")
    with knowledge_base_at(folder) as kb:
        page = to_html(check_draft(draft.name, read_draft(draft), kb), "de")
    assert "<script>" not in page
    assert "<mark class='wrong'" in page
    assert "Wortlaut weicht ab" in page


def knowledge_base_at(folder: Path) -> KnowledgeBase:
    return KnowledgeBase.open(folder, HASH)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("draft.pptx", b"x", "cannot be read as a draft"),
        ("draft.docx", b"not a zip", "not a Word document"),
        ("draft.md", b"  \n", "no text"),
        ("draft.txt", b"\x81\x8d\x8f\x90", "neither in UTF-8"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError, match=sentence):
        read_draft(path)


def test_a_zip_that_is_no_word_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "draft.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anything.txt", "text")
    with pytest.raises(UsageError, match="not a Word document"):
        read_draft(path)


def test_the_result_never_overwrites_the_draft(folder: Path, tmp_path: Path) -> None:
    draft = word(tmp_path / "draft.docx", RIGHT)
    before = draft.read_bytes()
    assert run(["check", str(draft), "--kb", str(folder), "--out", str(draft)]) == 2
    assert draft.read_bytes() == before


def test_comments_count_what_is_wrong_or_open(folder: Path, tmp_path: Path) -> None:
    draft = word(tmp_path / "draft.docx", RIGHT)
    with knowledge_base_at(folder) as kb:
        found = check_draft("draft", read_draft(draft), kb)
        assert write_comments(draft, found, tmp_path / "out.docx") == len(found.wrong) + len(found.open)
