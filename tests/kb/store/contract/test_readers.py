"""Processes that read while another one writes: no error, whole documents only, and all of them in the end."""

from __future__ import annotations

import pytest
from forked import Forked
from kb_records import put, record
from work import read_until

from rabbithole.kb.knowledge_base import KnowledgeBase

VERSIONS = 15


@pytest.mark.slow
def test_readers_see_whole_documents_while_one_writes(tmp_path, settings):
    def version(number):
        sections = [("§ 1", f"Fassung {number} der Vorschrift."), ("§ 2", f"Fassung {number} der Vorschrift auch.")]
        return record("act", sections, metadata={"kind": "act"})

    with KnowledgeBase.open(tmp_path, settings, create=True) as kb:
        put(kb.store, version(0))
        readers = [Forked(read_until, tmp_path, VERSIONS, settings) for _ in range(3)]
        try:
            for reader in readers:
                reader.ready()
            for number in range(1, VERSIONS + 1):
                put(kb.store, version(number))
            for reader in readers:
                assert reader.result() >= 2
        finally:
            for reader in readers:
                reader.kill()
