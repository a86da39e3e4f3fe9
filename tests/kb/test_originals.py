"""Copies of the ingested files, with which another machine shows the page of a citation."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rabbithole.kb.copying import Location, copy_knowledge_base
from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.models import Document
from rabbithole.kb.originals import Originals
from rabbithole.kb.settings import KbSettings
from rabbithole.workflow.chat.documents.served_documents import Documents

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(tmp_path: Path) -> KbSettings:
    return KbSettings(embedding_model="hash", rabbithole_originals=str(tmp_path / "shared"), _env_file=None)


@pytest.fixture
def papers(tmp_path: Path, sample_pdfs: Path) -> Path:
    """A folder of this test's own, with two PDFs."""
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("IsoLG.pdf", "IsoLV.pdf"):
        shutil.copy2(sample_pdfs / name, folder)
    return folder


@pytest.fixture
def kb(tmp_path: Path, settings: KbSettings, papers: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        kb.ingest([papers], "sample")
        yield kb


def names(kb: KnowledgeBase) -> frozenset[str]:
    assert kb.originals is not None
    return kb.originals.open().names()


def order(kb: KnowledgeBase) -> Document:
    return next(each for each in kb.documents() if each.file == "IsoLV.pdf")


def test_a_page_is_shown_though_the_file_is_gone(kb: KnowledgeBase, papers: Path) -> None:
    shutil.rmtree(papers)
    held, documents = order(kb), Documents(kb)
    try:
        quote = " ".join(kb.text(held.id, *kb.page_span(held.id, 1)).split()[20:30])
        assert documents.page(held, 1, quote).found == "exact"
        assert documents.picture(held, 1).startswith(b"\x89PNG")
        with documents.cited(held, 1, quote) as file:
            assert file.read(5) == b"%PDF-"
    finally:
        documents.close()


def test_a_file_that_changed_is_shown_as_it_was_ingested(kb: KnowledgeBase, papers: Path) -> None:
    before = (papers / "IsoLV.pdf").read_bytes()
    (papers / "IsoLV.pdf").write_bytes(b"%PDF-1.4 another")
    with pytest.raises(KnowledgeBaseError, match="has changed"):
        Originals().open(order(kb))
    with Originals(kb.originals).open(order(kb)) as file:
        assert file.read() == before


def test_a_copy_that_is_not_the_file_is_not_shown(kb: KnowledgeBase, papers: Path, tmp_path: Path) -> None:
    (copy,) = (tmp_path / "shared").rglob(order(kb).id)
    copy.write_bytes(b"%PDF-1.4 another")
    shutil.rmtree(papers)
    with pytest.raises(KnowledgeBaseError, match="has changed"):
        Originals(kb.originals).open(order(kb))


def test_copies_follow_the_documents(kb: KnowledgeBase, papers: Path) -> None:
    assert names(kb) == {document.id for document in kb.documents()}
    (papers / "IsoLG.pdf").unlink()
    kb.ingest([papers], "sample")
    assert names(kb) == {order(kb).id}
    kb.remove_files("sample", ["IsoLV.pdf"])
    assert names(kb) == frozenset()
    kb.ingest([papers], "sample")
    assert names(kb) == {order(kb).id}
    kb.remove("sample")
    assert names(kb) == frozenset()


def test_a_knowledge_base_that_had_no_copies_yet(
    tmp_path: Path, settings: KbSettings, papers: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alone = KbSettings(embedding_model="hash", _env_file=None)
    with KnowledgeBase.open(tmp_path / "kb", alone, create=True) as kb:
        kb.ingest([papers], "sample")
        assert kb.originals is None
        assert kb.check() == []
    with KnowledgeBase.open(tmp_path / "kb", settings) as kb:
        assert kb.originals is None
        kb.ingest([papers], "sample")
        assert names(kb) == {document.id for document in kb.documents()}
        assert kb.check() == []
        (copy,) = (tmp_path / "shared").rglob(order(kb).id)
        copy.unlink()
        (said,) = kb.check()
        assert said.startswith("1 documents have no copy")
        (papers / "IsoLV.pdf").unlink()
        with caplog.at_level(logging.WARNING):
            kb.ingest([papers], "sample", keep=lambda gone: gone)
        assert "no copy of them is kept: IsoLV.pdf" in caplog.text


def test_a_copy_of_the_knowledge_base_has_its_own(
    kb: KnowledgeBase, tmp_path: Path, settings: KbSettings, papers: Path
) -> None:
    kb.close()
    shutil.rmtree(papers)
    origin = Location("origin", tmp_path / "kb", settings)
    copy = Location("copy", tmp_path / "copy", settings)
    copy_knowledge_base(origin, copy)
    with KnowledgeBase.open(copy.folder, settings) as other:
        assert names(other) == {document.id for document in other.documents()}
        other.remove("sample")
    with KnowledgeBase.open(origin.folder, settings) as kept:
        assert len(names(kept)) == 2


def test_a_place_that_cannot_be_written(tmp_path: Path, papers: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    settings = KbSettings(embedding_model="hash", rabbithole_originals=str(tmp_path / "file"), _env_file=None)
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        with pytest.raises(KnowledgeBaseError, match="RABBITHOLE_ORIGINALS"):
            kb.ingest([papers], "sample")
        assert kb.count() == 2
