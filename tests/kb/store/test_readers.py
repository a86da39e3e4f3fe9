"""Processes that read while another one writes: no error, whole documents only, and all of them in the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kb_records import HASH, put, record

from rabbithole.kb.knowledge_base import KnowledgeBase

TESTS = Path(__file__).resolve().parents[2]
VERSIONS = 15
READER = """
import sys
sys.path.insert(0, {tests!r})
from kb_records import HASH
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.filters import parse_filter
versions = set()
with KnowledgeBase.open({folder!r}, HASH) as kb:
    print("ready", flush=True)
    while max(versions, default=0) < {last}:
        for mode in ("keyword", "semantic", "hybrid"):
            hits = kb.search("Fassung der Vorschrift", mode=mode, filters=[parse_filter("kind=act")]).hits
            seen = [hit.chunk.text.split()[3] for hit in hits]
            assert len(seen) in (0, 2), seen  # between view and index a version may have gone, never half of it
            assert len(set(seen)) < 2, seen
            versions |= set(map(int, seen))
print(len(versions), flush=True)
"""


@pytest.mark.slow
def test_readers_see_whole_documents_while_one_writes(tmp_path):
    def version(number):
        sections = [("§ 1", f"Fassung {number} der Vorschrift."), ("§ 2", f"Fassung {number} der Vorschrift auch.")]
        return record("act", sections, metadata={"kind": "act"})

    with KnowledgeBase.open(tmp_path, HASH, create=True) as kb:
        put(kb.store, version(0))
        code = READER.format(tests=str(TESTS), folder=str(tmp_path), last=VERSIONS)
        readers = [
            subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        try:
            for reader in readers:
                assert reader.stdout.readline().strip() == "ready"
            for number in range(1, VERSIONS + 1):
                put(kb.store, version(number))
            for reader in readers:
                out, err = reader.communicate(timeout=120)
                assert reader.returncode == 0, err
                assert int(out) >= 2
        finally:
            for reader in readers:
                reader.kill()
