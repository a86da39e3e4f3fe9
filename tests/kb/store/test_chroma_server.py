"""A Chroma server in place of the embedded one."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from kb_records import HASH, knowledge_base, put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings

ACT = record("act", [("§ 1", "Der Grenzwert der Dosis."), ("§ 2", "Die Überwachung der Anlage.")])


def settings(port):
    return KbSettings(embedding_model="hash", chroma_url=f"http://localhost:{port}", _env_file=None)


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.slow
def test_vectors_live_on_a_server(tmp_path, port):
    chroma = shutil.which("chroma", path=str(Path(sys.executable).parent))
    command = [chroma, "run", "--path", str(tmp_path / "server"), "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(port)
        with knowledge_base(tmp_path / "kb", ACT, settings=settings(port)) as kb:
            assert kb.store.index.vector_index.count() == 2
            assert kb.search("Überwachung").hits[0].chunk.id == "act:c1"
            assert kb.check() == []
            assert not (tmp_path / "kb" / "chroma").exists()
            assert not list((tmp_path / "kb").glob("vectors-*"))
        with pytest.raises(KnowledgeBaseError, match="set CHROMA_URL"):
            KnowledgeBase.open(tmp_path / "kb", HASH)
        with KnowledgeBase.open(tmp_path / "kb", settings(port)) as kb:
            kb.store.begin()
            kb.store.index.vector_index.clear()
            assert kb.check() == ["2 of 2 vectors are missing or damaged."]
            kb.repair()
            assert kb.check() == []
            assert kb.search("Überwachung", mode="semantic").hits[0].chunk.id == "act:c1"
            kb.store.delete("act")
            assert kb.store.index.vector_index.count() == 0
        assert not [each for each in psutil.Process().net_connections("tcp") if each.raddr and each.raddr.port == port]
    finally:
        server.terminate()
        server.wait(10)


def test_no_server_is_one_sentence(tmp_path, port):
    with KnowledgeBase.open(tmp_path, settings(port), create=True) as kb:
        with pytest.raises(KnowledgeBaseError, match=r"Chroma server at .* `chroma run`"):
            put(kb.store, ACT)
        assert kb.documents() == ()


def _wait(port, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not start")
