"""A full disk ends ingestion with one clear sentence, loses nothing, and the next run completes it."""

import sys
from pathlib import Path

import pytest
from forked import forked
from pdfs import write_pdf
from work import ingest_folder

from rabbithole.kb import KbSettings, KnowledgeBase

pytestmark = pytest.mark.slow
SETTINGS = KbSettings(embedding_model="hash", parse_workers=1)
FILES = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make documents that need more space than the limits leave."""
    made = tmp_path_factory.mktemp("full") / "pdf"
    for number in range(FILES):
        words = "\n".join(f"({line}) Die Probe {number} hat die Stelle {line}." for line in range(1, 40))
        write_pdf(made / f"doc{number:02}.pdf", [f"§ {number} Proben\n{words}"] * 4, title=f"Dokument {number}")
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits")
@pytest.mark.parametrize("limit", [40_000, 250_000, 500_000])
def test_a_full_disk_is_one_sentence_and_loses_nothing(folder: Path, tmp_path: Path, limit: int) -> None:
    kb = tmp_path / "kb"
    # No file may grow beyond the limit: to the libraries that write, the same as a disk without space.
    with forked(ingest_folder, kb, folder, limit) as writer:
        said = writer.result()
    assert str(kb) in said
    assert "\n" not in said
    with KnowledgeBase.open(kb, SETTINGS, create=True) as base:
        before = len(base.documents())
        report = base.ingest([folder], "Proben")
        assert len(report.added) + before == len(base.documents()) == FILES
        assert base.check() == []
        assert base.search("Probe", top_k=5).total > 0
