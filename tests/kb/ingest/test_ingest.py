import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest
from forked import forked
from pdfs import write_pdf
from security.bombs import stream, write_objects
from work import ingest_folder

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import IngestError, UsageError
from rabbithole.kb.ingest.document.pages_without_text import judge_text
from rabbithole.kb.ingest.run import decisions, reader_process
from rabbithole.kb.ingest.run.pool import ReaderPool
from rabbithole.kb.ingest.run.progress import IngestState
from rabbithole.kb.models import IngestReport
from rabbithole.kb.mupdf import pymupdf
from rabbithole.workflow.cli.kb_health import summary

pytestmark = pytest.mark.slow

SETTINGS = KbSettings(embedding_model="hash", parse_workers=1)


def make_folder(folder: Path, count: int = 3) -> Path:
    for n in range(count):
        pages = [f"§ {n} Proben\n(1) Die Probe {n} ist geschützt.\n(2) Satz {page}." for page in range(2)]
        write_pdf(folder / f"doc{n}.pdf", pages, title=f"Dokument {n}")
    return folder


def ingest(kb: Path, *paths: Path, collection: str = "Proben", settings: KbSettings = SETTINGS) -> IngestReport:
    with KnowledgeBase.open(kb, settings, create=True) as base:
        return base.ingest(paths, collection)


def contents(kb: Path, collection: str = "Proben") -> dict[str, object]:
    """Return all data of a collection in the knowledge base, including ids."""
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert base.check() == []
        found = {
            document.file: (
                document,
                base.text(document.id),
                base.outline(document.id),
                base.chunks(document.id),
                base.bibliography(document.id),
            )
            for document in base.documents(collection)
        }
        hits = base.search("Probe geschützt", (collection,), top_k=50)
        return {"documents": found, "total": hits.total, "hits": [(h.chunk.id, round(h.score, 6)) for h in hits.hits]}


