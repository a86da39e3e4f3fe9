"""The text around a passage."""

from __future__ import annotations

import pytest

from rabbithole.steps.page_names import letters_of
from rabbithole.steps.response.quoting.passage_text import is_heading_line, is_heading_of
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


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        ("Fees of the members", ""),  # the heading of what follows, which is not shown
        ("The fees are these:", ""),
        ("Fees are due in May.", "\n\nFees are due in May."),
        ("x = 2 a + b / 3", "\n\nx = 2 a + b / 3"),  # a formula ends without a full stop too
    ],
)
def test_the_heading_of_what_follows_is_not_added(below: str, shown: str) -> None:
    text = f"One two three.\n\n{below}\n\n{'Seven eight nine. ' * 9}"
    first, last = widened(text, 0, len("One two three."), 12, lambda added: True)
    assert text[first:last] == f"One two three.{shown}"


def test_the_heading_above_is_added() -> None:
    text = "Fees of the members\n\nFour five six."
    assert widened(text, text.index("Four"), len(text), 12, lambda added: True) == (0, len(text))


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ("§ 5 Membership", "§ 5 Membership", True),
        ("5 Membership", "§ 5 Membership", True),
        ("Art 54", "Artikel 54", True),
        ("Art. 7", "Article 7 Members", True),
        ("Art 7", "Artikel 54", False),
        ("Members pay a fee.", "§ 5 Membership", False),
        ("", "§ 5", False),
    ],
)
def test_the_line_of_the_heading_is_no_text_to_show(line: str, label: str, expected: bool) -> None:
    assert is_heading_line(letters_of(line), letters_of(label)) is expected


@pytest.mark.parametrize(
    ("line", "label", "heading", "expected"),
    [
        ("2.3.5 (01-16-2020) Restoring Modules", "2.3.5 Restoring Modules", "Restoring Modules", True),
        ("SIX ACCOUNT LOCKOUT", "Chapter 6 ACCOUNT LOCKOUT", "ACCOUNT LOCKOUT", True),
        ("6.2 Account lockout", "Account lockout > 6.2 Account lockout", "Account lockout", True),
        ("This chapter is all about the account lockout", "Account lockout", "Account lockout", False),
        ("Accounts are locked out.", "", "", False),
    ],
)
def test_the_first_line_of_a_section_may_name_it_with_a_date(
    line: str, label: str, heading: str, expected: bool
) -> None:
    assert is_heading_of(line, label, heading) is expected


@pytest.mark.parametrize(
    ("words", "shown"),
    [(12, "Two rules hold:\n1. No lines.\n2. No boxes.\n\nThey seem extreme."), (8, "They seem extreme.")],
)
def test_a_list_above_is_added_whole_or_not_at_all(words: int, shown: str) -> None:
    text = "Two rules hold:\n1. No lines.\n2. No boxes.\n\nThey seem extreme."
    first, last = widened(text, text.index("They"), len(text), words, lambda added: True)
    assert text[first:last] == shown


def test_less_is_shown_above_than_below() -> None:
    text = "One two three.\n\nFour five six.\n\nSeven eight nine.\n\nTen eleven twelve."
    start = text.index("Seven")
    assert widened(text, start, start + len("Seven eight nine."), 12, lambda added: True) == (0, len(text))
    first, last = widened(text, start, start + len("Seven eight nine."), 12, lambda added: True, above=9)
    assert text[first:last] == "Four five six.\n\nSeven eight nine.\n\nTen eleven twelve."
