"""The order of the first hits relative to each other."""

from __future__ import annotations

from collections import Counter

import pytest

from rabbithole.kb.search.arrangement import covering, with_documents
from rabbithole.kb.search.weights import reviewed
from rabbithole.kb.store.ports import ChunkKey

WEIGHTS = reviewed().arrangement


def chunks(*pairs):
    """``pairs`` are (document, score); each chunk is the first of its document that is not taken yet."""
    taken = Counter()
    ranked = []
    for document, score in pairs:
        ranked.append((ChunkKey(document, taken[document]), score))
        taken[document] += 1
    return ranked


def test_a_document_that_several_hits_speak_for_comes_first() -> None:
    found = with_documents(chunks((1, 0.9), (2, 0.85), (2, 0.84), (3, 0.5)), WEIGHTS)
    assert [key for key, _ in found] == [(2, 0), (2, 1), (1, 0), (3, 0)]


def test_documents_with_one_hit_each_and_empty_lists_stay() -> None:
    assert with_documents([], WEIGHTS) == []
    assert [key for key, _ in with_documents(chunks((1, 0.9), (2, 0.6)), WEIGHTS)] == [(1, 0), (2, 0)]


STEMS = {ChunkKey(1, 0): frozenset({"a", "b"}), ChunkKey(2, 0): frozenset({"a", "b"}), ChunkKey(3, 0): frozenset({"c"})}
ASKED = {"a": 1.0, "b": 1.0, "c": 1.0}


@pytest.mark.parametrize(("words", "order"), [(15, [1, 3, 2, 4]), (3, [1, 2, 3, 4])])
def test_a_long_question_is_covered_a_short_one_asks_for_one_place(words: int, order: list[int]) -> None:
    found = covering(chunks((1, 0.9), (2, 0.88), (3, 0.8), (4, 0.1)), STEMS, ASKED, words, WEIGHTS)
    assert [key.document for key, _ in found] == order
    assert [gain for _, gain in found] == sorted((gain for _, gain in found), reverse=True)


def test_a_question_without_telling_words_changes_nothing() -> None:
    assert [key.document for key, _ in covering(chunks((1, 0.9), (2, 0.8)), STEMS, {}, 0, WEIGHTS)] == [1, 2]
