"""The catalog in an SQLite file: of a newer format, damaged, and its open files."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest
from kb_records import knowledge_base, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.sql.schema import FORMAT

ACT = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])


def test_a_newer_format_is_refused(tmp_path):
    knowledge_base(tmp_path, ACT).close()
    connection = sqlite3.connect(tmp_path / "catalog.sqlite")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    with pytest.raises(KnowledgeBaseError, match=r"newer version.*update"):
        KnowledgeBase.open(tmp_path)


def test_a_damaged_catalog_is_named(tmp_path):
    (tmp_path / "catalog.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(KnowledgeBaseError, match="damaged"):
        KnowledgeBase.open(tmp_path)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are counted where Linux shows them")
def test_threads_that_ended_leave_no_files_open(tmp_path):
    def open_files():
        return sum("catalog.sqlite" in target(link) for link in Path("/proc/self/fd").iterdir())

    def target(link):
        try:
            return os.readlink(link)
        except FileNotFoundError:  # closed by another thread since it was listed
            return ""

    with knowledge_base(tmp_path, ACT) as kb:
        few = open_files()
        for _ in range(50):
            thread = threading.Thread(target=kb.text, args=("act",))
            thread.start()
            thread.join()
        assert open_files() <= few + 4  # two files a connection
