"""Object storage that refuses to be written, or that is not there: one sentence, and nothing half written."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from chunk_index import documents, vectors_of
from kb_records import put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.blobs.blobs_place import BlobsPlace

pytestmark = pytest.mark.slow

pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")
REFUSED = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Read only</Message></Error>"
EMPTY = b"<?xml version='1.0'?><ListBucketResult><Name>bucket</Name><KeyCount>0</KeyCount></ListBucketResult>"


class ReadOnly(BaseHTTPRequestHandler):
    """An empty bucket that can be listed and not written."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(200, EMPTY) if "list-type" in self.path else self._answer(404, b"")

    def do_HEAD(self) -> None:
        self._answer(200 if self.path.count("/") == 1 else 404, b"")

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._answer(403, REFUSED)

    do_POST = do_DELETE = do_PUT

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket that can only be read."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), ReadOnly)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    _variables(monkeypatch, server.server_port)
    yield "s3://bucket/path"
    server.shutdown()
    thread.join()
    server.server_close()


def _variables(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }.items():
        monkeypatch.setenv(name, value)


def test_an_index_in_a_bucket_that_can_only_be_read(bucket: str) -> None:
    from_here = pytest.importorskip("rabbithole.kb.store.index.lance")
    index = from_here.LanceIndex(bucket, 0, lambda: "base", "hash", lambda: 8)
    with pytest.raises(KnowledgeBaseError, match=r"s3://bucket/path cannot be used") as caught:
        index.put(documents(1, 1), vectors_of(1))
    assert "secret" not in str(caught.value)


def test_a_knowledge_base_whose_index_can_only_be_read_takes_nothing(bucket: str, tmp_path: Path) -> None:
    settings = KbSettings(embedding_model="hash", rabbithole_index=bucket, _env_file=None)
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        with pytest.raises(KnowledgeBaseError, match=r"s3://bucket/path cannot be used"):
            put(kb.store, record("act", [("§ 1", "Zweck ist der Schutz.")]))
        assert kb.documents() == ()


def test_copies_of_files_in_a_bucket_that_can_only_be_read(bucket: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    blobs = BlobsPlace(bucket, "base").open()
    assert blobs.names() == frozenset()
    with (tmp_path / "file").open("rb") as opened, pytest.raises(KnowledgeBaseError, match="cannot be written"):
        blobs.put("0123456789abcdef", opened)
