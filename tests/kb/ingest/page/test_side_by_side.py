"""Programs beside what they print, and lists of codes in several columns, are read one side after the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.beside.coded_lists import is_rising
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.reading_order import in_reading_order
from rabbithole.kb.mupdf import pymupdf

Piece = tuple[float, float, str]
"""Where a line begins, its baseline, and its text; a text that begins with a backslash is of a program."""
PROSE: list[Piece] = [
    (90, 80, "The number of a line is printed as people write it, with a space or with brackets"),
    (90, 92, "around the code of the place, as the option says that is described in the next part."),
]
BELOW: Piece = (90, 200, "Codes with six figures are divided once more, as the examples above show it.")


def line(x: float, base: float, text: str) -> TextLine:
    mono = text.startswith(("\\", "]"))
    return TextLine(0, text, x, base - 9, x + 5 * len(text), base + 2, base, mono=mono)


def read(pieces: Sequence[Piece]) -> list[str]:
    return [one.text for one in in_reading_order([line(*piece) for piece in pieces])]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        pytest.param(
            [(100, 120, "\\number[country=UK"), (110, 132, "]{01514960123}")],
            [(300, 126, "(0151) 496 0123")],
            ["\\number[country=UK", "]{01514960123}", "(0151) 496 0123"],
            id="level with the middle of a command",
        ),
        pytest.param(
            [(100, 120, "\\set{country=FR,"), (110, 132, "]}"), (100, 144, "\\number{02}"), (100, 156, "\\number{03}")],
            [(300, 132, "+262 2"), (300, 144, "+33 3")],
            ["\\set{country=FR,", "]}", "\\number{02}", "\\number{03}", "+262 2", "+33 3"],
            id="level with a line inside a command",
        ),
        pytest.param(
            [(100, 124, "+262 2"), (100, 138, "+33 3")],
            [(300, 120, "\\number{02}"), (300, 132, "\\number{03}"), (300, 144, "\\par")],
            ["+262 2", "+33 3", "\\number{02}", "\\number{03}", "\\par"],
            id="the program on the right",
        ),
        pytest.param(
            [(100, 120, "\\number{02}"), (100, 132, "\\code{03}")],
            [(300, 120, "prints a number"), (300, 132, "prints a code")],
            ["\\number{02} prints a number", "\\code{03} prints a code"],
            id="a table of commands",
        ),
        pytest.param(
            [(100, 120, "\\number[a,"), (110, 132, "]{02}"), (100, 144, "\\code{03}")],
            [(300, 120, "prints a number"), (300, 132, "of two figures"), (300, 144, "prints a code")],
            ["\\number[a, prints a number", "]{02} of two figures", "\\code{03} prints a code"],
            id="a table with a command of two lines",
        ),
    ],
)
def test_what_a_program_prints_is_read_apart(left: list[Piece], right: list[Piece], expected: list[str]) -> None:
    assert read([*PROSE, *left, *right, BELOW]) == [*(text for *_, text in PROSE), *expected, BELOW[2]]


def test_the_same_program_twice_has_each_time_what_it_prints() -> None:
    program: list[Piece] = [(100, 120, "\\number[a"), (110, 132, "]{02}")]
    again: list[Piece] = [(x, base + 40, text) for x, base, text in program]
    assert read([*PROSE, *program, (300, 126, "02"), *again, (300, 166, "+49 2"), BELOW])[2:-1] == [
        *["\\number[a", "]{02}", "02"],
        *["\\number[a", "]{02}", "+49 2"],
    ]


def test_commands_in_letters_that_look_like_text_stay_beside_what_they_do() -> None:
    commands = ["donotindexeditors", "donotindexauthors", "indexonlyfirstauthors"]
    pieces: list[Piece] = []
    for at, command in enumerate(commands):
        pieces += [(100, 120 + 12 * at, command), (300, 120 + 12 * at, f"it does what {command} says")]
    assert read(pieces) == [f"{command} it does what {command} says" for command in commands]


def coded(codes: Sequence[str], x: float, names: str = "Town of the number {}") -> list[Piece]:
    rows = list(enumerate(codes))
    return [(x, 80 + 12 * at, code) for at, code in rows] + [
        (x + 50, 80 + 12 * at, names.format(code)) for at, code in rows
    ]


LEFT = ["0 43 22", "0 43 23", "0 43 94", "0 44 01", "0 44 09", "04 41"]
RIGHT = ["0 44 21", "0 44 22", "0 45 1", "0 46 0", "0 46 1", "0 47 1"]


def test_a_list_of_codes_is_read_by_columns() -> None:
    assert read(coded(LEFT, 90) + coded(RIGHT, 310)) == [f"{code} Town of the number {code}" for code in LEFT + RIGHT]


def test_each_code_is_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for x, base, text in coded(LEFT, 90, "lower end of {}") + coded(RIGHT, 310, "upper end of {}"):
            page.insert_text((x, base), text, fontsize=10)
        document.save(path)
    assert parse_pdf(path).text.splitlines() == [
        *(f"{code} lower end of {code}" for code in LEFT),
        *(f"{code} upper end of {code}" for code in RIGHT),
    ]


def test_rows_of_numbers_stay_rows() -> None:
    years = ["2016", "2017", "2018", "2019", "2020", "2021"]
    rows = read(coded(years, 90, "Sale in {}") + coded(years, 310, "Loss in {}"))
    assert rows == [f"{year} Sale in {year} {year} Loss in {year}" for year in years]


@pytest.mark.parametrize(
    ("codes", "rising"),
    [
        (["0 43 22", "04 41", "0 44 21"], True),
        (["8", "9", "10", "11"], True),
        (["1", "2", "3", "1", "2", "3"], False),
        ([], True),
    ],
)
def test_the_order_of_codes(codes: list[str], rising: bool) -> None:
    assert is_rising(codes) is rising
