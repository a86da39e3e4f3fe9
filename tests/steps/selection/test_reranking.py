"""Re-ranking the best units: which ones are re-ranked, and the effect of similarity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.steps.selection import gather, question_part, select
from rabbithole.steps.selection.nearness import Floats
from rabbithole.steps.selection.reranking import (
    READ,
    SPREAD_WITHIN_QUESTION,
    USUAL,
    UnitReranker,
    alike_in_range,
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


def lost(question: str, passages: Sequence[str]) -> Floats:
    """A reader to whom questions are near to what is lost."""
    return np.array([1.0 if "lost" in text else 0.6 for text in passages])


def test_what_is_read_again_leads(kb: KnowledgeBase) -> None:
    part = question_part("How much do members pay as a deposit for keys?", "en")
    found = gather(kb, part)
    plain = select(kb, part, found, vectors=TextVectors(kb.embed))
    again = select(kb, part, found, vectors=TextVectors(kb.embed, UnitReranker(lost)))
    assert "15 euros" in plain.units[0].unit.text
    assert "lost" in again.units[0].unit.text


def test_values_of_another_reader_are_brought_to_the_usual_range(kb: KnowledgeBase) -> None:
    brought = alike_in_range(np.array([0.2, 0.4, 0.6]))
    assert (brought.mean(), brought.std()) == pytest.approx((USUAL, SPREAD_WITHIN_QUESTION))
    assert alike_in_range(np.array([0.5, 0.5])) == pytest.approx([USUAL, USUAL])
    part = question_part("How much do members pay as a deposit for keys?", "en")
    found = gather(kb, part)

    def scores(reader: Callable[[str, Sequence[str]], Floats]) -> list[float]:
        units = select(kb, part, found, vectors=TextVectors(kb.embed, UnitReranker(reader, known=False))).units
        return [one.score for one in units]

    assert scores(lost) == pytest.approx(scores(lambda question, passages: 40.0 * lost(question, passages) - 3.0))


def test_a_collection_is_read_again_by_the_better_reader(kb: KnowledgeBase, tmp_path: Path) -> None:
    assert kb.answer_reader is None  # hashed
    settings = KbSettings(_env_file=None, embedding_model="use-multilingual")
    for rerank, name in (("auto", "multilingual-e5-small"), ("off", None)):
        own = settings.model_copy(update={"answer_rerank": rerank})
        with KnowledgeBase.open(tmp_path / rerank, own, create=True) as opened:
            assert (opened.answer_reader.name if opened.answer_reader else None) == name
    better = settings.model_copy(update={"embedding_model": str(tmp_path)})
    with KnowledgeBase.open(tmp_path / "better", better, create=True) as opened:
        assert opened.answer_reader is not None
        assert opened.answer_reader.name == opened.embedding_model == str(tmp_path)
