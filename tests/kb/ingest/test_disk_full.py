"""A disk that is full: one clear sentence, nothing lost, and the next run completes."""

import subprocess
import sys
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KbSettings, KnowledgeBase

pytestmark = pytest.mark.slow
SETTINGS = KbSettings(embedding_model="hash", parse_workers=1)
FILES = 12
# No file may grow beyond the limit: to the libraries that write, the same as a disk without space.
WRITER = """
import resource, sys
from pathlib import Path
from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import KnowledgeBaseError
limit = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    with KnowledgeBase.open(sys.argv[1], KbSettings(embedding_model="hash", parse_workers=1), create=True) as base:
        base.ingest([Path(sys.argv[2])], "Proben")
except KnowledgeBaseError as error:
    print(error)
    sys.exit(3)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that take more room than the limits leave."""
    made = tmp_path_factory.mktemp("full") / "pdf"
    for number in range(FILES):
        words = "\n".join(f"({line}) Die Probe {number} hat die Stelle {line}." for line in range(1, 40))
        write_pdf(made / f"doc{number:02}.pdf", [f"§ {number} Proben\n{words}"] * 4, title=f"Dokument {number}")
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits")
@pytest.mark.parametrize("limit", [40_000, 250_000, 500_000])
def test_a_full_disk_is_one_sentence_and_loses_nothing(folder: Path, tmp_path: Path, limit: int) -> None:
    kb = tmp_path / "kb"
    run = subprocess.run(
        [sys.executable, "-c", WRITER, str(kb), str(folder), str(limit)], capture_output=True, text=True, timeout=100
    )
    assert run.returncode == 3, run.stderr
    assert run.stdout.count("\n") == 1
    assert str(kb) in run.stdout
    with KnowledgeBase.open(kb, SETTINGS, create=True) as base:
        before = len(base.documents())
        report = base.ingest([folder], "Proben")
        assert len(report.added) + before == len(base.documents()) == FILES
        assert base.check() == []
        assert base.search("Probe", top_k=5).total > 0
