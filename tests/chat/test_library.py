"""Documents as people see and choose them, and questions restricted to some."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pymupdf
import pytest

from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.question import understand
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow import ReportReady, ResearchRequest, ResearchWorkflow, SqliteRunStore
from rabbithole.workflow.chat.documents.library import CorrectionBody, DocumentPanel, ReadAgain, ScopeBody
from rabbithole.workflow.chat.runs.history import History


def test_every_document_is_shown_by_its_name(kb_copy: KnowledgeBase, history: History) -> None:
    rows = DocumentPanel(kb_copy, history, editable=True).shown("ann")["documents"]
    assert [(row["name"], row["collection"], row["pages"]) for row in rows] == [
        ("Air Act", "Rules", 1),
        ("Manual of filters", "Rules", 2),
    ]
    assert all(isinstance(row["warnings"], list) for row in rows)


GARBLED = "Xsåtyérëéuçpiêêwé ÉsåçwêêWsÇstsÇr7üêÇwqvs syiééêüiqvëéusé Râüâêwâéçâåréëéu rsåWéwÉsåçwê "


def test_a_document_without_readable_text_is_marked(kb_copy: KnowledgeBase, history: History, tmp_path: Path) -> None:
    folder = tmp_path / "pdf"
    folder.mkdir()
    with pymupdf.open() as pdf:
        pdf.new_page().insert_textbox((40, 40, 560, 800), GARBLED * 30)
        pdf.save(folder / "garbled.pdf")
    (folder / "broken.pdf").write_bytes(b"not a PDF")
    kb_copy.ingest([folder], "Scans")
    shown = DocumentPanel(kb_copy, history, editable=True).shown("ann")
    rows = [one for one in shown["documents"] if one["collection"] == "Scans"]
    assert [row["file"] for row in rows] == ["garbled.pdf"]
    assert any("unreadable" in warning for warning in rows[0]["warnings"])
    assert [one["file"] for one in shown["unread"]] == ["broken.pdf"]


def test_what_is_chosen_is_kept_and_what_is_gone_is_forgotten(kb_copy: KnowledgeBase, history: History) -> None:
    library = DocumentPanel(kb_copy, history, editable=True)
    first, second = kb_copy.documents()
    library.choose("ann", ScopeBody(documents=[first.id, second.id], mode="plain", depth=1))
    library.remove(first)
    scope = library.shown("ann")["scope"]
    assert scope == {"collections": [], "documents": [second.id], "mode": "plain", "depth": 1}
    assert library.shown("bob")["scope"]["documents"] == []


def test_what_a_person_corrects_holds_when_the_file_is_read_again(kb_copy: KnowledgeBase, history: History) -> None:
    panel = DocumentPanel(kb_copy, history, editable=True)
    act = next(one for one in kb_copy.documents() if one.title == "Air Act")
    panel.correct(act, CorrectionBody(title="Clean Air Act", number="AIR 7", alias="the Filter Act", year=1999))
    before = panel.shown("ann")["documents"][0]
    assert (before["name"], before["title"], before["year"]) == ("AIR 7", "Clean Air Act", 1999)
    assert panel.read_again(act) == ReadAgain(id=act.id)
    assert panel.shown("ann")["documents"][0] == before
    assert kb_copy.detect("as the Filter Act says", language="en")
    other = next(one for one in kb_copy.documents() if one.id != act.id)
    with pytest.raises(UsageError, match="already names"):
        panel.correct(other, CorrectionBody(alias="the Filter Act"))


def test_a_file_that_is_gone_is_not_read_again_and_its_document_stays(kb_copy: KnowledgeBase, history: History) -> None:
    panel, (first, _) = DocumentPanel(kb_copy, history, editable=True), kb_copy.documents()
    kept = Path(first.path).read_bytes()
    Path(first.path).unlink()
    try:
        with pytest.raises(UsageError, match="no longer where it was"):
            panel.read_again(first)
    finally:
        Path(first.path).write_bytes(kept)
    assert len(kb_copy.documents()) == 2


@pytest.mark.parametrize("mode", ["plain", "research"])
def test_a_question_is_answered_from_the_documents_chosen(kb_copy: KnowledgeBase, tmp_path: Path, mode: str) -> None:
    runs = SqliteRunStore(tmp_path / "runs.sqlite")

    async def asked(*documents: str) -> set[str]:
        workflow = ResearchWorkflow(kb_copy, ResearchSettings(_env_file=None), runs=runs)
        request = ResearchRequest(
            query="How often is a filter tested?", mode=mode, depth=0, auto_approve=True, documents=list(documents),
            run_id=f"r{len(documents)}",
        )  # fmt: skip
        ready: ReportReady = await workflow.run(start_event=request)
        return {citation.document for citation in ready.report.answer.citations}

    act = next(one for one in kb_copy.documents() if one.title == "Air Act")
    assert asyncio.run(asked(act.id)) == {act.id}
    assert asyncio.run(asked()) - {act.id}
    runs.close()


def test_a_place_outside_the_documents_chosen_is_not_opened(kb_copy: KnowledgeBase) -> None:
    act, manual = sorted(kb_copy.documents(), key=lambda one: one.title)
    understood = understand(kb_copy, "What does § 12 of the Air Act say?", "en")
    assert understood.within(()) is understood
    assert understood.within((manual.id,)).documents == (manual.id,)
    assert not understood.within((manual.id,)).opened
    assert understood.within((act.id, manual.id)).opened == understood.opened
