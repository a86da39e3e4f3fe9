"""Files that expand without end and processes that hang: each fails alone, and the work after it goes on."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pdfs import write_pdf
from security import bombs
from security.bombs import write_word

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import IngestError, KnowledgeBaseError, UsageError
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.mupdf import pymupdf
from rabbithole.workflow.chat.documents.page_process import PageProcess
from rabbithole.workflow.chat.documents.pages import MOST_PIXELS
from rabbithole.workflow.chat.documents.served_documents import Documents
from rabbithole.workflow.draft_check.draft_file import read_draft

SECONDS = 3.0  # of processor time for a file; ten times as much by the clock, for machines that have other work
SOON = 1.0  # until a page is given up that nobody can draw; before and after it a page has ``PATIENCE``
PATIENCE = 12.0
GOOD = "1 Filters\n\nEvery filter is tested once a year under § 12 of the Air Act."


@pytest.mark.slow
@pytest.mark.parametrize(
    "bomb",
    [
        bombs.laughing,
        bombs.tiled,
        bombs.deflated,
        bombs.huge_page,
        bombs.huge_image,
        bombs.circular,
        bombs.objects_of_objects,
        bombs.nested,
    ],
)
def test_a_bomb_costs_only_itself(tmp_path: Path, bomb: Callable[[Path], Path]) -> None:
    path, good = bomb(tmp_path / "bomb.pdf"), write_pdf(tmp_path / "good.pdf", [GOOD])
    assert path.stat().st_size < 500_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ReaderPool(1, timeout=SECONDS, memory_mb=1024) as pool:
        with contextlib.suppress(IngestError):
            assert len(pool.read(path).text) < 10_000
        assert "Every filter" in pool.read(good).text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes: none of it is here


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Documents]:
    """A chat's documents: a good one, and one whose second page nobody can draw to its end."""
    write_pdf(tmp_path / "pdf" / "good.pdf", [GOOD])
    bombs.tiled(tmp_path / "pdf" / "bomb.pdf")
    bombs.huge_page(tmp_path / "pdf" / "huge.pdf")
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Rules")
        documents = Documents(kb)
        documents._pages = PageProcess(PATIENCE)
        yield documents
        documents.close()


@pytest.mark.slow
def test_a_page_that_takes_for_ever_is_given_up(shelf: Documents, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its document was ingested: reading its text takes no time."""
    held = {one.file: one for one in shelf._kb.documents()}
    bomb = held["bomb.pdf"]
    assert shelf.page(bomb, 0, "").words
    with monkeypatch.context() as soon:
        soon.setattr(shelf._pages, "_seconds", SOON)
        with pytest.raises(KnowledgeBaseError, match=r"Page 2 of bomb.pdf cannot be shown because it takes too long"):
            shelf.picture(bomb, 1)
    began = time.monotonic()
    with pytest.raises(KnowledgeBaseError, match="open the PDF itself"):
        shelf.marked(bomb, 1, "filter")
    assert time.monotonic() - began < 1
    assert shelf.page(held["good.pdf"], 0, "Every filter").found == "exact"
    drawn = pymupdf.Pixmap(shelf.picture(held["huge.pdf"], 1))
    assert drawn.width * drawn.height <= 1.01 * MOST_PIXELS


@pytest.mark.slow
def test_a_page_process_that_stands_still_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pdf(tmp_path / "pdf" / "good.pdf", [GOOD, "2 Records\n\nThe result of a test is kept for ten years."])
    settings = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
    pages = PageProcess(PATIENCE)
    with KnowledgeBase.open(tmp_path / "database", settings, create=True) as kb:
        kb.ingest([tmp_path / "pdf"], "Rules")
        good = kb.documents()[0]
        assert pages.view(good, 0, "").words
        assert pages._process is not None
        assert pages._process.pid is not None
        os.kill(pages._process.pid, signal.SIGSTOP)
        with monkeypatch.context() as soon:
            soon.setattr(pages, "_seconds", SOON)
            with pytest.raises(KnowledgeBaseError, match="takes too long"):
                pages.view(good, 0, "")
        assert pages.view(good, 1, "").words
        pages._process.kill()
        assert pages.view(good, 1, "").words
    pages.close()


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGSEGV])
def test_a_reader_that_stands_still_or_crashes_is_replaced(tmp_path: Path, sent: signal.Signals) -> None:
    good = write_pdf(tmp_path / "good.pdf", [GOOD])
    with ReaderPool(1, timeout=2.0) as pool:
        assert "Every filter" in pool.read(good).text
        for worker in pool._all:
            assert worker._process is not None
            os.kill(worker._process.pid, sent)
            if sent is not signal.SIGSTOP:
                worker._process.wait()
        if sent is signal.SIGSTOP:
            with pytest.raises(IngestError, match=r"good.pdf takes longer"):
                pool.read(good)
        assert "Every filter" in pool.read(good).text


LAUGHS = "<!DOCTYPE l [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)
)


def test_a_word_draft_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    draft = write_word(tmp_path / "draft.docx", "Filters", size=310_000_000)
    assert draft.stat().st_size < 1_000_000
    with pytest.raises(UsageError, match="unpacks to more than"):
        read_draft(draft)


def test_a_word_draft_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    draft = write_word(tmp_path / "draft.docx", "Filters", size=310_000_000)
    data = draft.read_bytes()
    with open(draft, "rb") as file:
        sizes = [one.file_size for one in bombs.zipfile.ZipFile(file).infolist()]
    told = max(sizes).to_bytes(4, "little")
    draft.write_bytes(data.replace(told, (2000).to_bytes(4, "little")))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(UsageError, match="damaged"):
        read_draft(draft)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize("prologue", [LAUGHS + "]>", "<!DOCTYPE l [<!ENTITY j SYSTEM 'file://SECRET'>]>"])
def test_entities_of_a_word_draft_are_not_expanded(tmp_path: Path, prologue: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret of somebody else")
    draft = write_word(tmp_path / "draft.docx", "Filters &j;", prologue.replace("SECRET", str(secret)))
    try:
        told = " ".join(paragraph.text for paragraph in read_draft(draft))
    except UsageError:
        return
    assert "secret of" not in told
    assert "ha" not in told
    assert len(told) < 1000


def test_a_draft_is_read_in_a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has the limits on time and memory that readers of documents have."""
    asked: list[Path] = []

    def read(pool: ReaderPool, path: Path) -> None:
        asked.append(path)
        raise IngestError(f"{path.name} takes longer than 60 s to read.")

    monkeypatch.setattr(ReaderPool, "read", read)
    draft = bombs.laughing(tmp_path / "draft.pdf")
    with pytest.raises(IngestError, match=r"draft.pdf takes longer"):
        read_draft(draft)
    assert asked == [draft]
