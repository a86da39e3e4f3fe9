"""Tables of words between level rules: each row is a line, and what only looks like one stays text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.mupdf import pymupdf

Rows = Sequence[Sequence[tuple[float, str]]]
"""The cells of each printed line, with where they begin; an empty line is a wider space, "-" a rule."""
RULE: Sequence[tuple[float, str]] = ((60, "-"),)
SPACE: Sequence[tuple[float, str]] = ()
HEADER: Rows = (RULE, ((64, "Tool"), (150, "Instead of"), (240, "What it does")), RULE)
TOOLS: Rows = (
    ((64, "pack/"), (150, "zip"), (240, "Puts the files of a folder in an archive, which is")),
    ((64, "unpack"), (240, "half as large, and takes them out.")),
    SPACE,
    ((64, "sift"), (150, "grep"), (240, "Finds the lines of a file that have a word, and")),
    ((240, "shows them with their numbers."),),
    SPACE,
    ((64, "weigh/"), (240, "Tells how large the files of a folder are, alone or")),
    ((64, "weighall"), (240, "with those of the folders below.")),
)
READ = [
    "| Tool | Instead of | What it does |",
    "| --- | --- | --- |",
    "| pack/ unpack | zip | Puts the files of a folder in an archive, which is half as large, and takes them out. |",
    "| sift | grep | Finds the lines of a file that have a word, and shows them with their numbers. |",
    "| weigh/ weighall |  | Tells how large the files of a folder are, alone or with those of the folders below. |",
]


def text_of(tmp_path: Path, rows: Rows) -> list[str]:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        y = 100.0
        for row in rows:
            if row == RULE:
                page.draw_line((60, y + 2), (520, y + 2), width=0.6)
                y += 4
                continue
            y += 13 if row else 5
            for x, text in row:
                page.insert_text((x, y), text, fontsize=10)
        document.save(path)
    return parse_pdf(path).text.splitlines()


def test_cells_of_several_lines_stay_together(tmp_path: Path) -> None:
    assert text_of(tmp_path, [*HEADER, *TOOLS, RULE]) == READ


def test_a_filled_first_cell_begins_a_row_where_no_space_does(tmp_path: Path) -> None:
    rows = [row for row in TOOLS if row]
    rows[1:2] = [((240, "half as large, and takes them out."),)]
    rows[-1:] = [((240, "with those of the folders below."),)]
    lines = text_of(tmp_path, [*HEADER, *rows, RULE])
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| pack/", "| sift", "| weigh/"]
    assert lines[2].endswith("half as large, and takes them out. |")


def test_rows_without_a_header_have_empty_cells_above(tmp_path: Path) -> None:
    lines = text_of(tmp_path, [RULE, ((64, "The tools that come with the program."),), RULE, *TOOLS, RULE])
    assert lines[1:] == ["|  |  |  |", READ[1], *READ[2:]]


SETTINGS: Rows = (((64, "0"), (150, "thin"), (240, "Hair lines only")), ((64, "9"), (150, "wide")))
SETTINGS = (*SETTINGS, ((64, "12"), (150, "black"), (240, "For signs")))


def test_a_table_with_a_header_needs_no_cell_of_several_lines(tmp_path: Path) -> None:
    head = ((64, "Code"), (150, "Name"), (240, "What it is for"))
    assert text_of(tmp_path, [RULE, head, RULE, *SETTINGS, RULE]) == [
        "| Code | Name | What it is for |", READ[1],
        "| 0 | thin | Hair lines only |", "| 9 | wide |  |", "| 12 | black | For signs |",
    ]  # fmt: skip


def test_a_listing_between_rules_is_no_table(tmp_path: Path) -> None:
    listing = [((64, f"{number}"), (90, f"call step{number}")) for number in range(40, 46)]
    assert not any(line.startswith("|") for line in text_of(tmp_path, [RULE, *listing, RULE, *listing, RULE]))


COLUMNS: Rows = tuple(
    ((64, f"A column of text on the left side, {number}"), (300, f"and another on the right side, {number}"))
    for number in range(9)
)
SIGNS: Rows = tuple(
    row
    for number in range(3)
    for row in (
        ((64, "*"), (90, f"An item of a list that is longer than one line of the page, number {number}")),
        ((90, "and goes on below."),),
        SPACE,
    )
)
CONTENTS: Rows = tuple(
    row
    for number in range(3)
    for row in (
        ((64, f"Chapter {number}"), (150, "The title of the chapter, which is long and has"), (500, "12")),
        ((150, "a second line"), (500, "13")),
        SPACE,
    )
)
WRAPPED: Rows = (
    ((64, "What is the name of the water"), (240, "The water between the islands is")),
    ((64, "Between the two islands?"), (240, "A sea that is called by their name.")),
    ((64, "Who built the tower that is in"), (240, "The tower was built by a guild of")),
    ((64, "The middle of the town?"), (240, "Masons in the year of the fire.")),
)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(COLUMNS, id="columns of text"),
        pytest.param(SIGNS, id="signs of a list"),
        pytest.param(CONTENTS, id="pages of a table of contents"),
        pytest.param(WRAPPED, id="labels that may go on in the next row"),
    ],
)
def test_what_is_no_table_or_unsure_stays_text(tmp_path: Path, body: Rows) -> None:
    head = ((64, "First"), (240, "Second"))
    assert not any(line.startswith("|") for line in text_of(tmp_path, [RULE, head, RULE, *body, RULE]))


def test_without_a_third_rule_there_is_no_table(tmp_path: Path) -> None:
    assert not any(line.startswith("|") for line in text_of(tmp_path, [*HEADER, *TOOLS]))
