"""The list that a passage is part of."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.quoting.whole_list import whole_list

STEPS = (
    "The machines shut down in these steps:\n1. The battery runs low.\n2. The flag is set for all.\n"
    "Warning\nThe flag cannot be taken back.\n3. The machines stop.\n4. The power goes off.\nThen it is quiet."
)
BELOW = (
    "It is important to clean the node.\nExamples of cleaning include:\n• a check of health\n• a restart\n\nOther text."
)


@pytest.mark.parametrize(
    ("chosen", "words", "last", "goes_on"),
    [
        ("2. The flag is set for all.", 60, "4. The power goes off.", False),
        ("2. The flag is set for all.", 27, "2. The flag is set for all.", True),
        ("3. The machines stop.", 60, "4. The power goes off.", False),
    ],
)
def test_steps_go_on_after_a_note(chosen: str, words: int, last: str, goes_on: bool) -> None:
    start = STEPS.index(chosen)
    found = whole_list(STEPS, start, start + len(chosen), words)
    assert found is not None
    assert STEPS[found.start : found.end].endswith(last)
    assert found.goes_on is goes_on


def test_a_list_directly_below_is_part_of_what_is_said() -> None:
    found = whole_list(BELOW, 0, BELOW.index("\n"), 40)
    assert found is not None
    assert BELOW[found.start : found.end].endswith("• a restart")


def test_no_list_and_no_room() -> None:
    assert whole_list("(1) Who keeps bees says so.\n(2) Schools need not.", 0, 27, 40) is None
    assert whole_list("One sentence.\n\nAnother one.", 0, 13, 40) is None
    start = STEPS.index("4. The")
    assert whole_list(STEPS, start, start + 10, 5) is None
