"""Hostile files in a folder of documents, and files that replace a document later."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import IngestError, KnowledgeBaseError
from rabbithole.kb.files import open_regular, path_of, private_file, private_folder
from rabbithole.kb.models import Document, IngestReport
from rabbithole.kb.originals import Originals
from rabbithole.workflow.chat.documents.pages import page_view
from rabbithole.workflow.chat.documents.served_documents import Documents

SETTINGS = KbSettings(_env_file=None, embedding_model="hash", parse_workers=1)
TEXT = "1 Filters\n\nEvery filter is tested once a year under § 12 of the Air Act, and the result is written down."


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(tmp_path / "data" / "database", SETTINGS, create=True) as opened:
        yield opened


def ingested(kb: KnowledgeBase, folder: Path) -> IngestReport:
    return kb.ingest([folder], "Rules")


def document(kb: KnowledgeBase, folder: Path) -> Document:
    write_pdf(folder / "rules.pdf", [TEXT])
    assert ingested(kb, folder).pages == 1
    return kb.documents()[0]


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("make", [make_pipe, make_endless])
@pytest.mark.parametrize("name", ["trap.pdf", "metadata.csv", "rules.json"])
def test_what_is_no_regular_file_is_not_waited_for(kb: KnowledgeBase, tmp_path: Path, make: object, name: str) -> None:
    folder = tmp_path / "pdf"
    write_pdf(folder / "rules.pdf", [TEXT])
    make(folder / name)  # type: ignore[operator]
    report = ingested(kb, folder)
    assert [one.file for one in kb.documents()] == ["rules.pdf"]
    if name == "trap.pdf":
        assert [(one.file, "not a regular file" in one.reason) for one in report.skipped] == [(name, True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("drawing.pdf", b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/><text>x</text></svg>'),
        ("both.pdf", b'<svg xmlns="http://www.w3.org/2000/svg"><!-- %PDF-1.4 --><text>' + b"x" * 99 + b"</text></svg>"),
        ("page.pdf", b"<html><body>" + b"Some text of a page. " * 20 + b"</body></html>"),
        ("plain.pdf", b"Some text of a page. " * 20),
    ],
)  # fmt: skip
def test_another_kind_of_file_by_the_name_of_a_pdf(
    kb: KnowledgeBase, tmp_path: Path, name: str, content: bytes
) -> None:
    folder = tmp_path / "pdf"
    folder.mkdir()
    (folder / name).write_bytes(content)
    report = ingested(kb, folder)
    assert [skipped.file for skipped in report.skipped] == [name]
    assert not kb.documents()


def test_a_document_replaced_by_a_link_is_not_served(kb: KnowledgeBase, tmp_path: Path) -> None:
    """The link leads to what the server may read and nobody else: the secret its sessions are signed with."""
    held = document(kb, tmp_path / "pdf")
    documents = Documents(kb)
    path = Path(held.path)
    secret = tmp_path / "data" / "chat.secret"
    secret.write_text("a secret")
    path.unlink()
    path.symlink_to(secret)
    for ask in (
        lambda: documents.open(held),
        lambda: documents.page(held, 0, ""),
        lambda: documents.picture(held, 0),
        lambda: documents.marked(held, 0, "filter"),
    ):
        with pytest.raises(KnowledgeBaseError, match="ingest it again"):
            ask()
    documents.close()


def test_a_document_replaced_by_another_of_the_same_size_and_time_is_not_served(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    held = document(kb, tmp_path / "pdf")
    originals = Originals()
    path = Path(held.path)
    originals.open(held).close()
    status, data = path.stat(), path.read_bytes()
    path.write_bytes(data[:-1] + b"x")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(KnowledgeBaseError, match="has changed"):
        originals.open(held)
    path.write_bytes(data)
    with originals.open(held) as file:
        assert file.read() == data


def test_what_takes_a_documents_place_after_the_check_is_not_read(kb: KnowledgeBase, tmp_path: Path) -> None:
    held = document(kb, tmp_path / "pdf")
    path = Path(held.path)
    data = path.read_bytes()
    secret = tmp_path / "secret.pdf"
    write_pdf(secret, ["The secret of somebody else."])
    with Originals().open(held) as file:
        path.unlink()
        path.symlink_to(secret)
        assert path_of(file).read_bytes() == data
        assert "filter" in " ".join(word.text for word in page_view(path_of(file), 0).words)
        assert file.read() == data


@pytest.mark.slow
@pytest.mark.parametrize("make", [make_pipe, make_endless, make_folder])
def test_a_document_replaced_by_what_is_no_file_is_not_waited_for(
    kb: KnowledgeBase, tmp_path: Path, make: object
) -> None:
    held = document(kb, tmp_path / "pdf")
    path = Path(held.path)
    path.unlink()
    make(path)  # type: ignore[operator]
    with pytest.raises(KnowledgeBaseError, match="no longer where"):
        Originals().open(held)


def test_what_is_kept_is_for_its_owner_alone(kb: KnowledgeBase, tmp_path: Path) -> None:
    document(kb, tmp_path / "pdf")
    home = tmp_path / "data"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "database").stat().st_mode) == 0o700
    for path in (home / "database").glob("catalog.sqlite*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_an_open_database_of_an_older_version_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_bytes(b"")
    path.chmod(0o644)
    private_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    private_folder(tmp_path)  # one that exists stays as it is
    private_folder(tmp_path / "a" / "b")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


@pytest.mark.parametrize("make", [make_pipe, make_endless, make_folder])
def test_only_regular_files_are_opened(tmp_path: Path, make: object) -> None:
    make(tmp_path / "x.pdf")  # type: ignore[operator]
    with pytest.raises(IngestError, match=r"x\.pdf"):
        open_regular(tmp_path / "x.pdf")


@pytest.mark.slow
def test_thirty_file_descriptors_are_a_sentence(tmp_path: Path) -> None:
    for number in range(3):
        write_pdf(tmp_path / "pdf" / f"{number}.pdf", [f"{number} {TEXT}"])
    code = "from rabbithole.workflow.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "ingest", "pdf", "-c", "x", "--kb", "kb/database"],
        cwd=tmp_path,
        env={**os.environ, "EMBEDDING_MODEL": "hash"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30)),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    if done.returncode:
        assert "ulimit -n" in done.stderr
    assert "Traceback" not in done.stderr
