"""The first hits re-ranked by a cross-encoder, whose scores are mixed with those of the search."""

from __future__ import annotations

import pytest

from rabbithole.kb.search.rerank import SHARE, mixed


@pytest.mark.parametrize(
    ("scores", "rated", "expected"),
    [
        ([], [], []),
        ([0.8], [5.0], [0.8 * (1 - SHARE) + 0.8 * SHARE]),
        ([1.0, 0.0], [1.0, 1.0], [1 - SHARE, 0.0]),  # it does not tell them apart
        ([1.0, 0.0], [3.0, -3.0], [1.0, 0.0]),  # both agree
        ([1.0, 0.0], [-3.0, 3.0], [1 - SHARE, SHARE]),
        ([1.2, 1.1, 0.2], [-9.0, 9.0, 8.0], [0.9, 1.13, 0.483333]),
    ],
)
def test_mixed_scores(scores: list[float], rated: list[float], expected: list[float]) -> None:
    assert mixed(scores, rated) == pytest.approx(expected, abs=1e-6)


def test_mixed_scores_stay_in_the_range_of_the_search() -> None:
    new = mixed([1.4, 0.9, 0.7], [-12.0, 0.0, 11.0])
    assert min(new) >= 0.7
    assert max(new) <= 1.4
