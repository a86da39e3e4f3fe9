"""The text around a passage."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.quoting.surroundings import widened

TEXT = "One two three.\n\nFour five six.\n\nSeven eight nine.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (3, "Four five six."),
        (6, "Four five six.\n\nSeven eight nine."),
        (8, "Four five six.\n\nSeven eight nine."),
        (40, "One two three.\n\nFour five six.\n\nSeven eight nine."),  # a table ends its side
    ],
)
def test_whole_units_within_so_many_words(words: int, shown: str) -> None:
    start = TEXT.index("Four")
    first, last = widened(TEXT, start, start + len("Four five six."), words, lambda added: True)
    assert TEXT[first:last] == shown


def test_a_part_of_a_unit_is_completed_first() -> None:
    start = TEXT.index("five")
    first, last = widened(TEXT, start, start + len("five"), 2, lambda added: True)
    assert TEXT[first:last] == "five six."


def test_what_is_not_usable_ends_its_side() -> None:
    start = TEXT.index("Four")
    first, last = widened(TEXT, start, start + len("Four five six."), 40, lambda added: "Seven" not in added)
    assert TEXT[first:last] == "One two three.\n\nFour five six."
