"""Re-ranking the best units: which ones are re-ranked, and the effect of similarity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.selection import gather, question_part, select
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.reranking import (
    READ,
    first_units,
    reranked,
)
from rabbithole.steps.selection.sentence_rows import Row
from rabbithole.steps.selection.text_vectors import TextVectors
from tests.kb_records import knowledge_base, record

NAN = float("nan")
KEYS = record(
    "keys",
    [
        ("§ 1", "Members pay 15 euros for keys as a deposit."),
        ("§ 2", "Members pay 30 euros for keys that are lost."),
        ("§ 3", "Members pay nothing for the library."),
    ],
    language="en",
)


@pytest.mark.parametrize(
    ("scores", "read", "weight", "expected"),
    [
        ([3.0, 2.0, 1.0], [], 50.0, [3.0, 2.0, 1.0]),
        ([3.0, 2.0], [NAN, NAN], 50.0, [3.0, 2.0]),
        ([3.0, 2.0, 1.0], [0.80, 0.84, NAN], 50.0, [1.0, 2.0, -1.0]),
        ([3.0, 2.0], [0.80, 0.84], 0.0, [3.0, 2.0]),
    ],
)
def test_the_nearest_keeps_its_score(
    scores: list[float], read: list[float], weight: float, expected: list[float]
) -> None:
    assert reranked(np.array(scores), np.array(read), weight) == pytest.approx(expected)


def test_only_the_best_units_are_read() -> None:
    rows = [Row(at // 2, 0, 1, "x") for at in range(100)]
    scores = np.arange(100.0)
    assert first_units(rows, scores) == [49 - at for at in range(READ)]


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("reranking")) / "kb", KEYS) as found:
        yield found


class LostReader:
    """A reader to whom questions are near to what is lost."""

    def nearness(self, question: str, passages: Sequence[str]) -> Floats:
        return np.array([1.0 if "lost" in text else 0.6 for text in passages])


def test_what_is_read_again_leads(kb: KnowledgeBase) -> None:
    part = question_part("How much do members pay as a deposit for keys?", "en")
    found = gather(kb, part)
    plain = select(kb, part, found, vectors=TextVectors(kb.embed))
    again = select(kb, part, found, vectors=TextVectors(kb.embed, LostReader()))
    assert "15 euros" in plain.units[0].unit.text
    assert "lost" in again.units[0].unit.text


def test_a_collection_is_read_again_unless_it_is_hashed(kb: KnowledgeBase, tmp_path: Path) -> None:
    assert kb.answer_reader is None  # hashed
    for rerank, model, read in (
        ("auto", "use-multilingual", True),
        ("auto", str(tmp_path), True),
        ("off", "use-multilingual", False),
    ):
        settings = KbSettings(_env_file=None, embedding_model=model, answer_rerank=rerank)
        with KnowledgeBase.open(tmp_path / f"{rerank}-{read}-{len(model)}", settings, create=True) as opened:
            assert (opened.answer_reader is not None) is read
            assert (opened.span_reader is not None) is read
