"""The first hits of a search, reread by the encoder that chooses passages for answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kb_records import knowledge_base, record

from rabbithole.kb.models import Chunk, Hit, SearchResult
from rabbithole.kb.search.rerank import FIRST
from rabbithole.kb.search.rereading import MOST_CHUNKS, WEIGHT, hit_reader, raised, reread_hits
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.encoders.embeddings import HASH, MULTILINGUAL

SETTINGS = KbSettings(embedding_model=MULTILINGUAL, _env_file=None)


class WordReader:
    """Passages with the last word of the question are nearer."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def nearness(self, question: str, passages: Sequence[str]) -> np.ndarray:
        self.read += passages
        return np.array([1.5 if question.split()[-1] in passage else 1.0 for passage in passages])


def hits(*texts: str, **scores: float) -> SearchResult:
    return SearchResult(
        total=len(texts),
        hits=tuple(
            Hit(
                chunk=Chunk(
                    id=f"d:c{at}", document="d", section="d:s0", start=0, end=len(text), text=text, page=0,
                    page_label="1", section_path=("Pets",),
                ),
                score=1 - at / 100,
                scores={"fused": 1 - at / 100, **scores},
                title="Book",
            )
            for at, text in enumerate(texts)
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "nearness", "expected"),
    [
        ([], [], []),
        ([0.8], [1.3], [0.8]),
        ([1.0, 0.5], [1.3, 1.3], [1.0, 0.5]),
        ([1.0, 0.5], [1.3, 1.3 + 1 / WEIGHT], [0.5, 1.0]),
        ([0.7, 0.7], [1.3, 1.4], [0.7, 0.7]),  # one value leaves no range
    ],
)
def test_scores_with_nearness(scores: list[float], nearness: list[float], expected: list[float]) -> None:
    assert raised(scores, nearness) == pytest.approx(expected)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0.9, 1.75)), min_size=1, max_size=FIRST))
def test_scores_stay_in_their_range(pairs: list[tuple[float, float]]) -> None:
    scores, nearness = [one for one, _ in pairs], [one for _, one in pairs]
    new = raised(scores, nearness)
    assert min(scores) - 1e-6 <= min(new)
    assert max(new) <= max(scores) + 1e-6


def test_a_nearer_passage_comes_first_and_says_how_near_it_is() -> None:
    found = reread_hits("Who may keep a cat?", hits("a dog", "a bird", "a cat?"), WordReader(), 2)
    assert [hit.chunk.text for hit in found.hits] == ["a cat?", "a dog"]
    assert found.total == 3
    assert found.hits[0].scores == {"fused": 0.98, "nearness": 1.5}
    assert found.hits[0].score > found.hits[1].score


def test_a_passage_is_read_with_its_title_and_headings_and_only_the_first_are() -> None:
    reader = WordReader()
    found = reread_hits("Where is the cat", hits(*["a dog"] * FIRST, "a cat"), reader, FIRST + 1)
    assert reader.read == ["Book > Pets a dog"] * FIRST
    assert found.hits[-1].chunk.text == "a cat"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Where is the cat", hits("a dog", "a cat", linked=0.4)),
        ("Which town has the area code 0441 and a cat", hits("a dog", "a cat")),
    ],
)
def test_followed_names_and_codes_keep_their_order(query: str, found: SearchResult) -> None:
    reader = WordReader()
    assert reread_hits(query, found, reader, 2) == found
    assert not reader.read


@pytest.mark.parametrize(
    ("changed", "model", "chunks", "rereads"),
    [
        ({}, MULTILINGUAL, MOST_CHUNKS, True),
        ({}, MULTILINGUAL, MOST_CHUNKS + 1, False),
        ({}, "some/model", 10, True),
        ({}, HASH, 10, False),
        ({"search_rerank": "off"}, MULTILINGUAL, 10, False),
        ({"rerank_model": "some/cross-encoder"}, MULTILINGUAL, 10, False),
    ],
)
def test_what_is_reread(changed: dict[str, str], model: str, chunks: int, rereads: bool) -> None:
    assert (hit_reader(SETTINGS.model_copy(update=changed), model, chunks) is not None) is rereads


def test_a_search_rereads_its_first_hits(tmp_path) -> None:
    texts = [
        "Keeping animals. The keeping of dogs, cats and birds in the flat is a matter for all who live there.",
        "Deposits. A tenant pays two months' rent before moving in, and gets the sum back on leaving.",
        "Noise. Nobody plays an instrument after ten in the evening.",
    ]
    records = (record(f"d{at}", [("1", text)], language="en") for at, text in enumerate(texts))
    with knowledge_base(tmp_path, *records, settings=SETTINGS) as kb:
        query = "How much money must a tenant leave before moving in?"
        found = kb.search(query)
        assert found.hits[0].chunk.document == "d1"
        assert found.hits[0].scores["nearness"] == max(hit.scores["nearness"] for hit in found.hits)
        assert kb.search(query, top_k=1).hits == found.hits[:1]
        assert kb.search(query) == found
        for others in ({"reread": False}, {"mode": "keyword"}, {"mode": "semantic"}):
            assert not any("nearness" in hit.scores for hit in kb.search(query, **others).hits)
