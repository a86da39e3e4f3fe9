"""Tables of figures without rules: each figure below the heading of its column, and running text left as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.unruled.figure_tables import figure_tables
from rabbithole.kb.ingest.page.unruled.printed_rows import FIGURE, printed_rows
from rabbithole.kb.mupdf import pymupdf

Cells = Sequence[tuple[float, str]]
"""The cells of a printed row: where each begins, and its text; a negative place is where it ends."""
LEFT, FIRST, SECOND = 60.0, -380.0, -480.0
YEARS: Cells = ((-380, "2022"), (-480, "2021"))
INCOME: tuple[Cells, ...] = (
    ((372, "Year Ended June 30,"),),
    YEARS,
    ((LEFT, "Net sales"), (345, "$"), (FIRST, "4,812.6"), (445, "$"), (SECOND, "4,391.2")),
    ((LEFT, "Cost of sales"), (FIRST, "3,105.4"), (SECOND, "2,793.8")),
    ((LEFT, "Other income:"),),
    ((LEFT + 12, "Interest"), (FIRST, "(71.4"), (381, ")"), (SECOND, "6.2")),
    ((LEFT, "Net income"), (FIRST, "429.9"), (SECOND, "—")),
)


def page_with(document: pymupdf.Document, rows: Sequence[Cells], top: float = 100.0, pitch: float = 14.0) -> None:
    page = document.new_page(width=595, height=842)
    for at, row in enumerate(rows):
        for x, text in row:
            start = x if x >= 0 else -x - pymupdf.get_text_length(text, "helv", 9)
            page.insert_text((start, top + at * pitch), text.replace("—", "-"), fontname="helv", fontsize=9)


def text_of(tmp_path: Path, *pages: Sequence[Cells], top: float = 100.0) -> str:
    path = tmp_path / "report.pdf"
    with pymupdf.open() as document:
        for rows in pages:
            page_with(document, rows, top)
        document.save(path)
    return parse_pdf(path).text


def test_a_statement_is_read_as_a_table_with_its_years_units_and_headings(tmp_path: Path) -> None:
    rows = text_of(tmp_path, INCOME).splitlines()
    assert rows == [
        "|  | Year Ended June 30, 2022 | Year Ended June 30, 2021 |",
        "| --- | --- | --- |",
        "| Net sales | $4,812.6 | $4,391.2 |",
        "| Cost of sales | 3,105.4 | 2,793.8 |",
        "| Other income: |  |  |",
        "| Interest | (71.4) | 6.2 |",
        "| Net income | 429.9 | - |",
    ]


def test_the_unit_beside_the_years_is_the_heading_of_the_labels(tmp_path: Path) -> None:
    rows = (
        ((LEFT, "in Mio. EUR"), (-300, "Anhang"), (FIRST, "31.12.2023"), (SECOND, "31.12.2022")),
        ((LEFT, "Vorräte"), (-300, "(12)"), (FIRST, "1.312,4"), (SECOND, "338,9")),
        ((LEFT, "Summe Aktiva"), (FIRST, "−21,4".replace("−", "-")), (SECOND, "1.387,8")),
    )
    assert text_of(tmp_path, rows).splitlines() == [
        "| in Mio. EUR | Anhang | 31.12.2023 | 31.12.2022 |",
        "| --- | --- | --- | --- |",
        "| Vorräte | (12) | 1.312,4 | 338,9 |",
        "| Summe Aktiva |  | -21,4 | 1.387,8 |",
    ]


def test_each_heading_of_a_group_stands_above_its_columns_and_years_may_be_labels(tmp_path: Path) -> None:
    rows = (
        ((230, "Three months"), (390, "Six months")),
        ((-250, "2023"), (-300, "2022"), (-410, "2023"), (-460, "2022")),
        *(((LEFT, year), (-250, "41"), (-300, "[4.1]"), (-410, "9"), (-460, "7")) for year in ("2024", "2025")),
        ((LEFT, "Thereafter"), (-250, "102"), (-300, "n/a"), (-410, "19"), (-460, "17")),
    )
    assert text_of(tmp_path, rows).splitlines() == [
        "|  | Three months 2023 | Three months 2022 | Six months 2023 | Six months 2022 |",
        "| --- | --- | --- | --- | --- |",
        "| 2024 | 41 | [4.1] | 9 | 7 |",
        "| 2025 | 41 | [4.1] | 9 | 7 |",
        "| Thereafter | 102 | n/a | 19 | 17 |",
    ]


def test_headings_printed_without_a_gap_stand_each_above_its_column(tmp_path: Path) -> None:
    header = ((LEFT, "in Mio. EUR"), (-300, "Grundstücke"), (-372, "Technische Anlagen"), (-442, "Ausstattung"))
    rows = (
        (*header, (-490, "Gesamt")),
        *(
            ((LEFT, name), (-300, "141,8"), (-372, "162,4"), (-442, "38,7"), (-490, "371,2"))
            for name in ("Anfang", "Ende")
        ),
    )
    assert text_of(tmp_path, rows).startswith(
        "| in Mio. EUR | Grundstücke | Technische Anlagen | Ausstattung | Gesamt |"
    )


def test_leaders_are_left_out_and_a_label_of_two_lines_is_whole(tmp_path: Path) -> None:
    rows = (
        YEARS,
        ((LEFT, "Stores ................................"), (FIRST, "341"), (SECOND, "333")),
        ((LEFT, "Property that was"),),
        ((LEFT + 6, "leased to"),),
        ((LEFT + 6, "others ................................"), (FIRST, "7"), (SECOND, "6")),
    )
    text = text_of(tmp_path, rows)
    assert "| Stores | 341 | 333 |" in text
    assert "| Property that was leased to others | 7 | 6 |" in text


def test_a_table_goes_on_on_the_next_page_without_a_second_header(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    with pymupdf.open() as document:
        page_with(document, INCOME, top=700)
        page_with(document, [((LEFT, "Total"), (FIRST, "12.0"), (SECOND, "13.0")), ((LEFT, "We grew."),)], top=60)
        document.save(path)
    text = parse_pdf(path).text
    assert "| Net income | 429.9 | - |\n| Total | 12.0 | 13.0 |\nWe grew." in text
    assert text.count("---") == 3


def test_a_header_at_the_end_of_a_page_is_that_of_the_rows_on_the_next(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    with pymupdf.open() as document:
        page_with(document, INCOME[:2], top=780)
        page_with(document, INCOME[2:], top=60)
        document.save(path)
    text = parse_pdf(path).text
    assert "|  | Year Ended June 30, 2022 | Year Ended June 30, 2021 |\n| --- | --- | --- |\n| Net sales" in text


@pytest.mark.parametrize(
    "rows",
    [
        [((LEFT, f"{number}. A chapter"), (SECOND, str(number * 7))) for number in range(1, 9)],  # a list of contents
        [((LEFT, "In 2021 we sold 300 of 400 units, and in 2022 500 of 600."),)] * 8,
        [((LEFT, "We sold 300 of them and"), (310, "They were new, and 20 of")) for _ in range(8)],  # two columns
        [  # the figures of a drawing beside running text
            ((LEFT, "be evaluated either by a hash lookup, in which case a"), (FIRST, str(number)), (SECOND, "9"))
            for number in range(8)
        ],
        [((LEFT, str(number)), (FIRST, str(number + 1)), (SECOND, "9")) for number in range(8)],  # nothing named
    ],
)
def test_what_is_no_table_is_left_as_it_is(tmp_path: Path, rows: Sequence[Cells]) -> None:
    assert "|" not in text_of(tmp_path, rows)


def test_a_table_in_one_of_two_columns_of_text_is_read_in_its_column(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    words = "They were new and most of them were sold"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for at in range(24):
            page.insert_text((60, 100 + 14 * at), words, fontname="helv", fontsize=9)
            if at < 10 or at > 14:
                page.insert_text((320, 100 + 14 * at), words, fontname="helv", fontsize=9)
            else:
                for x, text in ((320, "Gold"), (400, f"4{at}.6"), (450, "63.1")):
                    page.insert_text((x, 100 + 14 * at), text, fontname="helv", fontsize=9)
        document.save(path)
    text = parse_pdf(path).text
    assert "| Gold | 410.6 | 63.1 |\n| Gold | 411.6 | 63.1 |" in text
    assert text.startswith(words)
    assert text.index("| Gold") > text.rindex("most", 0, text.index("| Gold")) > len(words) * 20


def test_two_tables_with_a_title_between_them_are_two(tmp_path: Path) -> None:
    text = text_of(tmp_path, [*INCOME, ((LEFT, "Sales of the parts of the company"),), *INCOME])
    assert text.count("| Net sales |") == 2
    assert text.count("| --- | --- | --- |") == 2
    assert "\nSales of the parts of the company\n" in text


@pytest.mark.parametrize("figure", ["1,234", "(71.4 )", "$ 5", "€1.234,5", "12 %", "(90) bps", "—", "n/a", "(9), (10)"])
def test_what_may_stand_in_a_column_of_figures(figure: str) -> None:
    assert FIGURE.fullmatch(figure)


@pytest.mark.parametrize("other", ["Sales", "2022 Plan", "(a)", "3 years", "1,234 5,678", "§ 5"])
def test_what_may_not(other: str) -> None:
    assert not FIGURE.fullmatch(other)


def line(text: str, x0: float, x1: float, top: float) -> TextLine:
    return TextLine(0, text, x0, top, x1, top + 10, top + 8)


def test_figures_in_the_middle_of_two_lines_of_a_label_belong_to_it() -> None:
    lines = [line("2022", 300, 320, 82), line("2021", 400, 420, 82)]
    for at in range(3):
        top = 100.0 + 40 * at
        lines += [line("Receivables, less", 60, 140, top), line("1.0", 300, 320, top + 6)]
        lines += [line("2.0", 400, 420, top + 6), line("allowances", 60, 110, top + 12)]
    (table,) = figure_tables(printed_rows(lines, ()))
    assert table.rows == (("Receivables, less allowances", "1.0", "2.0"),) * 3
