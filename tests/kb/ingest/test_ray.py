"""``--ray`` without a cluster: what is refused, what workers check, and what they are told. The rest: tests/cluster."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pdfs import write_pdf
from pydantic import SecretStr

from rabbithole.kb.errors import IngestError, UsageError
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.ingest.run import ray_tasks
from rabbithole.kb.ingest.run.pool import reading_options
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embeddings import HashEmbedder

SETTINGS = KbSettings(
    _env_file=None, embedding_model="hash", ocr="never", rabbithole_catalog=SecretStr("postgresql://anna:geheim@db/x")
)


def task(file: Path, **changes: Any) -> ray_tasks.ReadingTask:
    made = ray_tasks.reading(file, ("pass",), reading_options(SETTINGS))
    return ray_tasks.ReadingTask(**{name: getattr(made, name) for name in made.__slots__} | changes)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "a.pdf", ["1. Scope\nThis directive applies to the granite archive."])


def test_a_worker_reads_a_file_as_this_process_does(pdf: Path) -> None:
    answer = ray_tasks.read(task(pdf), ray_tasks.release())
    assert isinstance(answer, ParsedDocument)
    assert "granite archive" in answer.text
    broken = pdf.with_name("b.pdf")
    broken.write_bytes(b"%PDF-1.7 nothing")
    answer = ray_tasks.read(task(broken), ray_tasks.release())
    assert isinstance(answer, IngestError)
    assert "b.pdf" in str(answer)


def test_a_worker_that_would_read_otherwise_says_so(pdf: Path) -> None:
    answers = [
        ray_tasks.read(task(pdf), "0.0.1"),
        ray_tasks.read(task(pdf, path=str(pdf.with_name("c.pdf"))), ray_tasks.release()),
        ray_tasks.read(task(pdf, size=7), ray_tasks.release()),
        ray_tasks.embed(ray_tasks.embedding(["text"], "hash", SETTINGS), "0.0.1"),
        ray_tasks.embed(ray_tasks.embedding(["text"], "no/such-model", SETTINGS), ray_tasks.release()),
    ]
    reasons = [answer.reason for answer in answers if isinstance(answer, ray_tasks.Unfit)]
    said = ("this command is 0.0.1", "mount the folder", "another file", "this command is 0.0.1", "not on this machine")
    assert len(reasons) == len(said)
    assert all(part in reason for part, reason in zip(said, reasons, strict=True)), reasons


def test_a_worker_embeds_and_gets_no_secret() -> None:
    one = ray_tasks.embedding(["granite archive"], "hash", SETTINGS)
    vectors = ray_tasks.embed(one, ray_tasks.release())
    assert not isinstance(vectors, ray_tasks.Unfit)
    assert (vectors == HashEmbedder().embed(["granite archive"])).all()
    assert "geheim" not in repr(one)


def test_a_file_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match=r"gone\.pdf"):
        task(tmp_path / "gone.pdf")


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:6379", "127.0.0.1", "127.0.0.1:x", ":6379"])
def test_what_is_no_address_is_refused(address: str) -> None:
    ray_cluster: Any = pytest.importorskip("rabbithole.kb.ingest.run.ray_cluster", exc_type=UsageError)
    with pytest.raises(UsageError, match="HOST:6379"):
        ray_cluster.RayCluster(address)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("Version mismatch: The cluster was started with:\n Ray: 2.9\n Python: 3.10.1\n"
                      "This process on node 10.0.0.3 was started with:\n Ray: 2.60.0\n"), "(Ray: 2.9 Python: 3.10.1)"),
        (RuntimeError("No node info found matching attributes: ''"), "ray start --address=10.0.0.1:6379 --num-cpus=0"),
        (SystemExit(15), "is no Ray head, or wants another token"),
        (ConnectionError("Failed to connect to Ray cluster at 10.0.0.1:6379"), "wants another token"),
        (ValueError("something\nelse"), "cannot be used: something else"),
    ],
)  # fmt: skip
def test_why_ray_did_not_connect_is_one_sentence(error: BaseException, said: str) -> None:
    ray_cluster: Any = pytest.importorskip("rabbithole.kb.ingest.run.ray_cluster", exc_type=UsageError)
    sentence = ray_cluster.refused("10.0.0.1:6379", error)
    assert said in sentence
    assert "\n" not in sentence


@pytest.mark.slow
def test_nothing_is_written_when_no_head_answers(pdf: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        done = ingest(pdf, tmp_path / "kb", f"127.0.0.1:{closed.getsockname()[1]}")
    assert done.returncode == 1
    assert "No Ray head answers at 127.0.0.1" in done.stderr
    assert not (tmp_path / "kb").exists()


@pytest.mark.slow
def test_without_ray_one_sentence_says_what_to_install(pdf: Path, tmp_path: Path) -> None:
    done = ingest(pdf, tmp_path / "kb", "127.0.0.1:6379", "import sys; sys.modules['ray'] = None; ")
    assert done.returncode == 2
    assert "install rabbithole[cluster]" in done.stderr
    assert not (tmp_path / "kb").exists()


def ingest(pdf: Path, kb: Path, address: str, before: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"{before}from rabbithole.workflow.cli import main; main()"]
    arguments = ["ingest", str(pdf), "-c", "test", "--kb", str(kb), "--ray", address]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, env=os.environ)


@pytest.mark.parametrize(("end", "said"), [("os._exit(1)", "It went away."), ("words.keep()", "")])
def test_a_process_that_ends_at_once_has_last_words(end: str, said: str) -> None:
    words = "from rabbithole.kb.ingest.run.last_words import LastWords; words = LastWords('It went away.')"
    done = subprocess.run(
        [sys.executable, "-c", f"import os; {words}; {end}"], capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == said
