"""Candidates for an answer: search hits by rank, and those that a reader finds nearest to the whole question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.selection import AnswerCandidate, QuestionPart, gather, question_part
from rabbithole.steps.selection.candidates import HITS, KEPT, REREAD
from tests.kb_records import knowledge_base, record

ROOMS = 40
HOUSE = record(
    "house",
    [(f"§ {at}", f"The key of room {at} is kept by the caretaker of {'the annexe' if at == 30 else 'the house'}.")
     for at in range(1, ROOMS + 1)],
    language="en",
)  # fmt: skip


class AnnexeReader:
    """A reader to whom the annexe is near to every question."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.read: list[str] = []

    def nearness(self, question: str, passages: Sequence[str]) -> np.ndarray:
        self.asked.append(question)
        self.read += passages
        return np.array([1.6 if "annexe" in passage else 1.3 for passage in passages])


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with knowledge_base(Path(tmp_path_factory.mktemp("candidates")) / "kb", HOUSE) as found:
        yield found


def texts(kb: KnowledgeBase, found: Sequence[AnswerCandidate]) -> list[str]:
    return [kb.text(one.document, one.start, one.end) for one in found]


def part(text: str, *queries: str, whole: str = "") -> QuestionPart:
    return question_part(text, "en", whole=whole, queries=queries or (text,))


def test_the_hits_of_several_queries_alternate_and_each_passage_is_there_once(kb: KnowledgeBase) -> None:
    asked = part("Who keeps the key of room 7?", "key of room 7", "key of room 9")
    found = gather(kb, asked)
    assert len(found) == len({(one.document, one.start) for one in found})
    assert "room 7 " in texts(kb, found)[0]
    assert "room 9 " in texts(kb, found)[1]
    assert [one.rank for one in found[:2]] == [0, 0]
    assert all((one.rank or 0) < HITS for one in found)


def test_what_the_reader_finds_nearest_to_the_whole_question_comes_first(kb: KnowledgeBase) -> None:
    reader = AnnexeReader()
    found = gather(kb, part("Who keeps it?", "key of a room", whole="A room has a key. Who keeps it?"), reader=reader)
    assert set(reader.asked) == {"A room has a key. Who keeps it?"}
    assert len(reader.read) == REREAD
    assert len(found) == KEPT
    assert [one.rank for one in found] == list(range(KEPT))
    assert "annexe" in texts(kb, found)[0]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_hits_for_a_code_are_not_reread(kb: KnowledgeBase) -> None:
    reader = AnnexeReader()
    found = gather(kb, part("What does the code 0441 mean for a room key?"), reader=reader)
    assert not reader.read
    assert KEPT < len(found) <= HITS


def test_places_named_stay_before_what_is_found(kb: KnowledgeBase) -> None:
    named = AnswerCandidate(document=HOUSE.document.id, start=0, end=10, score=1.0, origin="named")
    found = gather(kb, part("Who keeps the key of room 7?"), further=[named], reader=AnnexeReader())
    assert found[0] == named
    assert len(found) == KEPT + 1
