"""A vector index in several processes: killed while it writes, and read while another process writes."""

from __future__ import annotations

import time

import numpy as np
import pytest
from forked import Forked, forked
from vector_rows import DIMENSION, Range, passages, rows_of
from work import search_rows_until, write_rows_for_ever

from rabbithole.kb.store.index.index_choice import open_vectors


def finished(folder):
    file = folder / "finished"
    return 600 * file.stat().st_size if file.exists() else 0


@pytest.mark.slow
def test_what_was_finished_survives_a_kill(tmp_path, kind):
    vectors = rows_of(600)
    for least in (1, 2, 3):
        with forked(write_rows_for_ever, tmp_path, kind):
            while finished(tmp_path) < 600 * least:
                time.sleep(0.01)
        rows = finished(tmp_path)
        index = open_vectors(kind, tmp_path, 0, None, lambda: DIMENSION)
        assert index.sound(np.arange(rows)).all()
        (best,), cosines = index.nearest(vectors[5], Range(rows), 1)
        assert best % 600 == 5
        assert cosines[0] > 0.999
        index.close()


@pytest.mark.slow
def test_others_search_while_one_writes(tmp_path, kind):
    index = open_vectors(kind, tmp_path, 0, None, lambda: DIMENSION)
    index.put(0, rows_of(500), passages(500))
    readers = [Forked(search_rows_until, tmp_path, kind, 4000) for _ in range(2)]
    try:
        for reader in readers:
            reader.ready()
        for first in range(500, 4000, 500):
            index.put(first, rows_of(500, seed=first), passages(500))
        for reader in readers:
            assert reader.result() >= 1
        assert index.sound(np.arange(4000)).all()
    finally:
        for reader in readers:
            reader.kill()
        index.close()
