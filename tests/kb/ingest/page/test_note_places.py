"""Notes at the foot of a page stand in no sentence and in no list that goes on on the next page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.mupdf import pymupdf

FILL = [f"Line {number} of a page that has some text about this and that in it." for number in range(20)]
CALL = "Say first that you are away, with a mark at the start of the subject"
NOTE = "This is so that others can sort such messages out."
INTRO = "An account that was closed can be opened again by those who do this:"
ITEMS = ["Ask for an account on the new server.", "Write to the office.", "Go through the list.", "Prove who you are."]


def text_of(tmp_path: Path, first: Sequence[str], notes: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the lines read from two pages; "^1" in a line is a raised number."""
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        for rows, below in (((*FILL, "", *first), notes), ((*second, "", *FILL), ())):
            page = document.new_page(width=595, height=842)
            y = 80.0
            for row in rows:
                y += 14 if row else 10
                text, _, call = row.partition("^")
                page.insert_text((72, y), text, fontsize=10)
                if call:
                    width = pymupdf.get_text_length(text, "helv", 10)
                    page.insert_text((72 + width, y - 3.5), call[0], fontsize=6)
                    page.insert_text((72 + width + 4, y), call[1:], fontsize=10)
            for place, note in enumerate(below):
                page.insert_text((72, 740 + 11 * place), note, fontsize=8)
        document.save(path)
    lines = [line for line in parse_pdf(path).text.splitlines() if not line.startswith("Line ")]
    return [f"1{line[1:]}" if line.startswith("¹") else line for line in lines]  # the number of a note that is called


def listed(*items: str) -> list[str]:
    return [f"{number}. {item}" for number, item in enumerate(items, start=1)]


def test_a_note_between_two_items_goes_to_the_paragraph_that_calls_it(tmp_path: Path) -> None:
    items = listed(*ITEMS)
    lines = text_of(tmp_path, [f"{CALL}^1.", "", INTRO, *items[:2]], [f"1 {NOTE}"], items[2:])
    assert [line.replace("¹", "") for line in lines] == [f"{CALL}.", f"1 {NOTE}", INTRO, *items]


@pytest.mark.parametrize("call", ["", "^1"])
def test_a_note_of_the_list_goes_before_what_announces_it(tmp_path: Path, call: str) -> None:
    items = listed(*ITEMS)
    first = [INTRO, f"{items[0].removesuffix('.')}{call}.", items[1]]
    lines = text_of(tmp_path, first, [f"1 {NOTE}"], items[2:])
    assert [line.replace("¹", "") for line in lines] == [f"1 {NOTE}", INTRO, *items]


def test_a_note_stands_not_after_the_colon(tmp_path: Path) -> None:
    items = listed(*ITEMS)
    assert text_of(tmp_path, [INTRO], [f"1 {NOTE}"], items) == [f"1 {NOTE}", INTRO, *items]


@pytest.mark.parametrize("following", [["Another paragraph begins."], []])
def test_a_note_that_interrupts_nothing_goes_to_the_paragraph_that_calls_it(
    tmp_path: Path, following: list[str]
) -> None:
    lines = text_of(tmp_path, [f"{CALL}^1.", "", "2 Discs", "A list ends."], [f"1 {NOTE}"], following)
    assert lines[1:] == [f"1 {NOTE}", "2 Discs", "A list ends.", *following]


def test_a_note_that_nothing_calls_stays(tmp_path: Path) -> None:
    lines = text_of(tmp_path, [f"{CALL}.", "", "A list ends."], [f"1 {NOTE}"], ["Another paragraph begins."])
    assert lines[1:] == ["A list ends.", f"1 {NOTE}", "Another paragraph begins."]


def test_a_number_inside_a_note_begins_no_other_one(tmp_path: Path) -> None:
    items = listed(*ITEMS)
    notes = [
        "1 The messages of those who are away for a week or more are often longer than",
        "4 lines of text, so that they are easy to find among all others of the day.",
    ]
    lines = text_of(tmp_path, [f"{CALL}^1.", "", INTRO, *items[:2]], notes, items[2:])
    assert lines[1] == " ".join(notes)
