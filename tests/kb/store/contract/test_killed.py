"""A writer killed at any moment leaves a knowledge base that is whole and can be written again."""

from __future__ import annotations

import random
import time

import pytest
from forked import forked
from kb_records import put, record
from work import write_for_ever

from rabbithole.kb.knowledge_base import KnowledgeBase


@pytest.mark.slow
def test_killed_at_random_moments(tmp_path, settings):
    moments = random.Random(1)
    for _ in range(4):
        with forked(write_for_ever, tmp_path, settings):
            time.sleep(moments.uniform(0.0, 0.5))
        with KnowledgeBase.open(tmp_path, settings) as kb:
            for document in (each for each in kb.documents() if each.id != "new"):
                assert len(kb.chunks(document.id)) == 2
                version = kb.chunks(document.id)[0].text.split()[3]
                assert kb.chunks(document.id)[1].text == f"§ 2 Ausnahme {version}."
            kb.store.begin()
            assert kb.check() == []
            put(kb.store, record("new", [("§ 9", "Danach.")]))
            assert kb.search("Danach").hits[0].chunk.document == "new"
