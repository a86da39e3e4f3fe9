"""The scan of binary vectors: the rows it finds or must not find, and files that another process appends to."""

from __future__ import annotations

import numpy as np
import pytest

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.store.vectors.matrix import _TOGETHER, Matrix, closest

ROWS = 40_000  # more than a block


def clustered(rows, dimension, seed=0):
    random = np.random.default_rng(seed)
    centres = random.standard_normal((200, dimension)).astype(np.float32)
    vectors = centres[random.integers(0, 200, rows)] + 0.7 * random.standard_normal((rows, dimension)).astype(
        np.float32
    )
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [100, 384])
def test_the_nearest_are_found(tmp_path, dimension):
    vectors = clustered(ROWS, dimension)
    matrix = Matrix(tmp_path, dimension)
    matrix.write(0, vectors[:30_000])
    assert matrix.holds(30_000)
    matrix.write(30_000, vectors[30_000:])
    allowed = np.random.default_rng(2).random(ROWS) < 0.5
    found_all = found_some = 0
    for query in clustered(1000, dimension)[:12]:  # of the same clusters
        cosines = vectors @ query
        for mask in (np.ones(ROWS, dtype=bool), allowed):
            rows, scores = matrix.nearest(query, mask, 20)
            assert mask[rows].all()
            assert np.allclose(scores, cosines[rows], atol=1e-5)
            assert (np.diff(scores) <= 1e-5).all()
            exact = np.argsort(np.where(mask, -cosines, 2.0))[:20]
            share = len(set(exact.tolist()) & set(rows.tolist())) / 20
            if mask is allowed:
                found_some += share
            else:
                found_all += share
    assert min(found_all, found_some) / 12 > 0.95


def test_a_few_rows_are_compared_exactly(tmp_path):
    vectors = clustered(500, 64)
    matrix = Matrix(tmp_path, 64)
    matrix.write(0, vectors)
    rows, _ = matrix.nearest(vectors[7], np.ones(500, dtype=bool), 500)
    assert sorted(rows.tolist()) == list(range(500))
    assert rows[0] == 7


@pytest.mark.parametrize("count", [0, 1, _TOGETHER, _TOGETHER + 1, 700])
def test_comparing_some_at_a_time_gives_the_cosines_of_all_at_once(tmp_path, count):
    vectors = clustered(900, 64)
    matrix = Matrix(tmp_path, 64)
    matrix.write(0, vectors)
    rows = np.sort(np.random.default_rng(4).choice(900, count, replace=False))
    at_once = closest(vectors[5], rows, vectors[rows], 50)
    found = matrix.exact(vectors[5], rows, 50)
    assert all(np.array_equal(own, whole) for own, whole in zip(found, at_once, strict=True))


def test_weighing_by_signs_is_the_product_with_the_signs(tmp_path):
    vectors = clustered(ROWS, 100)
    matrix = Matrix(tmp_path, 100)
    matrix.write(0, vectors)
    assert matrix.holds(ROWS)
    rows = np.arange(0, ROWS, 37)
    expected = np.where(vectors[rows] > 0, 1.0, -1.0) @ vectors[5]
    assert np.allclose(matrix._weighed(vectors[5], rows), expected, atol=1e-5)


def test_rows_that_are_not_there_are_one_sentence(tmp_path):
    matrix = Matrix(tmp_path, 64)
    matrix.write(0, clustered(5, 64))
    with pytest.raises(KnowledgeBaseError, match="kb repair"):
        matrix.vectors(np.array([2**20]))
    with pytest.raises(KnowledgeBaseError, match="kb repair"):
        matrix.exact(clustered(1, 64)[0], np.array([1, 2**20]), 5)
