import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.steps.reasoning.llm.batch import evenly


@pytest.mark.parametrize(
    ("pieces", "most", "sizes"),
    [(0, 8, []), (1, 8, [1]), (8, 8, [8]), (9, 8, [4, 5]), (12, 8, [6, 6]), (17, 8, [6, 5, 6])],
)
def test_parts_are_few_and_even(pieces, most, sizes):
    assert [len(part) for part in evenly(range(pieces), most)] == sizes


@given(st.lists(st.integers(), max_size=60), st.integers(min_value=1, max_value=12))
def test_parts_together_are_the_whole_in_order(pieces, most):
    parts = evenly(pieces, most)
    assert [one for part in parts for one in part] == pieces
    assert all(0 < len(part) <= most for part in parts)
    assert len(parts) == -(-len(pieces) // most)