def test_add_change_move_remove(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf"), tmp_path / "kb"
    assert ingest(kb, folder).added == ("doc0.pdf", "doc1.pdf", "doc2.pdf")
    assert ingest(kb, folder).unchanged == ("doc0.pdf", "doc1.pdf", "doc2.pdf")

    shutil.copy(folder / "doc0.pdf", folder / "copy.pdf")
    (folder / "doc1.pdf").rename(folder / "renamed.pdf")
    write_pdf(folder / "doc2.pdf", ["§ 9 Neu\nAlles ist neu."])
    report = ingest(kb, folder)
    assert (report.duplicates, report.moved, report.changed) == (("copy.pdf",), ("renamed.pdf",), ("doc2.pdf",))
    assert report.unchanged == ("doc0.pdf",)
    again = ingest(kb, folder)
    assert (again.duplicates, again.unchanged) == (("copy.pdf",), ("doc0.pdf", "doc2.pdf", "renamed.pdf"))

    (folder / "doc0.pdf").unlink()
    report = ingest(kb, folder)
    assert report.removed == ("doc0.pdf",)
    assert report.added == ("copy.pdf",), "the duplicate takes the place of the file that went"
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert [each.file for each in base.documents("Proben")] == ["copy.pdf", "doc2.pdf", "renamed.pdf"]
        assert base.search("Alles neu", mode="keyword").hits[0].file == "doc2.pdf"
        assert base.check() == []


def test_touched_files_are_not_read_again(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf", 1), tmp_path / "kb"
    ingest(kb, folder)
    os.utime(folder / "doc0.pdf", ns=(1, 1))
    report = ingest(kb, folder)
    assert (report.unchanged, report.chunks) == (("doc0.pdf",), 0)


def test_what_an_older_reader_read_is_told_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, kb = make_folder(tmp_path / "pdf", 2), tmp_path / "kb"
    ingest(kb, folder)
    monkeypatch.setattr(decisions, "READER_VERSION", "next")
    with KnowledgeBase.open(kb, SETTINGS) as base:
        (health,) = base.health()
        assert summary(health) == (
            "2 documents; 2 to check. All were read by an older version: "
            "ingest the folder again to bring titles and sections up to date."
        )
    report = ingest(kb, folder)
    assert report.read_again == report.changed == ("doc0.pdf", "doc1.pdf")
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert summary(base.health()[0]) == "2 documents; 2 to check."
    assert ingest(kb, folder).unchanged == ("doc0.pdf", "doc1.pdf")


def test_bad_files_cost_only_themselves(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf", 1), tmp_path / "kb"
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "text.pdf").write_text("no pdf at all" * 20, encoding="utf-8")
    pymupdf.open(write_pdf(tmp_path / "x.pdf", ["Text hier drin"])).save(
        folder / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="geheim", owner_pw="chef"
    )
    write_pdf(folder / "blank.pdf", [""])
    report = ingest(kb, folder)
    assert report.added == ("doc0.pdf",)
    reasons = {each.file: each.reason for each in report.skipped}
    assert set(reasons) == {"blank.pdf", "empty.pdf", "locked.pdf", "text.pdf"}
    assert all("\n" not in reason and reason.startswith(file) for file, reason in reasons.items())
    assert {each.file for each in ingest(kb, folder).skipped} == set(reasons)

    (folder / "metadata.csv").write_text("file,password\nlocked.pdf,geheim\n", encoding="utf-8")
    assert ingest(kb, folder).added == ("locked.pdf",)


def test_a_file_read_alone_keeps_what_its_folder_says_of_it(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf" / "sub", 1).parent, tmp_path / "kb"
    (folder / "metadata.csv").write_text("file,party\nsub/doc0.pdf,ACME\n", encoding="utf-8")
    ingest(kb, folder)
    assert ingest(kb, folder / "sub" / "doc0.pdf").unchanged == ("sub/doc0.pdf",)
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert base.read_again("Proben", "sub/doc0.pdf").added == ()
        document = base.documents()[0]
        assert (document.file, document.metadata["party"]) == ("sub/doc0.pdf", "ACME")
        with pytest.raises(UsageError, match="no file"):
            base.read_again("Proben", "gone.pdf")


def test_metadata_is_kept_and_followed(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf", 1), tmp_path / "kb"
    (folder / "doc0.pdf.json").write_text(json.dumps({"party": "ACME", "value": 1.5, "date": "3.5.2020"}))
    ingest(kb, folder)
    (folder / "doc0.pdf.json").write_text(json.dumps({"party": "Beta", "value": 2}))
    assert ingest(kb, folder).changed == ("doc0.pdf",)
    with KnowledgeBase.open(kb, SETTINGS) as base:
        metadata = base.get_document_metadata(base.documents()[0].id)
        assert (metadata["party"], metadata["value"], metadata["language"]) == ("Beta", 2, "de")


def test_the_same_file_in_two_collections(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf", 1), tmp_path / "kb"
    ingest(kb, folder, collection="A")
    ingest(kb, folder, collection="B")
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert len({each.id for each in base.documents()}) == 2


def test_wrong_paths(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="There is no file or folder"):
        ingest(tmp_path / "kb", tmp_path / "absent")
    with pytest.raises(UsageError, match="There is no document in"):
        ingest(tmp_path / "kb", tmp_path / "empty")
    with pytest.raises(UsageError, match="needs a name"):
        ingest(tmp_path / "kb", make_folder(tmp_path / "pdf", 1), collection=" ")


def test_progress_and_figures(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf"), tmp_path / "kb"
    states: list[IngestState] = []
    with KnowledgeBase.open(kb, SETTINGS, create=True) as base:
        report = base.ingest([folder], "Proben", progress=states.append)
        stats = base.stats().collections[0]
    assert (states[0].stage, states[-1].stage) == ("scan", "done")
    assert (states[-1].files, states[-1].files_total, states[-1].pages) == (3, 3, 6)
    assert (stats.documents, stats.pages, stats.chunks) == (3, 6, report.chunks)
    assert dict(stats.languages) == {"de": 3}
    assert (stats.fields["language"].documents, stats.fields["language"].examples) == (3, ("de",))
    assert (stats.needs_ocr, stats.skipped) == (0, ())


def test_files_can_be_removed_and_missing_ones_are_told(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf"), tmp_path / "kb"
    ingest(kb, folder)
    (folder / "doc1.pdf").unlink()
    with KnowledgeBase.open(kb, SETTINGS) as base:
        assert "doc1.pdf" in " ".join(base.check())
        assert base.remove_files("Proben", ["doc1.pdf"]) == 1
        with pytest.raises(UsageError, match="There is no file"):
            base.remove_files("Proben", ["absent.pdf"])
        assert base.check() == []


def laughing_pdf(path: Path, depth: int = 9, width: int = 10) -> Path:
    """A small file whose one page draws width ** depth texts: reading it takes for ever."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /XObject << /X 6 0 R >> >> >>",
        stream(b"/X Do"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for level in range(depth):
        last = level == depth - 1
        content = b"BT /F 10 Tf 50 700 Td (ha) Tj ET " if last else b"/X Do " * width
        resources = b"/Font << /F 5 0 R >>" if last else b"/XObject << /X %d 0 R >>" % (7 + level)
        form = b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << %s >>" % resources
        objects.append(stream(content, form))
    return write_objects(path, objects)


def test_a_file_that_hangs_is_given_up(tmp_path: Path) -> None:
    good = write_pdf(tmp_path / "good.pdf", ["Ein Text mit Worten"])
    with ReaderPool(1, timeout=1.5) as pool:
        with pytest.raises(IngestError, match=r"laughing.pdf .*(takes longer|has no text)"):
            judge_text(pool.read(laughing_pdf(tmp_path / "laughing.pdf")), "laughing.pdf")
        assert "Ein Text" in pool.read(good).text


def test_a_reader_that_waits_for_ever_is_given_up(tmp_path: Path) -> None:
    good = write_pdf(tmp_path / "good.pdf", ["Ein Text mit Worten"])
    with ReaderPool(1, timeout=0.4) as pool:
        stopped = pool._worker()._started()
        stopped.send_signal(signal.SIGSTOP)
        with pytest.raises(IngestError, match=r"good.pdf takes longer than \d+ s to read, although the reader is idle"):
            pool.read(good)
        assert stopped.poll() is not None


def test_a_reader_that_dies_is_replaced(tmp_path: Path) -> None:
    good = write_pdf(tmp_path / "good.pdf", ["Ein Text mit Worten"])
    with ReaderPool(1) as pool:
        assert "Ein Text" in pool.read(good).text
        for worker in pool._all:
            assert worker._process is not None
            worker._process.kill()
            worker._process.wait()
        assert "Ein Text" in pool.read(good).text


def test_an_idle_reader_is_kept_for_the_next_one_who_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def used(name: str, *, memory_mb: int = 2048) -> int:
        folder = write_pdf(tmp_path / name / "good.pdf", [f"Ein Text von {name}"]).parent
        monkeypatch.chdir(folder)
        with ReaderPool(1, memory_mb=memory_mb) as pool:
            assert name in pool.read(Path("good.pdf")).text
            return pool._worker()._started().pid

    first = used("hier")
    assert used("dort") == first, "wherever it was started"
    assert used("sonstwo", memory_mb=1024) != first


def test_a_reader_is_not_kept_when_a_reading_is_broken_off(tmp_path: Path) -> None:
    good = write_pdf(tmp_path / "good.pdf", ["Ein Text mit Worten"])
    pool = ReaderPool(1)
    pool.read(good)
    process = pool._worker()._started()
    pool.__exit__(KeyboardInterrupt, None, None)
    assert process.poll() is not None


def killed(kb: Path, folder: Path, after: float) -> bool:
    """Run an ingestion and kill it; return whether it was still unfinished."""
    with forked(ingest_folder, kb, folder) as writer:
        if not writer.over_within(after):
            return True
        assert writer.result() == ""
    return False


def test_only_one_writer(tmp_path: Path) -> None:
    folder, kb = make_folder(tmp_path / "pdf"), tmp_path / "kb"
    with KnowledgeBase.open(kb, SETTINGS, create=True) as base:
        base._store.begin()
        with forked(ingest_folder, kb, folder, 0, 1.0) as writer:
            said = writer.result()
    assert "another process is writing" in said
    assert "\n" not in said


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform == "win32", reason="kills processes")
def test_killed_at_any_moment_and_run_again(tmp_path: Path) -> None:
    rounds = int(os.environ.get("RABBITHOLE_KILL_ROUNDS", "3"))
    folder = make_folder(tmp_path / "pdf", 12)
    shutil.copy(folder / "doc3.pdf", folder / "twin.pdf")
    with forked(ingest_folder, tmp_path / "whole", folder) as writer:
        began = time.monotonic()
        assert writer.result() == ""
        whole = time.monotonic() - began
    expected = contents(tmp_path / "whole")
    for number in range(rounds):
        kb = tmp_path / f"kb{number}"
        killed(kb, folder, whole * (number + 0.5) / rounds)
        killed(kb, folder, whole * ((number * 7) % rounds + 0.5) / rounds)
        assert not killed(kb, folder, 600)
        assert contents(kb) == expected
        shutil.rmtree(kb)


def test_no_module_is_taken_from_the_folder_of_the_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is often started in the folder it reads."""
    folder = make_folder(tmp_path / "pdf", 1)
    (folder / "json.py").write_text("import pathlib\npathlib.Path('taken').touch()\nraise SystemExit(1)\n")
    monkeypatch.chdir(folder)
    reader_process.stop_kept()  # one that is started here
    assert ingest(tmp_path / "kb", folder).added == ("doc0.pdf",)
    assert not (folder / "taken").exists()
