"""A collection follows its folder; deleted files keep their documents for a while, lost folders lose nothing."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from watchfiles import Change

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.kb.models import IngestReport
from rabbithole.workflow.cli.commands.watch import summary
from rabbithole.workflow.watching import Grace, concerns, follow, is_news

SETTINGS = KbSettings(embedding_model="hash", parse_workers=1)
SECONDS = 60.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_deleted_files_stay_for_the_grace_time() -> None:
    clock = Clock()
    grace = Grace(10.0, clock)
    assert list(grace.keep(["a", "b"])) == ["a", "b"]
    clock.now = 6.0
    assert (list(grace.keep(["a", "c"])), grace.due) == (["a", "c"], False), "b came back"
    clock.now = 11.0
    assert grace.due
    assert list(grace.keep(["a", "b", "c"])) == ["b", "c"], "b begins anew"
    assert not grace.due


def test_documents_stay_for_good_when_asked() -> None:
    clock = Clock()
    grace = Grace(None, clock)
    clock.now = 1e9
    assert (list(grace.keep(["a"])), grace.due) == (["a"], False)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/x/a.pdf", True), ("/x/a.html", True), ("/x/metadata.csv", True), ("/x/a.pdf.json", True),
        ("/x/folder", True), ("/x/.a.pdf.swp", False), ("/x/~$a.docx", False), ("/x/a.jpg", False),
        ("/x/a.pdf.part", False),
    ],
)  # fmt: skip
def test_which_changes_concern_the_collection(path: str, expected: bool) -> None:
    assert concerns([(Change.modified, path)]) is expected


def test_a_run_in_one_line() -> None:
    report = IngestReport(collection="x", added=("a.pdf", "b.html"), removed=("c.pdf",), unchanged=("d.pdf",))
    assert summary(report) == "2 added (a.pdf, b.html), 1 removed (c.pdf); 1 unchanged."
    assert summary(IngestReport(collection="x")) == "nothing new; 0 unchanged."
    assert not is_news(IngestReport(collection="x", unchanged=("a",)))


@contextmanager
def watched(base: KnowledgeBase, folder: Path, grace: Grace) -> Iterator[queue.Queue[IngestReport | str]]:
    said: queue.Queue[IngestReport | str] = queue.Queue()
    stop = threading.Event()
    thread = threading.Thread(target=follow, args=(base, folder, "Docs", grace, said.put, stop))
    thread.start()
    try:
        yield said
    finally:
        stop.set()
        thread.join(SECONDS)


def news(said: queue.Queue[IngestReport | str]) -> IngestReport:
    """Return the next ingestion report with changes."""
    while True:
        report = said.get(timeout=SECONDS)
        if isinstance(report, IngestReport) and is_news(report):
            return report


@pytest.mark.slow
def test_a_folder_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "first.md").write_text("# First\n\nSome words.\n", encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as base:
        clock = Clock()
        with watched(base, folder, Grace(100.0, clock)) as said:
            assert news(said).added == ("first.md",)
            (folder / "second.html").write_text("<h1>Second</h1><p>Other words.</p>", encoding="utf-8")
            assert news(said).added == ("second.html",)
            (folder / "first.md").write_text("# First\n\nChanged words.\n", encoding="utf-8")
            assert news(said).changed == ("first.md",)
            (folder / "second.html").rename(folder / "moved.html")
            assert news(said).moved == ("moved.html",)
            (folder / "moved.html").unlink()
            quiet = said.get(timeout=SECONDS)
            assert isinstance(quiet, IngestReport)
            assert not is_news(quiet)
            assert len(base.documents("Docs")) == 2, "within the grace time"
            clock.now = 200.0
            assert news(said).removed == ("moved.html",)
            assert [each.file for each in base.documents("Docs")] == ["first.md"]


@pytest.mark.slow
def test_a_folder_that_is_gone_loses_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "disk" / "docs"
    folder.mkdir(parents=True)
    (folder / "first.md").write_text("# First\n\nSome words.\n", encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as base:
        with watched(base, folder, Grace(0.0)) as said:
            assert news(said).added == ("first.md",)
            for file in folder.iterdir():
                file.unlink()
            sentence = said.get(timeout=SECONDS)
            assert isinstance(sentence, str)
            assert "There is no document in" in sentence
            assert len(base.documents("Docs")) == 1
        shutil.rmtree(folder)
        with pytest.raises(UsageError, match="There is no folder"):
            follow(base, folder, "Docs", Grace(0.0), print)


@pytest.mark.slow
def test_a_kept_file_that_comes_back_elsewhere_has_moved(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    text = "# First\n\nSome words.\n"
    (folder / "a.md").write_text(text, encoding="utf-8")
    (folder / "b.md").write_text("# Second\n", encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "kb", SETTINGS, create=True) as base:
        base.ingest([folder], "Docs")
        (folder / "a.md").unlink()
        assert base.ingest([folder], "Docs", keep=lambda gone: gone).removed == ()
        (folder / "sub" / "c.md").write_text(text, encoding="utf-8")
        assert base.ingest([folder], "Docs", keep=lambda gone: gone).moved == ("sub/c.md",)
        assert sorted(each.file for each in base.documents("Docs")) == ["b.md", "sub/c.md"]
        assert base.check() == []
