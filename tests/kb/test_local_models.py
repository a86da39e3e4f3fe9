"""Embedding and re-ranking with torch, by tiny models made in the test."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from kb_records import put, record

from rabbithole.kb.errors import ModelError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.search.rerank import mixed
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embedding_models import make_embedder
from rabbithole.kb.store.records import embedding_text

WORDS = ["der", "die", "grenzwert", "dosis", "anlage", "pruefung", "frist", "betrag", "§", "1", "2", "3"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [
    *"abcdefghijklmnopqrstuvwxyz0123456789",
    *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789"),
]
ACT = record("act", [("§ 1", "Der Grenzwert der Dosis."), ("§ 2", "Die Anlage."), ("§ 3", "Der Grenzwert der Frist.")])

pytestmark = pytest.mark.slow  # torch takes seconds to load


@pytest.fixture(scope="module")
def transformers():
    """Loaded only when one of these tests runs."""
    return pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def config(transformers):
    return transformers.BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS) + len(LETTERS),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=1,
    )


def save(transformers, model, folder):
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join([*SPECIAL, *WORDS, *LETTERS]))
    tokenizer = transformers.BertTokenizerFast(str(folder / "vocab.txt"), do_lower_case=True, model_max_length=64)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def embedding_model(transformers, config, tmp_path_factory):
    transformers.set_seed(1)
    return save(transformers, transformers.BertModel(config), tmp_path_factory.mktemp("embedding"))


@pytest.fixture(scope="module")
def reranking_model(transformers, config, tmp_path_factory):
    transformers.set_seed(2)
    model = transformers.BertForSequenceClassification(config)
    model.classifier.weight.data *= 50  # scores far apart, so that the order is not one of rounding
    return save(transformers, model, tmp_path_factory.mktemp("reranking"))


def test_a_folder_with_an_embedding_model(embedding_model, tmp_path):
    settings = KbSettings(embedding_model=embedding_model, embedding_device="cpu", _env_file=None)
    with KnowledgeBase.open(tmp_path, settings, create=True) as kb:
        vectors = kb.embed([chunk.text for chunk in ACT.chunks])
        assert vectors.shape == (3, 32)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
        kb.store.put(ACT, vectors)
        found = kb.search("§ 2 Die Anlage.", mode="semantic")
        assert found.hits[0].chunk.id == "act:c1"
        assert found.hits[0].score == pytest.approx(1.0, abs=1e-4)
        assert kb.collections()[0].embedding_model == embedding_model
    with KnowledgeBase.open(tmp_path, KbSettings(embedding_model="auto", _env_file=None)) as kb:
        assert kb.embedding_model == embedding_model


def test_the_instruction_goes_before_queries_only(embedding_model):
    plain = make_embedder(embedding_model, KbSettings(embedding_model=embedding_model, _env_file=None))
    told = make_embedder(
        embedding_model,
        KbSettings(embedding_model=embedding_model, embedding_query_instruction="Frist Betrag: ", _env_file=None),
    )
    text = "Der Grenzwert"
    assert np.allclose(plain.embed([text]), told.embed([text]), atol=1e-6)
    assert np.allclose(plain.embed([text]), plain.embed([text], query=True), atol=1e-6)
    assert not np.allclose(told.embed([text]), told.embed([text], query=True), atol=1e-3)


def test_the_prompts_of_a_model_go_before_queries_and_passages(embedding_model, tmp_path):
    folder = shutil.copytree(embedding_model, tmp_path / "model")
    prompts = {"query": "Frist Betrag: ", "document": "Anlage Dosis: ", "STS": "§ "}
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    plain = make_embedder(embedding_model, KbSettings(embedding_model=embedding_model, _env_file=None))
    own = make_embedder(str(folder), KbSettings(embedding_model=str(folder), _env_file=None))
    text = "Der Grenzwert"
    assert np.allclose(own.embed([text]), plain.embed([prompts["document"] + text]), atol=1e-5)
    assert np.allclose(own.embed([text], query=True), plain.embed([prompts["query"] + text]), atol=1e-5)
    assert not np.allclose(own.embed([text]), plain.embed([text]), atol=1e-3)


def test_a_folder_without_a_model_is_one_sentence(tmp_path):
    with pytest.raises(ModelError, match="cannot be loaded"):
        make_embedder(str(tmp_path), KbSettings(embedding_model=str(tmp_path), _env_file=None)).embed(["a"])


def test_a_cross_encoder_moves_the_first_hits(reranking_model, tmp_path):
    settings = KbSettings(embedding_model="hash", _env_file=None)
    with KnowledgeBase.open(tmp_path, settings, create=True) as kb:
        put(kb.store, ACT)
        before = kb.search("Grenzwert").hits
    with KnowledgeBase.open(tmp_path, settings.model_copy(update={"rerank_model": reranking_model})) as kb:
        hits = kb.search("Grenzwert").hits
    cross_encoder = pytest.importorskip("sentence_transformers").CrossEncoder(reranking_model)
    rated = cross_encoder.predict([("Grenzwert", embedding_text(hit.title, hit.chunk)) for hit in before])
    own = {hit.chunk.id: float(score) for hit, score in zip(before, rated, strict=True)}
    new = dict(zip(own, mixed([hit.score for hit in before], list(own.values())), strict=True))
    assert [hit.score for hit in hits] == pytest.approx(sorted(new.values(), reverse=True), abs=1e-3)
    assert {hit.chunk.id: hit.scores["rerank"] for hit in hits} == pytest.approx(own, abs=1e-3)
    assert "fused" in hits[0].scores


def test_a_folder_without_a_cross_encoder_is_one_sentence(tmp_path):
    (tmp_path / "none").mkdir()
    settings = KbSettings(embedding_model="hash", rerank_model=str(tmp_path / "none"), _env_file=None)
    with KnowledgeBase.open(tmp_path / "kb", settings, create=True) as kb:
        put(kb.store, ACT)
        with pytest.raises(ModelError, match="cannot be loaded"):
            kb.search("Grenzwert")
