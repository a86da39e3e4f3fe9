"""Numbers of headings that the text layer lost, bookmarks that are no outline, letters at control codes."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.metadata.identity import without_number
from rabbithole.kb.ingest.outline.heading import Head
from rabbithole.kb.ingest.outline.lost_numbers import with_lost_numbers
from rabbithole.kb.ingest.outline.partial_bookmarks import are_stray
from rabbithole.kb.ingest.page.furniture import find_furniture
from rabbithole.kb.ingest.page.lines import TextLine, clean


def heads(*rows: tuple[int, str]) -> list[Head]:
    return [Head(line, 1, number, f"Heading {line}", level) for line, (level, number) in enumerate(rows)]


def numbers(*rows: tuple[int, str]) -> list[str]:
    return [head.number for head in with_lost_numbers(heads(*rows))]


def test_a_heading_takes_the_number_that_those_below_it_tell() -> None:
    assert numbers((0, "4"), (1, ""), (2, "4.1.1"), (2, "4.1.2"))[1] == "4.1"


def test_numbers_are_counted_on_between_told_ones_and_below_other_chapters() -> None:
    found = numbers(
        (0, "4"), (1, ""), (2, "4.1.1"), (1, ""), (2, "4.2.1"), (1, ""), (0, "5"), (1, ""), (1, ""), (0, "6")
    )
    assert found == ["4", "4.1", "4.1.1", "4.2", "4.2.1", "4.3", "5", "5.1", "5.2", "6"]


def test_one_told_number_is_no_count_and_printed_ones_stay() -> None:
    assert numbers((0, "4"), (1, ""), (2, "4.1.1"), (1, ""), (1, "")) == ["4", "4.1", "4.1.1", "", ""]
    printed = [(0, "4"), (1, "4.1"), (2, "4.1.1"), (1, ""), (1, "4.2")]
    assert numbers(*printed) == [number for _, number in printed]
    assert numbers((0, ""), (1, "")) == ["", ""]


def test_a_few_bookmarks_without_numbers_are_no_outline() -> None:
    assert are_stray(heads((0, ""), (0, "")))
    assert not are_stray(heads((0, "§ 1"), (0, "")))


def test_a_chapter_at_the_top_of_a_page_is_no_running_line() -> None:
    def page(number: int) -> list[TextLine]:
        head = [
            TextLine(number, str(number + 1), 70, 70, 80, 82, 80, 12, bold=True),
            TextLine(number, f"Title {chr(97 + number) * 5} of it", 100, 70, 300, 82, 80, 12, bold=True),
        ]
        return [*head, *(TextLine(number, f"Text {number} {row} goes on.", 70, y - 9, 400, y, y, 12)
                         for row, y in enumerate(range(110, 300, 14)))]  # fmt: skip

    pages = [page(number) for number in range(6)]
    kept = find_furniture(pages, [842.0] * 6).body(pages)
    assert [line.text for line in kept[2][:2]] == ["3", "Title ccccc of it"]


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("\x9f 6 Beiträge", "§ 6 Beiträge"),
        ("\x9f\x9f 6 und 7", "§§ 6 und 7"),
        ("Au\x1dösung, ö\x1bentlich, \x1cnden", "Auflösung, öffentlich, finden"),
        ("der \x12Verein\x10 e.V.", "der „Verein“ e.V."),
        ("de\x0cne the \x10way\x11", "define the “way”"),
        ("\x88 Die Punkte", "• Die Punkte"),
        ("7\x13 51.1", "7 51.1"),
        ("[HAC\x1f 99]", "[HAC 99]"),
        ("no codes, nothing changes", "no codes, nothing changes"),
    ],
)
def test_letters_at_control_codes_are_read_by_their_neighbours(raw: str, read: str) -> None:
    assert clean(raw) == read


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("NIST SP 800-53 Revision 3, Recommended Security Controls", "Recommended Security Controls"),
        ("RFC 9110: HTTP Semantics", "RFC 9110: HTTP Semantics"),
        ("ISO/IEC 27001:2013", "ISO/IEC 27001:2013"),
    ],
)
def test_a_title_stands_without_the_number_before_it(title: str, bare: str) -> None:
    assert without_number(title) == bare
