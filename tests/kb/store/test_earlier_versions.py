"""Knowledge bases as earlier versions left them: opened, moved on or refused, and nothing lost."""

from __future__ import annotations

import shutil
import sqlite3

import pytest
import tantivy
from kb_records import HASH, knowledge_base, put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.index.index_choice import open_vectors
from rabbithole.kb.store.ports import ChunkKey

ACT = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])
ORDER = record("order", [("§ 1", "Der Überwachungsbereich ist abzugrenzen.")], metadata={"year": 2018})


@pytest.fixture
def twice(tmp_path):
    """A knowledge base from when each vector was written to Chroma too, and no index was recorded."""
    with knowledge_base(tmp_path, ACT) as kb:
        chunks = kb.chunks("act")
        vectors = kb.store.index.vectors([ChunkKey(1, position) for position in range(len(chunks))])
    with sqlite3.connect(tmp_path / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM meta WHERE key = 'vector_index'")
    connection.close()
    copy = open_vectors("chroma", tmp_path, 0, None, lambda: vectors.shape[1])
    copy.put(0, vectors, [(ACT.document, chunk) for chunk in chunks])
    copy.close()
    return tmp_path


def test_a_second_copy_of_the_vectors_goes_with_the_next_change(twice):
    with KnowledgeBase.open(twice, HASH) as kb:
        assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"
        assert kb.check() == []
        assert (twice / "chroma").exists()  # reading changes nothing
        put(kb.store, ORDER)
        assert not (twice / "chroma").exists()
        assert kb.store.catalog.meta("vector_index") == "exact"
        assert kb.check() == []
        assert {hit.chunk.document for hit in kb.search("Grenzwert Überwachungsbereich").hits} == {"act", "order"}


def test_lost_vectors_are_taken_from_the_second_copy(twice, monkeypatch):
    shutil.rmtree(twice / "vectors-0")
    with KnowledgeBase.open(twice, HASH) as kb:
        assert kb.check() == ["2 of 2 vectors are missing or damaged."]
        put(kb.store, ORDER)
        assert (twice / "chroma").exists()  # all there is of the first document

        def embed(*_, **__):
            raise AssertionError("the copy has them")

        with monkeypatch.context() as patched:
            patched.setattr(type(kb.store.embedder), "embed", embed)
            kb.repair()
        assert kb.check() == []
        assert not (twice / "chroma").exists()


@pytest.mark.parametrize("recorded", [None, "0"])
def test_indexes_of_another_layout_are_refused_and_rebuilt(tmp_path, recorded):
    with knowledge_base(tmp_path, ACT, ORDER) as kb:
        expected = kb.search("Grenzwert")
    with sqlite3.connect(tmp_path / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM meta WHERE key = 'index_format'")
        if recorded is not None:
            connection.execute("INSERT INTO meta VALUES ('index_format', ?)", (recorded,))
    connection.close()
    for file in tmp_path.glob("vectors-0/bits-*"):  # a layout before formats were recorded
        file.unlink()
    shutil.rmtree(tmp_path / "keywords-0")
    index = tantivy.SchemaBuilder().add_text_field("other").build()
    (tmp_path / "keywords-0").mkdir()
    tantivy.Index(index, path=str(tmp_path / "keywords-0"))
    with pytest.raises(KnowledgeBaseError, match=r"another version.*kb rebuild --kb"):
        KnowledgeBase.open(tmp_path, HASH)
    KnowledgeBase.rebuild(tmp_path, HASH)
    with KnowledgeBase.open(tmp_path, HASH) as kb:
        assert kb.search("Grenzwert") == expected
        assert kb.check() == []


def test_a_knowledge_base_from_before_formats_were_recorded_is_read(tmp_path):
    knowledge_base(tmp_path, ACT).close()
    with sqlite3.connect(tmp_path / "catalog.sqlite") as connection:
        connection.execute("DELETE FROM meta WHERE key = 'index_format'")
    connection.close()
    with KnowledgeBase.open(tmp_path, HASH) as kb:
        assert kb.search("Grenzwert").hits[0].chunk.id == "act:c1"
