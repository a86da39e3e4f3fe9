"""Ruled tables: each heading above its column, whatever the lines of a header look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.page_tables import aligned, apart, continues_header, is_stacked, rules
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


def test_a_loaded_layout_model_does_not_decide_what_is_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file must be read alike, whatever the process has loaded before."""
    monkeypatch.setattr(pymupdf, "_get_layout", lambda page, **_: [])
    test_a_page_with_a_header_drawn_further_in(tmp_path)


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


WIDTHS = (110, 190, 150)


def ruled(path: Path, rows: list[tuple[tuple[str, ...], ...]], *, shaded: bool) -> str:
    """Return the text of a table as word processors draw it: thin boxes as rules, a box behind each shaded line."""
    document = pymupdf.open()
    page = document.new_page()
    black, grey = {"color": None, "fill": (0, 0, 0)}, {"color": None, "fill": (0.9, 0.9, 0.9)}
    top = 60.0
    edges = [top]
    for row in rows:
        left = 60.0
        for width, cell in zip(WIDTHS, row, strict=True):
            for number, line in enumerate(cell):
                base = top + 14 + 12 * number
                if shaded:
                    page.draw_rect((left + 5, base - 9, left + width - 5, base + 3), **grey)
                page.insert_text((left + 8, base), line, fontsize=9)
            left += width
        top += 8 + 12 * max(map(len, row))
        edges.append(top)
    for edge in edges:
        page.draw_rect((60, edge - 0.25, 60 + sum(WIDTHS), edge + 0.25), **black)
    for column in range(len(WIDTHS) + 1):
        x = 60 + sum(WIDTHS[:column])
        page.draw_rect((x - 0.25, 60, x + 0.25, top), **black)
    document.save(path)
    return parse_pdf(path).text


@pytest.mark.parametrize("shaded", [False, True])
def test_a_cell_of_several_lines_is_whole(tmp_path: Path, shaded: bool) -> None:
    rows = [
        (("Threat",), ("What it is",), ("Needs",)),
        (
            ("Spill of", "secret papers"),
            ("Somebody puts a paper into", "a system that is not made", "for it"),
            ("access",),
        ),
        (("Fire",), ("A fire makes the building", "unusable"), ("no intent", "at all")),
        (("Flood",), ("Water comes in",), ("nothing",)),
    ]
    text = ruled(tmp_path / "a.pdf", rows, shaded=shaded)
    assert text.splitlines() == [
        "| Threat | What it is | Needs |",
        "| --- | --- | --- |",
        "| Spill of secret papers | Somebody puts a paper into a system that is not made for it | access |",
        "| Fire | A fire makes the building unusable | no intent at all |",
        "| Flood | Water comes in | nothing |",
    ]


def test_rows_of_figures_without_rules_between_them_stay_lines(tmp_path: Path) -> None:
    rows = [
        (("Method",), ("Depth in fathoms",), ("Width",)),
        (("Lead", "Line", "Sonar"), ("59.1 66.9", "78.4 79.4", "76.6 79.8"), ("73.7", "85.4", "83.8 1")),
        (("Both", "None"), ("79.4 78.8", "78.0 79.9"), ("86.0", "83.9")),
    ]
    text = ruled(tmp_path / "a.pdf", rows, shaded=False)
    assert "59.1 66.9 78.4" not in text


@pytest.mark.parametrize(
    ("rows", "stacked"),
    [
        ([[["Name"], ["Depth"]], [["a", "b"], ["59.1 66.9", "78.4"]]], True),
        ([[["Name"], ["Depth"]], [], [["a", "b"], ["59.1", "78.4"]], [["c"], ["5"]]], True),
        ([[["Name"], ["Depth"]], [["a"], ["5"]], [["b"], ["4", "2"]], [["c"], ["6"]], [["d"], ["7"]]], False),
        ([[["Name"], ["Depth"]], [["a"], ["in 1998", "and 1999"]]], False),
        ([[["Name"], ["Depth"]], [["a", "b", "c"], ["5", "7", "9"]]], False),  # rows that are told apart
    ],
)
def test_stacked_figures(rows: list[list[list[str]]], stacked: bool) -> None:
    assert is_stacked(rows) is stacked


def test_rules_are_the_middles_of_thin_boxes() -> None:
    boxes = [(60.0, 99.0, 160.0, 100.0), (59.5, 60.0, 60.5, 100.0), (60.0, 60.0, 160.0, 90.0), (60.0, 60.0, 62.0, 62.0)]
    assert rules(boxes) == [((59.5, 99.5), (160.5, 99.5)), ((60.0, 59.5), (60.0, 100.5))]
