"""The order of the first hits relative to each other."""

from __future__ import annotations

import pytest

from rabbithole.kb.search.arrangement import covering, with_documents
from rabbithole.kb.search.weights import reviewed

WEIGHTS = reviewed().arrangement


def test_a_document_that_several_hits_speak_for_comes_first() -> None:
    ranked = [(1, 0.9), (2, 0.85), (3, 0.84), (4, 0.5)]
    documents = {1: 10, 2: 20, 3: 20, 4: 30}
    assert [row for row, _ in with_documents(ranked, documents.get, WEIGHTS)] == [2, 3, 1, 4]


def test_rows_without_a_document_and_empty_lists_stay() -> None:
    assert with_documents([], {}.get, WEIGHTS) == []
    assert [row for row, _ in with_documents([(1, 0.9), (2, 0.8)], {}.get, WEIGHTS)] == [1, 2]


STEMS = {1: frozenset({"a", "b"}), 2: frozenset({"a", "b"}), 3: frozenset({"c"})}
ASKED = {"a": 1.0, "b": 1.0, "c": 1.0}


@pytest.mark.parametrize(("words", "order"), [(15, [1, 3, 2, 4]), (3, [1, 2, 3, 4])])
def test_a_long_question_is_covered_a_short_one_asks_for_one_place(words: int, order: list[int]) -> None:
    found = covering([(1, 0.9), (2, 0.88), (3, 0.8), (4, 0.1)], STEMS, ASKED, words, WEIGHTS)
    assert [row for row, _ in found] == order
    assert [gain for _, gain in found] == sorted((gain for _, gain in found), reverse=True)


def test_a_question_without_telling_words_changes_nothing() -> None:
    assert [row for row, _ in covering([(1, 0.9), (2, 0.8)], STEMS, {}, 0, WEIGHTS)] == [1, 2]
