"""Page labels are those that are printed, or else those of the file, or else a count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pdfs import write_pdf

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.labels.page_labels import chosen_labels
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.mupdf import pymupdf

SENTENCE = "Every page has some lines of running text about this and that."
SUBJECTS = "apples pears plums grapes melons figs dates quinces cherries lemons".split()


def counted(pages: int) -> list[str]:
    return [str(number) for number in range(1, pages + 1)]


def rows(*pages: str) -> list[list[str]]:
    """The running lines of pages, one a page; none for ''."""
    return [[text] if text else [] for text in pages]


def read(path: Path, feet: Sequence[str], labels: Sequence[dict[str, object]] = ()) -> ParsedDocument:
    """Return a document as read whose pages have text and, unless it is '', a line at the foot."""
    document = pymupdf.open()
    for number, foot in enumerate(feet):
        page = document.new_page(width=595, height=842)
        for line in range(20):
            page.insert_text((72, 140 + 14 * line), f"{SENTENCE} {SUBJECTS[number]} {line}", fontsize=10)
        if foot:
            page.insert_text((285, 800), foot, fontsize=10)
    if labels:
        document.set_page_labels(list(labels))
    document.save(path)
    return parse_pdf(path)


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        (rows("7 / 16", "8 / 16", "9 / 16"), ["7", "8", "9"]),
        (rows("Page 3 of 9", "Page 4 of 9", "Page 5 of 9"), ["3", "4", "5"]),
        (rows("Seite 3 von 9", "Seite 4 von 9", "Seite 5 von 9"), ["3", "4", "5"]),
        (rows("47698", "47699", "47700", "47701"), ["47698", "47699", "47700", "47701"]),
        (rows("1 / 2", "1 / 2", "1 / 2", "1 / 2"), counted(4)),
        (rows("2019", "2019", "2019", "2019"), counted(4)),
    ],
)
def test_forms_of_a_page_number(edges: list[list[str]], labels: list[str]) -> None:
    assert chosen_labels((), edges) == labels


def test_a_counter_with_leading_noughts_is_no_page_number() -> None:
    edges = [[str(47698 + number), f"Frm {number + 1:05}"] for number in range(5)]
    assert chosen_labels((), edges) == ["47698", "47699", "47700", "47701", "47702"]


def test_the_number_of_a_chapter_beside_the_page_s_is_not_the_page_s() -> None:
    edges = [["4", "Tides", "11"], ["4", "Tides", "12"], ["5", "Winds", "13"], ["6", "Waves", "14"], ["6", "15"]]
    assert chosen_labels((), edges) == ["11", "12", "13", "14", "15"]


def test_pages_without_running_lines_have_no_say() -> None:
    plates = [[] for _ in range(40)]
    assert chosen_labels((), [["217"], ["218"], ["219"], *plates])[:4] == ["217", "218", "219", "220"]
    texts = [[f"A word of chapter {'abcdefgh'[number % 8]}"] for number in range(40)]
    assert chosen_labels((), [["217"], ["218"], ["219"], *texts]) == counted(43)


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        (rows("ii", "iii", "1", "2", "3"), ["ii", "iii", "1", "2", "3"]),
        (rows("", "ii", "iii", "", "v", "", "1", "2", "3"), ["i", "ii", "iii", "iv", "v", "vi", "1", "2", "3"]),
        (rows("", "", "i", "ii", "1", "2", "3"), ["1", "2", "i", "ii", "1", "2", "3"]),
        (rows("i", "ii", "iii", "", "2", "3", "4"), ["i", "ii", "iii", "1", "2", "3", "4"]),
        (rows("", "ii", "iii", "", ""), ["i", "ii", "iii", "4", "5"]),
        (rows("xxxviii", "xxxix", "1", "2"), ["xxxviii", "xxxix", "1", "2"]),
        (rows("", "iii", "", "xi", "", "", ""), ["1", "iii", "3", "xi", "5", "6", "7"]),
        (rows("", "II", "II", "II", "II"), counted(5)),  # a volume
        (rows("I", "", "", "V", "", "", ""), ["i", "2", "3", "v", "5", "6", "7"]),
        (rows("", "", "I", "", ""), counted(5)),
        (rows("x", "v", "i", "1", "2", "3"), ["1", "2", "3", "1", "2", "3"]),  # the letters of an index
        (rows("ixi", "ill", "", "", ""), counted(5)),
        (rows("", "PAGE ii", "PAGE iii", "Page 1", "Page 2"), ["i", "ii", "iii", "1", "2"]),
        (rows("ii   Preface", "Preface   iii", "Part   I", "1", "2", "3"), ["ii", "iii", "iv", "1", "2", "3"]),
    ],
)
def test_roman_numbers_of_the_front_matter(edges: list[list[str]], labels: list[str]) -> None:
    assert chosen_labels((), edges) == labels


@pytest.mark.parametrize(
    ("edges", "labels"),
    [
        (rows("", "4-6", "4-7", "5-1", "5-2"), ["1", "4-6", "4-7", "5-1", "5-2"]),
        (rows("1-1", "2-1", "A-1", "A-2"), ["1-1", "2-1", "A-1", "A-2"]),
        (rows("1", "2", "A.1-1", "A.1-2", "", "A.1-4", "B-1"), ["1", "2", "A.1-1", "A.1-2", "A.1-3", "A.1-4", "B-1"]),
        (rows("1-1", "1-2", "", "2-2", "2-3", "3-1"), ["1-1", "1-2", "2-1", "2-2", "2-3", "3-1"]),
        (rows("ii", "iii", "ES-1", "ES-2", "1-1", "1-2"), ["ii", "iii", "ES-1", "ES-2", "1-1", "1-2"]),
        (rows("– 1-1 –", "1-2", "1-3", "1-4"), ["1-1", "1-2", "1-3", "1-4"]),
        (rows("3–11", "3–12", "4–1", "4–2"), ["3-11", "3-12", "4-1", "4-2"]),
        (rows("Page 4-1", "PAGE 4-2", "Seite D-1", "[Page D-2]"), ["4-1", "4-2", "D-1", "D-2"]),
        (rows("Appendix D  D-3", "D-4 Appendix D", "Tides   E-1", "E-2  Winds"), ["D-3", "D-4", "E-1", "E-2"]),
        (rows("Controls AC-1", "Controls AC-2", "Controls AC-3", "Controls AC-4"), counted(4)),
        (rows("ii", "iii", "", "1-1", "1-2", "2-1", "2-2"), ["ii", "iii", "iv", "1-1", "1-2", "2-1", "2-2"]),
        (rows("A-1", "A-2", "A-3", "", ""), counted(5)),  # fewer than four
        (rows("10-15", "16-20", "21-25", "26-30", "31-38"), counted(5)),  # the sections on a page
        (rows("AC-2", "AC-2", "AC-2", "AC-3", "AC-3"), counted(5)),  # the entry that goes on
    ],
)
def test_pages_counted_within_chapters(edges: list[list[str]], labels: list[str]) -> None:
    assert chosen_labels((), edges) == labels


def test_a_manual_counts_its_front_matter_its_chapters_and_each_appendix() -> None:
    """The name of the chapter and the number of the edition stand on every page."""
    numbers = ["ii", "iii", *map(str, range(1, 7)), "A-1", "A-2", "B-1", "B-2", "B-3"]
    edges = [["Revision 1", f"CHAPTER {1 + page // 4}", f"PAGE {number}"] for page, number in enumerate(numbers)]
    assert chosen_labels((), edges) == numbers
    assert chosen_labels(counted(len(numbers)), edges) == numbers
    one_line = [[f"CHAPTER TWO   PAGE {number}"] for number in numbers]
    assert chosen_labels((), one_line) == numbers


def test_a_number_on_all_pages_is_not_their_number() -> None:
    edges = [["Revision 1", f"{page} Tides" if page % 3 else "Tides"] for page in range(7, 19)]
    assert chosen_labels((), edges) == [str(page) for page in range(7, 19)]


def test_an_extract_has_the_numbers_of_its_pages() -> None:
    """No number is counted on that the next page does not leave free."""
    assert chosen_labels((), rows("1", "2", "4", "10", "", "15", "")) == ["1", "2", "4", "10", "11", "15", "16"]
    assert chosen_labels((), rows("49", "50", "52", "", "", "55")) == ["49", "50", "52", "53", "54", "55"]
    assert chosen_labels((), rows("7", "8", "", "9", "10")) == ["7", "8", "3", "9", "10"]


def test_one_number_that_is_misread_leaves_the_others() -> None:
    assert chosen_labels((), rows("49", "50", "57", "", "53", "54")) == ["49", "50", "51", "52", "53", "54"]
    assert chosen_labels((), rows("49", "12", "57", "", "3", "54")) == counted(6)


@pytest.mark.parametrize(
    ("own", "edges", "labels"),
    [
        (counted(4), rows("217", "218", "219", "220"), ["217", "218", "219", "220"]),
        (counted(4), rows("", "", "", ""), counted(4)),
        (["i", "ii", "1", "2"], rows("", "", "1", "2"), ["i", "ii", "1", "2"]),
        (["C-1", "1", "ii", "iii", "iv"], rows("", "1", "2", "3", "4"), ["C-1", "1", "2", "3", "4"]),
        (["i", "", "1", "2"], rows("i", "ii", "1", "2"), ["i", "ii", "1", "2"]),
        (["A-1", "A-2", "A-3", "A-4"], rows("Tides", "A-2", "A-3", "A-4"), ["A-1", "A-2", "A-3", "A-4"]),
    ],
)
def test_labels_of_the_file_give_way_to_those_on_more_pages(
    own: list[str], edges: list[list[str]], labels: list[str]
) -> None:
    assert chosen_labels(own, edges) == labels


def test_a_file_that_only_counts_its_pages_has_the_printed_labels(tmp_path: Path) -> None:
    trivial = [{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 1}]
    feet = ["ii", "iii", *(f"{number} / 6" for number in range(1, 7))]
    parsed = read(tmp_path / "a.pdf", feet, trivial)
    assert parsed.page_labels == ("ii", "iii", "1", "2", "3", "4", "5", "6")
    assert "/ 6" not in parsed.text
    bare = [f"Page {number}: nothing is printed below." for number in ("one", "two")]
    assert parse_pdf(write_pdf(tmp_path / "b.pdf", bare, labels=trivial)).page_labels == ("1", "2")


@pytest.mark.parametrize("form", ["{} / 9", "{}/9", "Page {} of 9", "Seite {} von 9", "- {} -"])
def test_a_page_number_with_the_number_of_pages_is_no_text(tmp_path: Path, form: str) -> None:
    parsed = read(tmp_path / "a.pdf", [form.format(number) for number in range(1, 10)])
    assert parsed.page_labels == tuple(counted(9))
    assert parsed.text.count(SENTENCE) == 9 * 20
    assert not any(form.format(number) in parsed.text.splitlines() for number in range(1, 10))


def test_a_page_number_of_an_appendix_or_summary_is_no_text(tmp_path: Path) -> None:
    feet = ["ES-1", "ES-2", *(f"PAGE {number}" for number in range(1, 5)), "PAGE A-1", "PAGE A-2"]
    parsed = read(tmp_path / "a.pdf", feet)
    assert parsed.page_labels == ("ES-1", "ES-2", "1", "2", "3", "4", "A-1", "A-2")
    assert not any(foot in parsed.text for foot in feet)


def test_a_fraction_below_the_text_of_some_pages_is_text(tmp_path: Path) -> None:
    feet = ["", "", "3 / 4", "", "", "", "1 / 8", "", "", "5 of 7"]
    text = read(tmp_path / "a.pdf", feet).text
    assert all(foot in text for foot in feet)
