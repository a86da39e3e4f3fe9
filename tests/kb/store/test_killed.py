"""A writer killed at any moment leaves a knowledge base that is whole and can be written again."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kb_records import HASH, put, record

from rabbithole.kb.knowledge_base import KnowledgeBase

TESTS = Path(__file__).resolve().parents[2]
WRITER = """
import sys
sys.path.insert(0, {tests!r})
from kb_records import HASH, put, record
from rabbithole.kb.knowledge_base import KnowledgeBase
kb = KnowledgeBase.open({folder!r}, HASH, create=True)
for number in range(10_000):
    name = f"d{{number % 7}}"
    put(kb.store, record(name, [("§ 1", f"Fassung {{number}} der Vorschrift."), ("§ 2", f"Ausnahme {{number}}.")]))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path):
    moments = random.Random(1)
    code = WRITER.format(tests=str(TESTS), folder=str(tmp_path))
    for _ in range(4):
        writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        writer.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.5))
        writer.kill()
        writer.communicate()
        with KnowledgeBase.open(tmp_path, HASH) as kb:
            for document in (each for each in kb.documents() if each.id != "new"):
                assert len(kb.chunks(document.id)) == 2
                version = kb.chunks(document.id)[0].text.split()[3]
                assert kb.chunks(document.id)[1].text == f"§ 2 Ausnahme {version}."
            kb.store.begin()
            assert kb.check() == []
            put(kb.store, record("new", [("§ 9", "Danach.")]))
            assert kb.search("Danach").hits[0].chunk.document == "new"
