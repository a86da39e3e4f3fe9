"""Tables are quoted with their head, and read on one line."""

from __future__ import annotations

import pytest

from rabbithole.kb.reading.quotation_search import find, reduce
from rabbithole.steps.reasoning.extractive.sentence_scores import is_quotable
from rabbithole.steps.reasoning.text.markdown_tables import WHOLE, is_table, loose_bars, one_line
from rabbithole.steps.reasoning.text.sentences import sentences

TABLE = "| Nuclide | Value |\n| --- | --- |\n| Tritium | 1 000 |\n| Iodine | 10 |"
TEXT = f"The values of Table 1 apply.\n{TABLE}\nThey hold for a year."


@pytest.mark.parametrize(
    ("text", "table"),
    [
        (TABLE, True),
        ("| Iodine | 10 |", True),
        ("| Nuclide | Value |\n| --- | --- |", False),
        ("| --- | --- |", False),
        ("| only one | |", False),
        ("Either a | or b", False),
        ("", False),
    ],
)
def test_what_is_a_table(text: str, table: bool) -> None:
    assert is_table(text) is table
    if table:
        assert is_quotable(text)


def test_a_table_is_one_sentence_of_its_text() -> None:
    assert [item.text for item in sentences(TEXT)] == ["The values of Table 1 apply.", TABLE, "They hold for a year."]


def test_rows_of_a_long_table_stand_alone_its_head_with_the_first() -> None:
    rows = [f"| Nuclide {number} | {number} 000 |" for number in range(WHOLE // 20)]
    found = [item.text for item in sentences("\n".join(["| Name | Value |", "| --- | --- |", *rows]))]
    assert found == ["\n".join(["| Name | Value |", "| --- | --- |", rows[0]]), *rows[1:]]


@pytest.mark.parametrize("shown", [TABLE, one_line(TABLE), "Tritium | 1 000 || Iodine | 10"])
def test_a_quoted_table_is_found_however_it_is_shown(shown: str) -> None:
    place = find(reduce(TEXT), shown)
    assert place is not None
    assert "Iodine | 10" in TEXT[slice(*place)]


def test_other_values_are_not_found() -> None:
    assert find(reduce(TEXT), "Tritium | 10 || Iodine | 10") is None
    assert find(reduce(TEXT), "Tritium | 1 00") is None


def test_on_one_line() -> None:
    assert one_line(TABLE) == "Nuclide | Value || Tritium | 1 000 || Iodine | 10"
    assert one_line("two\n lines") == "two lines"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Consequences |", "Consequences"),
        ("the notice is sent to: | |", "the notice is sent to:"),
        ("| and nothing else.", "and nothing else."),
        ("kind = apple | pear", "kind = apple | pear"),
        ("| apple | pear |", "| apple | pear |"),
        ("No bar.", "No bar."),
    ],
)
def test_bars_of_lost_cells_are_no_words_of_prose(line: str, words: str) -> None:
    start, end = loose_bars(line)
    assert line[start:end] == words
