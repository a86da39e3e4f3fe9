"""Bold titles on the line of their text, questions between bookmarks, and bold lines that are no titles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.outline.lookalikes import is_list_of_names
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.mupdf import pymupdf

Row = tuple[str, str]
"""A bold beginning and the rest of a line; two empty ones are a wider space."""
SPACE: Row = ("", "")
TEXT: Sequence[Row] = (
    ("", "program is on the disk that came with the machine, and whoever has lost it"),
    ("", "can have another one from the office, which is open in the morning."),
)
QUESTIONS: Sequence[Row] = (
    *(
        ("", f"Line {number} of the text above the questions, which is in plain letters and goes on.")
        for number in range(9)
    ),
    SPACE,
    ("Where can I get the program?", " The"),
    *TEXT,
    SPACE,
    ("The screen stays dark, and the keys do nothing. ", "– As a rule, the"),
    *TEXT,
    SPACE,
    ("Can several persons use it at one time ", "? – The"),
    *TEXT,
    SPACE,
    ("What does the light mean that is on while the disk turns and", ""),
    ("the program is in use?", " The"),
    *TEXT,
)


def parsed(tmp_path: Path, rows: Sequence[Row], marks: Sequence[str] = ()) -> ParsedDocument:
    """Read a page with the rows; ``marks`` are bookmarks, whose headings are printed large."""
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for name in ("helv", "hebo"):  # the built-in fonts have no dash
            page.insert_font(fontname=f"{name}x", fontbuffer=pymupdf.Font(name).buffer)
        y = 60.0
        for bold, plain in rows:
            large = bold in marks
            y += 24 if large else 13 if bold or plain else 6
            page.insert_text((72, y), bold, fontname="hebox", fontsize=15 if large else 10)
            width = pymupdf.get_text_length(bold, "hebo", 10)
            page.insert_text((72 + width, y), plain, fontname="helvx", fontsize=10)
            y += 8 if large else 0
        if marks:
            document.set_toc([[1, mark, 1] for mark in marks])
        document.set_metadata({"title": "A guide to the machine"})
        document.save(path)
    return parse_pdf(path)


def headings(document: ParsedDocument) -> list[str]:
    return [section.heading for section in document.sections[1:]]


def test_titles_before_their_text_are_headings(tmp_path: Path) -> None:
    document = parsed(tmp_path, QUESTIONS)
    assert headings(document) == [
        "Where can I get the program?",
        "The screen stays dark, and the keys do nothing.",
        "Can several persons use it at one time ?",
        "What does the light mean that is on while the disk turns and the program is in use?",
    ]
    assert "\nThe program is on the disk" in document.text


def test_two_such_titles_may_be_stressed_sentences(tmp_path: Path) -> None:
    document = parsed(tmp_path, QUESTIONS[:16])
    assert headings(document) == []
    assert "Where can I get the program? The program is" in document.text


def test_a_title_that_its_text_repeats_is_parted_from_it(tmp_path: Path) -> None:
    rows = [*QUESTIONS[:10], ("The saved file ", "  The saved file has all that is needed, so that it"), *TEXT]
    assert "\nThe saved file\nThe saved file has all" in parsed(tmp_path, rows).text


def test_a_bold_question_between_bookmarks_heads_its_text(tmp_path: Path) -> None:
    rows = [
        *QUESTIONS[:9],
        ("Why is it slow?", ""),
        ("I did all that was said, and it is still slow. Why?", ""),
        *QUESTIONS[:9],
        SPACE,
        ("Why does it ask for another disk while this one has room?", ""),
        *TEXT,
        ("Why is it loud?", ""),
        *TEXT,
    ]
    document = parsed(tmp_path, rows, ["Why is it slow?", "Why is it loud?"])
    assert [(section.level, section.heading) for section in document.sections[-3:]] == [
        (0, "Why is it slow?"),
        (1, "Why does it ask for another disk while this one has room?"),
        (0, "Why is it loud?"),
    ]


@pytest.mark.parametrize(
    ("title", "below"),
    [
        pytest.param(
            "Sometimes the same file is shown twice with the very", "same name, which is no fault of it.", id="sentence"
        ),
        pytest.param("Miller1, Jones2, and Baker3.", "All names are set in one line each.", id="names"),
    ],
)
def test_bold_lines_that_are_no_titles(tmp_path: Path, title: str, below: str) -> None:
    rows = [*QUESTIONS[:9], SPACE, (title, ""), ("", below), *TEXT]
    assert headings(parsed(tmp_path, rows)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Author3.", True),
        ("Miller1, Jones2", True),
        ("Name of Standard.", False),
        ("Part 3.", False),
        ("SHA256", False),
    ],
)
def test_names_with_the_numbers_of_addresses(text: str, expected: bool) -> None:
    assert is_list_of_names(text) == expected
