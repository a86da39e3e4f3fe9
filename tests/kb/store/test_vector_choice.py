"""The one index that holds the vectors: how settings choose it and how vectors move to another."""

from __future__ import annotations

import pytest
from kb_records import HASH, knowledge_base, put, record

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.store.index.index_choice import for_existing, for_new

ACT = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])
SERVER = "http://localhost:1"


def settings(index, url=None):
    return HASH.model_copy(update={"vector_index": index, "chroma_url": url})


@pytest.mark.parametrize(
    ("index", "url", "kind"),
    [
        ("auto", None, "exact"),
        ("auto", SERVER, "chroma-server"),
        ("chroma", None, "chroma"),
        ("chroma", SERVER, "chroma-server"),
        ("exact", None, "exact"),
        ("exact", SERVER, "exact"),
    ],
)
def test_what_a_new_knowledge_base_gets(index, url, kind):
    assert for_new(settings(index, url)) == kind


@pytest.mark.parametrize(
    ("index", "url", "recorded", "kind"),
    [
        ("auto", None, None, "exact"),
        ("auto", SERVER, None, "exact"),  # from before it was recorded: in files, and on the server as well
        ("auto", SERVER, "exact", "exact"),
        ("auto", SERVER, "chroma", "chroma"),
        ("auto", None, "chroma", "chroma"),
        ("chroma", None, "chroma", "chroma"),
        ("auto", SERVER, "chroma-server", "chroma-server"),
    ],
)
def test_what_is_recorded_stays(tmp_path, index, url, recorded, kind):
    assert for_existing(settings(index, url), recorded, tmp_path) == kind


@pytest.mark.parametrize(
    ("index", "url", "recorded", "said"),
    [
        ("chroma", None, "exact", "rebuild --keep-vectors"),
        ("exact", None, "chroma", "rebuild --keep-vectors"),
        ("chroma", None, None, "rebuild --keep-vectors"),
        ("chroma", SERVER, "chroma", "rebuild --keep-vectors"),
        ("auto", None, "chroma-server", "set CHROMA_URL"),
        ("auto", None, "another", "update Rabbithole"),
        ("auto", None, "lance", "set RABBITHOLE_INDEX"),
    ],
)
def test_another_choice_is_one_sentence_with_what_to_do(tmp_path, index, url, recorded, said):
    with pytest.raises(KnowledgeBaseError, match=said):
        for_existing(settings(index, url), recorded, tmp_path)


@pytest.mark.parametrize(("before", "after"), [("exact", "chroma"), ("chroma", "exact")])
def test_vectors_move_without_being_embedded_again(tmp_path, monkeypatch, before, after):
    with knowledge_base(tmp_path, ACT, settings=settings(before)) as kb:
        expected = kb.search("Grenzwert", mode="semantic")
        encoder = type(kb.store.embedder)
    with pytest.raises(KnowledgeBaseError, match="keep-vectors"):
        KnowledgeBase.open(tmp_path, settings(after))

    def embed(*_, **__):
        raise AssertionError("the vectors are there")

    with monkeypatch.context() as patched:
        patched.setattr(encoder, "embed", embed)
        KnowledgeBase.rebuild(tmp_path, settings(after), keep_vectors=True)
    assert (tmp_path / "chroma").exists() == (after == "chroma")
    assert bool(list(tmp_path.glob("vectors-*"))) == (after == "exact")
    with KnowledgeBase.open(tmp_path, settings("auto")) as kb:
        assert kb.store.vector_kind == after
        found = kb.search("Grenzwert", mode="semantic")
        assert [hit.chunk for hit in found.hits] == [hit.chunk for hit in expected.hits]
        assert [hit.score for hit in found.hits] == pytest.approx([hit.score for hit in expected.hits], abs=1e-4)
        assert kb.check() == []


def test_vectors_of_another_model_are_not_kept(tmp_path):
    knowledge_base(tmp_path, ACT).close()
    other = HASH.model_copy(update={"embedding_model": "use-multilingual"})
    with pytest.raises(KnowledgeBaseError, match="'hash'"):
        KnowledgeBase.rebuild(tmp_path, other, keep_vectors=True)


def test_a_base_whose_server_is_gone_is_made_anew(tmp_path):
    with knowledge_base(tmp_path, ACT) as kb:
        kb.store.catalog.set_meta({"vector_index": "chroma-server"})
    with pytest.raises(KnowledgeBaseError, match="CHROMA_URL"):
        KnowledgeBase.open(tmp_path, HASH)
    KnowledgeBase.rebuild(tmp_path, HASH)
    with KnowledgeBase.open(tmp_path, HASH) as kb:
        assert kb.search("Grenzwert", mode="semantic").hits
        put(kb.store, record("new", [("§ 9", "Danach.")]))
        assert kb.check() == []


def test_an_open_reader_goes_on_after_the_vectors_moved(tmp_path):
    with knowledge_base(tmp_path, ACT) as reader:
        expected = reader.search("Grenzwert").hits[0].chunk
        KnowledgeBase.rebuild(tmp_path, settings("chroma"), keep_vectors=True)
        assert reader.search("Grenzwert").hits[0].chunk == expected
        assert reader.store.vector_kind == "chroma"
