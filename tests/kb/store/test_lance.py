"""The index in LanceDB: whose it is, what is refused, and how a knowledge base moves there and back."""

from __future__ import annotations

import numpy as np
import pytest
from chunk_index import DIMENSION, documents, everything, vectors_of
from kb_records import HASH, knowledge_base, put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase

pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'rabbithole[cluster]'")

from rabbithole.kb.store.index import lance, lance_table
from rabbithole.kb.store.index.lance import LanceIndex

ACT = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])


def opened(folder, base="ours", model="hash"):
    return LanceIndex(str(folder), 0, lambda: base, model, lambda: DIMENSION)


@pytest.fixture
def written(tmp_path):
    index = opened(tmp_path / "index")
    index.put(documents(1, 3), vectors_of(1, 2, 3))
    return index


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"base": "theirs"}, "belongs to another knowledge base: name another place in RABBITHOLE_INDEX"),
        ({"model": "other"}, "embedding model 'hash', the knowledge base uses 'other'.*kb rebuild"),
    ],
)
def test_an_index_made_for_another_is_one_sentence(written, tmp_path, other, said):
    for call in (
        lambda index: index.keyword("Grenzwert", everything(3), 5),
        lambda index: index.put(documents(4, 4), vectors_of(4)),
    ):
        with pytest.raises(KnowledgeBaseError, match=said):
            call(opened(tmp_path / "index", **other))


def test_an_index_of_another_version_is_one_sentence(tmp_path, written, monkeypatch):
    monkeypatch.setattr(lance, "Owner", lambda base, model: lance_table.Owner(base, model, "2"))
    with pytest.raises(KnowledgeBaseError, match=r"another version.*format 1, this one reads 2.*kb rebuild"):
        opened(tmp_path / "index").keyword("Grenzwert", everything(3), 5)


def test_the_index_of_another_knowledge_base_is_not_deleted(written, tmp_path):
    with pytest.raises(KnowledgeBaseError, match="another knowledge base"):
        opened(tmp_path / "index", base="theirs").destroy()
    assert written.keyword("Grenzwert", everything(3), 5)[0]


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(KnowledgeBaseError, match="cannot be used"):
        opened(tmp_path / "file" / "index").put(documents(1, 1), vectors_of(1))


def test_how_many_chunks_have_a_word_and_no_near_words(written):
    assert written.chunks_with("wort2x1") == 1
    assert written.chunks_with("wort2x9999") == 0
    assert written.near("wort2x11", "de") == {}


def test_a_document_put_twice_is_held_once(written):
    written.put(documents(2, 2), vectors_of(2))
    assert written.check({1: 4, 2: 4, 3: 4}) == []
    assert written.keyword("wort2x1", everything(3), 5)[1] == 1


@pytest.mark.slow
def test_the_index_of_vectors_finds_the_nearest(tmp_path):
    index = LanceIndex(str(tmp_path / "index"), 0, str, "hash", lambda: DIMENSION, vectors_indexed_from=1000)
    ordinals = range(1, 1201)
    given = vectors_of(*ordinals)
    index.put(documents(1, 1200), given)
    index.optimise()
    found = 0
    for query in given[::480]:
        exact = set(np.argsort(-(given @ query))[:100].tolist())
        near = index.nearest(query, everything(1200), 100)
        found += len(exact & {4 * (key.document - 1) + key.position for key, _ in near})
    assert found >= 0.95 * 100 * len(given[::480])


def test_a_knowledge_base_moves_there_and_back_without_being_embedded_again(tmp_path, monkeypatch):
    folder, there = tmp_path / "kb", HASH.model_copy(update={"rabbithole_index": str(tmp_path / "index")})
    back = there.model_copy(update={"vector_index": "exact"})
    with knowledge_base(folder, ACT) as kb:
        expected = kb.search("Grenzwert").hits[0]
        encoder = type(kb.store.embedder)
    with pytest.raises(KnowledgeBaseError, match="keep-vectors"):
        KnowledgeBase.open(folder, there)

    def embed(*_, **__):
        raise AssertionError("the vectors are there")

    for settings, kind in ((there, "lance"), (back, "exact")):
        with monkeypatch.context() as patched:
            patched.setattr(encoder, "embed", embed)
            KnowledgeBase.rebuild(folder, settings, keep_vectors=True)
        with KnowledgeBase.open(folder, settings) as kb:
            assert kb.store.vector_kind == kind
            assert kb.search("Grenzwert").hits[0].chunk == expected.chunk
            assert kb.check() == []
    assert not (tmp_path / "index").exists()


def test_without_its_place_it_is_one_sentence(tmp_path):
    there = HASH.model_copy(update={"rabbithole_index": str(tmp_path / "index")})
    knowledge_base(tmp_path / "kb", ACT, settings=there).close()
    with pytest.raises(KnowledgeBaseError, match="set RABBITHOLE_INDEX"):
        KnowledgeBase.open(tmp_path / "kb", HASH)
    with KnowledgeBase.open(tmp_path / "kb", there) as kb:
        put(kb.store, record("order", [("§ 1", "Der Überwachungsbereich.")]))
        assert kb.search("Überwachungsbereich").hits[0].chunk.document == "order"
