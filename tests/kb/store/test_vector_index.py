"""The contract of each vector index."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from vector_rows import DIMENSION, Range, Some, passages
from vector_rows import rows_of as vectors

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.index.index_choice import open_vectors
from rabbithole.kb.store.vectors.vector_index import VectorIndex

ROWS = 1500


@pytest.fixture
def opened(tmp_path, kind):
    """Opens the index of a folder, as often as there are processes to stand for."""
    made = []

    def make() -> VectorIndex:
        made.append(open_vectors(kind, tmp_path, 0, None, lambda: DIMENSION))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_what_was_put_comes_back(opened):
    index, given = opened(), vectors(7)
    index.put(3, given, passages(7))
    assert np.allclose(index.get(np.array([9, 3])), given[[6, 0]], atol=1e-5)
    assert index.sound(np.array([3, 9, 10])).tolist() == [True, True, False]


def test_cosines_are_exact_and_best_first(opened):
    index, given = opened(), vectors(50)
    index.put(0, given, passages(50))
    rows, cosines = index.nearest(given[7], Range(50), 10)
    expected = np.argsort(-(given @ given[7]))[:10]
    assert rows.tolist() == expected.tolist()
    assert np.allclose(cosines, given[expected] @ given[7], atol=1e-4)


def test_a_search_stays_in_its_scope(opened):
    index, given = opened(), vectors(50)
    index.put(0, given, passages(50))
    rows, _ = index.nearest(given[7], Some((1, 4, 30)), 10)
    assert sorted(rows.tolist()) == [1, 4, 30]


@pytest.mark.parametrize("share", [2, 20])
def test_a_large_scope_is_searched_and_never_left(opened, monkeypatch, share):
    monkeypatch.setattr("rabbithole.kb.store.vectors.chroma.EXACT_LIMIT", 50)
    index, given = opened(), vectors(ROWS)
    index.put(0, given, passages(ROWS))
    scope = Some(range(0, ROWS, share))
    found = 0
    for query in given[:5]:
        rows, cosines = index.nearest(query, scope, 40)
        cosine = given @ query
        assert len(rows) == 40
        assert all(row % share == 0 for row in rows.tolist())
        assert np.allclose(cosines, cosine[rows], atol=1e-4)
        found += len({share * each for each in np.argsort(-cosine[::share])[:40].tolist()} & set(rows.tolist()))
    assert found / 200 >= 0.95


def test_rows_put_again_are_replaced(opened):
    index, before, after = opened(), vectors(5), vectors(5, seed=1)
    index.put(0, before, passages(5))
    index.put(0, after, passages(5))
    assert np.allclose(index.get(np.arange(5)), after, atol=1e-5)
    rows, _ = index.nearest(after[2], Range(5), 1)
    assert rows.tolist() == [2]


def test_removed_rows_are_not_found_by_scopes_without_them(opened):
    index, given = opened(), vectors(5)
    index.put(0, given, passages(5))
    index.remove([2, 3])
    rows, _ = index.nearest(given[2], Some((0, 1, 4)), 5)
    assert sorted(rows.tolist()) == [0, 1, 4]


def test_it_goes_on_after_it_was_closed(opened):
    index, given = opened(), vectors(5)
    index.put(0, given, passages(5))
    index.close()
    assert index.nearest(given[2], Range(5), 1)[0].tolist() == [2]
    assert np.allclose(opened().get(np.arange(5)), given, atol=1e-5)


def test_another_one_that_is_open_sees_what_was_written(opened):
    writer, reader, given = opened(), opened(), vectors(6)
    writer.put(0, given[:3], passages(3))
    assert reader.nearest(given[1], Some((0, 1, 2)), 1)[0].tolist() == [1]
    writer.put(3, given[3:], passages(3))
    assert reader.nearest(given[4], Range(6), 1)[0].tolist() == [4]


def test_rows_that_are_not_there_are_one_sentence(opened):
    index = opened()
    index.put(0, vectors(2), passages(2))
    with pytest.raises(KnowledgeBaseError, match="kb repair"):
        index.get(np.array([2**20]))


def test_closing_disturbs_nobody_who_reads(opened):
    index, given, errors = opened(), vectors(50), []
    index.put(0, given, passages(50))

    def read():
        for number in range(30):
            try:
                assert index.nearest(given[number], Range(50), 1)[0].tolist() == [number]
            except Exception as error:  # noqa: BLE001
                errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        index.close()
    for thread in threads:
        thread.join()
    assert errors == []


def test_nothing_is_left_when_it_is_cleared(opened, tmp_path):
    index, given = opened(), vectors(5)
    index.put(0, given, passages(5))
    index.clear()
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]
    index.put(0, given, passages(5))
    assert index.sound(np.arange(5)).all()


def test_a_folder_set_aside_is_kept_under_another_name(opened, tmp_path):
    index, given = opened(), vectors(5)
    index.put(0, given, passages(5))
    index.set_aside()
    assert not index.sound(np.arange(5)).any()
    index.put(0, given, passages(5))
    assert index.sound(np.arange(5)).all()
    assert len(list(tmp_path.glob("*.damaged"))) == 1
