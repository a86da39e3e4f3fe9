"""Ruled tables: each heading above its column, whatever the lines of a header look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.page_tables import aligned, apart, continues_header
from rabbithole.kb.mupdf import pymupdf

MARKS = [["a", "X", "", ""], ["b", "", "X", ""], ["c", "", "", "X"]]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["A", "B"], ["1", "2"]], [["A", "B"], ["1", "2"]]),
        ([["A", "B"], ["1"]], [["A", "B"], ["1", ""]]),
        ([["A", "", "B", ""], ["1", "", "2", ""]], [["A", "B"], ["1", "2"]]),
        (  # a header whose lines stand further in than those of the rows
            [["", "Name", "", "", "Term"], ["x", "", "", "y", ""], ["z", "", "", "", ""]],
            [["Name", "Term"], ["x", "y"], ["z", ""]],
        ),
        (  # of two rows
            [["", "", "Levels", ""], ["", "Threat", "Low", ""], ["guess", "", "", "yes"]],
            [["", "Levels"], ["Threat", "Low"], ["guess", "yes"]],
        ),
        ([["", "2019"], ["x", ""], ["y", ""]], [["", "2019"], ["x", ""], ["y", ""]]),  # no words: it may be a figure
        (MARKS, MARKS),  # columns that fill one another up stay apart
        ([["Debit", "Credit"], ["10", ""], ["", "20"]], [["Debit", "Credit"], ["10", ""], ["", "20"]]),
    ],
)
def test_each_heading_stands_above_its_column(rows: list[list[str]], expected: list[list[str]]) -> None:
    assert aligned(rows) == expected


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        ([["1", "2", "4"], ["left", "top", "no effect"]], [["1", "left"], ["2", "top"], ["4", "no effect"]]),
        ([["1", "2", "4"], [], ["a", "b", "c"]], [["1", "", "a"], ["2", "", "b"], ["4", "", "c"]]),
        ([["1", "2"], ["left", "top"]], []),  # two lines may be one cell that is broken
        ([["1", "2", "4"], ["left", "top"]], []),
        ([["a term of", "two lines", "or three"], ["is told", "on as many", "lines"]], []),
        ([["1", "2", "4"], ["word " * 12] * 3], []),
        ([["1", "2", "4"]], []),
    ],
)
def test_rows_without_rules_between_them_are_told_apart(cells: list[list[str]], rows: list[list[str]]) -> None:
    assert apart(cells) == rows


@pytest.mark.parametrize(
    ("rows", "continues"),
    [
        ([["Kind", "Low", "Moderate", "High"], ["", "", "Systems", ""], ["a", "1", "2", "3"]], True),
        ([["Kind", "Low"], ["", "Systems"], ["a", "1"]], True),
        ([["Kind", "Low"], ["", "5"], ["a", "1"]], False),
        ([["Kind", "Low", "High"], ["", "so", "as"], ["a", "1", "2"]], False),  # most cells: a row
        ([["", "Low"], ["", "Systems"], ["a", "1"]], False),
        ([["Kind", ""], ["", "Systems"], ["a", "1"]], False),
        ([["Kind", "Low"], ["", "Systems"]], False),
    ],
)
def test_a_heading_that_goes_on_in_the_second_row(rows: list[list[str]], continues: bool) -> None:
    assert continues_header(rows) is continues


def test_a_page_with_a_header_drawn_further_in(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for row in range(3):
        for column, words in enumerate(("Threat", "Level") if row == 0 else (f"guess {row}", f"high {row}")):
            left, top = 72 + 160 * column, 100 + 20 * row
            for inset in (6, 0) if row == 0 else (0,):
                page.draw_rect(pymupdf.Rect(left + inset, top, left + 160 - inset, top + 20), width=0.7)
            page.insert_text((left + 10, top + 14), words, fontsize=10)
    document.save(tmp_path / "a.pdf")
    text = parse_pdf(tmp_path / "a.pdf").text
    assert text.splitlines() == ["| Threat | Level |", "| --- | --- |", "| guess 1 | high 1 |", "| guess 2 | high 2 |"]


def test_a_cell_over_several_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    cells = [
        (0, 0, 1, "Group"), (0, 1, 1, "Measure"), (0, 2, 1, "Value"),
        (1, 0, 3, "Water"), (1, 1, 1, "depth"), (1, 2, 1, "4 m"), (2, 1, 1, "flow"), (2, 2, 1, "7 l"),
        (3, 1, 1, "salt"), (3, 2, 1, "2 g"), (4, 0, 1, "Air"), (4, 1, 1, "speed"), (4, 2, 1, "9 m/s"),
    ]  # fmt: skip
    for row, column, rows, words in cells:
        left, top = 72 + 120 * column, 100 + 20 * row
        page.draw_rect(pymupdf.Rect(left, top, left + 120, top + 20 * rows), width=0.7)
        page.insert_text((left + 10, top + 14), words, fontsize=10)
    document.save(tmp_path / "a.pdf")
    assert parse_pdf(tmp_path / "a.pdf").text.splitlines()[2:] == [
        "| Water | depth | 4 m |", "| Water | flow | 7 l |", "| Water | salt | 2 g |", "| Air | speed | 9 m/s |",
    ]  # fmt: skip
