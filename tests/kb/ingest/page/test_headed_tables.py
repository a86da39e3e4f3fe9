"""Tables without rules below bold headings: each row is a line, and what only looks like one stays text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.mupdf import pymupdf

Row = Sequence[tuple[float, str]]
"""The cells of a printed line, with where they begin; an empty line is a wider space."""
SPACE: Row = ()
HEADER: Row = ((90, "Letter"), (150, "Harbour"), (240, "What it shows"))
ROWS: Sequence[Row] = (
    ((90, "A"), (150, "yes"), (240, "The ships that came in since the last tide, with")),
    ((240, "their names and cargoes"),),
    SPACE,
    ((90, "B"), (150, "no"), (240, "The tides of the week")),
    SPACE,
    ((90, "P"), (150, "yes"), (240, "A summary of the dues paid")),
)
READ = [
    "| Letter | Harbour | What it shows |",
    "| --- | --- | --- |",
    "| A | yes | The ships that came in since the last tide, with their names and cargoes |",
    "| B | no | The tides of the week |",
    "| P | yes | A summary of the dues paid |",
]


def text_of(tmp_path: Path, rows: Sequence[Row], *, bold: int = 1, page: int = 1) -> list[str]:
    """Return the lines of a PDF with ``rows`` on a page, the first of which are bold."""
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        for _ in range(page):
            document.new_page().insert_text((60, 80), "The harbour is open to all ships on any day of the year.")
        sheet = document.new_page()
        sheet.insert_text((60, 80), "With one of these letters the harbour master asks for a list:", fontsize=10)
        y = 100.0
        for place, row in enumerate(rows):
            y += 13 if row else 7
            for x, text in row:
                sheet.insert_text((x, y), text, fontsize=10, fontname="hebo" if place < bold else "helv")
        document.save(path)
    return [line for line in parse_pdf(path).text.splitlines() if "The harbour is open" not in line]


def test_rows_below_bold_headings(tmp_path: Path) -> None:
    assert text_of(tmp_path, [HEADER, SPACE, *ROWS])[1:] == READ


def test_headings_may_have_several_lines(tmp_path: Path) -> None:
    above: Row = ((150, "Its"),)
    lines = text_of(tmp_path, [above, HEADER, SPACE, *ROWS], bold=2)
    assert lines[1] == "| Letter | Its Harbour | What it shows |"
    assert lines[2:] == READ[1:]


def test_cells_may_be_set_flush_right_below_a_heading(tmp_path: Path) -> None:
    rows: Sequence[Row] = (
        ((110, "9"), (180, "4"), (240, "Reversal of an entry")),
        ((105, "10"), (170, "6-13"), (240, "Day of the entry")),
        ((105, "11"), (165, "14-35"), (240, "Sum of the entry")),
    )
    assert text_of(tmp_path, [HEADER, *rows])[3:] == [
        "| 9 | 4 | Reversal of an entry |", "| 10 | 6-13 | Day of the entry |", "| 11 | 14-35 | Sum of the entry |",
    ]  # fmt: skip


def test_a_line_across_the_columns_ends_the_table(tmp_path: Path) -> None:
    lines = text_of(tmp_path, [HEADER, *ROWS, ((90, "Note: all lists are printed once a day, and sent by post."),)])
    assert lines[1:6] == READ
    assert lines[6].startswith("Note: all lists")


@pytest.mark.parametrize(
    ("rows", "bold", "page"),
    [
        ([HEADER, *ROWS], 0, 1),  # nothing tells the headings from a row
        ([HEADER, *ROWS], 1, 0),  # names above addresses on the first page look the same
        ([HEADER[:2], *([row[:2] for row in ROWS])], 1, 1),  # two columns of text with titles
        ([HEADER, *ROWS[:4]], 1, 1),
        ([HEADER, *ROWS[:4], ((150, "yes"), (240, "The dues paid")), ((150, "no"), (240, "The rest"))], 1, 1),
    ],
)
def test_what_is_no_such_table(tmp_path: Path, rows: Sequence[Row], bold: int, page: int) -> None:
    pages = 1 if page else 0
    assert not any(line.startswith("|") for line in text_of(tmp_path, rows, bold=bold, page=pages))
