"""The list that a passage is part of."""

from __future__ import annotations

import pytest

from rabbithole.steps.response.quoting.whole_list import beginnings, list_that_ends, lists_with_lead_in, whole_list
from rabbithole.steps.selection.units.unit_splitting import split

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


BOARD = (
    "The board is elected.\nThe tasks of the board are:\n• the budget\n• the rules\n\nOther text.\n"
    "1. No line leads to this one.\n2. It is a list of its own.\nThe board, if asked, also\n1. reports,\n2. pays."
)


def test_lists_with_what_leads_to_them() -> None:
    found = lists_with_lead_in(BOARD)
    assert [lead for lead, _ in found] == ["The tasks of the board are:", "The board, if asked, also"]
    assert [BOARD[block[0].start : block[-1].end].splitlines()[-1] for _, block in found] == ["• the rules", "2. pays."]


REST = "Of this nothing more is said here, although there is much to say on it, as anybody knows who was there. " * 4
ITEMS = [f"• The {name} is new. {REST.strip()}" for name in ("budget", "house", "garden")]
LONG = "\n".join(("The tasks of the board are:", *ITEMS))


def test_the_lead_in_of_a_long_list_is_its_head() -> None:
    ((lead, block),) = lists_with_lead_in(LONG)
    assert lead == "The tasks of the board are:"
    assert [LONG[one.start : one.end] for one in block] == ITEMS


@pytest.mark.parametrize(
    ("words", "sentences"),
    [
        (120, 2),  # forty for each item
        (100, 2),
        (60, 1),
        (24, 1),
        (20, 0),  # too few to say what each is about
        (15, 0),
    ],
)
def test_each_item_begins_with_its_first_sentences(words: int, sentences: int) -> None:
    ((_, block),) = lists_with_lead_in(LONG)
    shown = [LONG[one.start : one.end] for one in beginnings(LONG, block, words)]
    assert len(shown) == (3 if sentences else 0)
    assert all(item.startswith(one) and one.count(".") == sentences for item, one in zip(ITEMS, shown, strict=False))


def test_what_is_shown_of_a_list_has_no_empty_items_and_no_middle_of_one() -> None:
    """An item that is longer than a unit is several; the first of them is its beginning."""
    long = f"• The yard is old. {REST * 3}".strip()
    text = "\n".join(("The tasks of the board are:", *ITEMS, long, "• –"))
    ((_, block),) = lists_with_lead_in(text)
    shown = [text[one.start : one.end] for one in beginnings(text, block, 60)]
    assert shown == [*(item.partition(". ")[0] + "." for item in ITEMS), "• The yard is old."]


@pytest.mark.parametrize("first", [" ".join(["word"] * 70) + ".", " ".join(["word"] * 200)])
def test_items_whose_first_sentences_are_long_are_not_shown(first: str) -> None:
    text = f"The tasks of the board are:\n• {first}\n• {first}\n• {first} {REST}"
    ((_, block),) = lists_with_lead_in(text)
    assert beginnings(text, block, 180) == []


def test_one_item_is_no_list() -> None:
    ((_, block),) = lists_with_lead_in(LONG)
    assert beginnings(LONG, block[:1], 120) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Keep two rules in mind:\n1. Use no vertical lines.\n2. Use no double lines.", "Keep two"),
        ("Some text.\n\n• one thing\n• another thing", "• one thing"),
        ("1. An item.\n2. Another item.\n\nPlain text at the end.", None),
    ],
)
def test_a_list_is_taken_from_its_lead_in(text: str, expected: str | None) -> None:
    units = split(text)
    start = list_that_ends(units, units[-1])
    assert start is None if expected is None else text[start:].startswith(expected)
