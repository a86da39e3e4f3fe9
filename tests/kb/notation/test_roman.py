from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rabbithole.kb.notation.roman import from_roman, to_roman


@pytest.mark.parametrize(
    ("number", "numeral"),
    [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (99, "XCIX"), (399, "CCCXCIX"), (1949, "MCMXLIX")],
)
def test_numerals_of_headings_and_years(number: int, numeral: str) -> None:
    assert to_roman(number) == numeral
    assert from_roman(numeral) == number


@given(st.integers(1, 3999))
def test_a_number_is_read_as_it_was_written(number: int) -> None:
    assert from_roman(to_roman(number)) == from_roman(to_roman(number).lower()) == number


def test_a_letter_that_is_no_numeral_counts_nothing() -> None:
    assert from_roman("XQ") == 10
