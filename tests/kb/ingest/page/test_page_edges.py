"""Running lines go, but no line of the text does, whatever stands at the top or bottom of a page."""

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document import structure
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import line_pitches
from rabbithole.kb.mupdf import pymupdf

SENTENCE = "Every page has some lines of running text about this and that."
Row = tuple[str, float, float]
SUBJECTS = (
    "apples pears plums grapes melons figs dates quinces cherries lemons limes olives almonds walnuts oranges kiwis "
    "mangos papayas peaches berries currants medlars apricots bananas"
).split()


def drawn(path: Path, pages: list[list[Row]]) -> str:
    """Return the text read from pages with the given rows (text, x, y), a page number and lines of text on each."""
    document = pymupdf.open()
    for number, rows in enumerate(pages):
        page = document.new_page(width=595, height=842)
        page.insert_text((295, 800), str(number + 1), fontsize=10)
        for line in range(20):
            page.insert_text((72, 140 + 14 * line), f"{SENTENCE} {SUBJECTS[number % 24]} {line}", fontsize=10)
        for text, x, y in rows:
            page.insert_text((x, y), text, fontsize=10)
    document.save(path)
    return parse_pdf(path).text


def test_an_option_that_is_first_on_several_pages_is_text(tmp_path: Path) -> None:
    """At that height other pages have text of their own, so the same words on some are no running line."""
    pages: list[list[Row]] = [[(f"A line about {SUBJECTS[number]}", 72, 60)] for number in range(24)]
    for number in range(0, 24, 4):
        pages[number] = [(f"use{SUBJECTS[number]}=true, false", 72, 60), ("default: false", 400, 60)]
    text = drawn(tmp_path / "a.pdf", pages)
    assert text.count("default: false") == 6
    assert all(f"use{SUBJECTS[number]}=true, false" in text for number in range(0, 24, 4))
    assert "\n7\n" not in text


def test_footnotes_at_the_foot_of_pages_stay(tmp_path: Path) -> None:
    pages: list[list[Row]] = [[] for _ in range(12)]
    for number, note in ((2, 8), (5, 11), (9, 29)):
        pages[number] = [(str(note), 72, 742), (f"A note on {SUBJECTS[number]} is given elsewhere.", 90, 742)]
    text = drawn(tmp_path / "a.pdf", pages)
    assert "8 A note on plums is given elsewhere." in text
    assert "29 A note on" in text


def test_names_of_chapters_go_even_if_a_chapter_has_one_page(tmp_path: Path) -> None:
    names = ["1. APPLES", "1. APPLES", "2. PEARS", "3. PLUMS", "3. PLUMS", "3. PLUMS", "4. FIGS", "4. FIGS"]
    pages: list[list[Row]] = [[(f"CHAPTER {name}", 72, 50)] for name in names]
    text = drawn(tmp_path / "a.pdf", pages)
    assert "CHAPTER" not in text
    assert text.count(SENTENCE) == 20 * len(names)


def test_headings_of_pages_that_are_alike_stay(tmp_path: Path) -> None:
    """Each page has a section of its own, so that its heading stands nowhere else."""
    pages: list[list[Row]] = [
        [(f"§ {number + 12} Limits", 72, 50), ("The limit is eight.", 72, 80)] for number in range(8)
    ]
    text = drawn(tmp_path / "a.pdf", pages)
    assert all(f"§ {number + 12} Limits" in text for number in range(8))
    assert text.count("The limit is eight.") == 8


def test_page_numbers_of_an_appendix_go(tmp_path: Path) -> None:
    document = pymupdf.open()
    for label in ("1-1", "1-2", "1-3", "2-1", "2-2", "2-3", "2-4", "A-1", "A-2"):
        page = document.new_page(width=595, height=842)
        page.insert_text((295, 800), label, fontsize=10)
        for line in range(20):
            page.insert_text((72, 140 + 14 * line), f"{SENTENCE} {line}", fontsize=10)
    document.save(tmp_path / "a.pdf")
    text = parse_pdf(tmp_path / "a.pdf").text
    assert "A-1" not in text
    assert "2-3" not in text


def test_numbers_of_the_lines_of_a_listing_are_no_page_numbers(tmp_path: Path) -> None:
    pages: list[list[Row]] = [
        [(str(first), 60, 60), (f"{SUBJECTS[place]} [options]", 80, 60)]
        for place, first in enumerate((6, 27, 134, 242, 243, 54, 36, 90))
    ]
    text = drawn(tmp_path / "a.pdf", pages)
    assert all(f"{SUBJECTS[place]} [options]" in text for place in range(8))


def test_line_distances_that_all_differ() -> None:
    tops = [100.0]
    for step in range(12):
        tops.append(tops[-1] + 8 + step)
    lines = [TextLine(0, "Text", 70, top - 10, 300, top, top, size=10.0) for top in tops]
    assert line_pitches(lines)[10.0] == 8.0


def test_a_defect_of_the_reader_loses_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("min() arg is an empty sequence")

    monkeypatch.setattr(structure, "find_furniture", fails)
    drawn(tmp_path / "a.pdf", [[], []])
    parsed = parse_pdf(tmp_path / "a.pdf")
    assert f"{SENTENCE} pears 19" in parsed.text[parsed.page_starts[1] :]
    assert [section.heading for section in parsed.sections] == ["a"]
    (warning,) = parsed.warnings
    assert "only its lines (ValueError: min() arg is an empty sequence)" in warning
