"""Words printed in the margin stand before the paragraph beside them, and terms of a list with their text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.margin.margin_words import margin_words, text_edges
from rabbithole.kb.mupdf import pymupdf

Word = tuple[float, int, str]
"""A word in the margin: where it begins, beside which row, and its text."""
ROWS = (
    "The width of the spine has to be given as an option, because the",
    "pages that are glued together cannot be opened to their full width.",
    "A paperback of two hundred pages loses about ten millimetres of each",
    "of its pages, and a stitched book hardly any.",
    "The kind of the thesis is one of the three options that are named in",
    "the list of options, and the words of the title page depend on it.",
    "A thesis without a kind is refused with a message that says so.",
    "The pages at the front have numbers of their own, as is the custom in",
    "most of the books that are printed in this country.",
)
FIRST, SECOND = " ".join(ROWS[:4]), " ".join(ROWS[4:6])


def text_of(tmp_path: Path, words: Sequence[Word], *, rows: Sequence[str] = ROWS, left: float = 150.0) -> list[str]:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for place, row in enumerate(rows):
            indent = 15 if place in (0, 4, 7) else 0
            page.insert_text((left + indent, 100 + 12 * place), row, fontsize=10)
        for x, place, word in words:
            page.insert_text((x, 100 + 12 * place), word, fontsize=9, fontname="cour")
        document.save(path)
    return parse_pdf(path).text.splitlines()


def test_keywords_stand_before_the_paragraph_beside_them(tmp_path: Path) -> None:
    lines = text_of(tmp_path, [(110, 1, "spine"), (105, 4, "thesis"), (105, 5, "master")])
    assert lines[:4] == ["spine", FIRST, "thesis master", SECOND]


def test_a_note_in_the_right_margin_stays_whole(tmp_path: Path) -> None:
    lines = text_of(tmp_path, [(480, 2, "See also"), (480, 3, "the part"), (480, 4, "on paper.")], left=72)
    assert lines[:3] == ["See also the part on paper.", FIRST, SECOND]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        pytest.param([(130, 0, "12"), (130, 4, "13")], f"12 {ROWS[0]}", id="numbers of lines or of paragraphs"),
        pytest.param([(118, 0, "Width")], f"Width {ROWS[0]}", id="a word of the line"),
    ],
)
def test_what_belongs_to_its_line_stays(tmp_path: Path, words: Sequence[Word], kept: str) -> None:
    shifted = [(x + (15 if word.isalpha() else 0), place, word) for x, place, word in words]
    assert text_of(tmp_path, shifted)[0].startswith(kept)


def row(text: str, x0: float, base: float, page: int = 0) -> TextLine:
    return TextLine(page, text, x0, base - 8, x0 + 5 * len(text), base + 2, base)


def test_terms_of_a_list_stand_where_the_text_of_other_pages_does() -> None:
    pages = [[row(text, 72, 100 + 12 * place) for place, text in enumerate(ROWS)] for _ in range(2)]
    terms = [row(f"term{place}", 72, 100 + 12 * place) for place in (0, 4)]
    listed = [*terms, *(row(text, 150, 100 + 12 * place) for place, text in enumerate(ROWS))]
    assert margin_words(listed, text_edges([*pages, listed, listed])[2]) is None
    assert margin_words(listed, text_edges([listed])[0]) is not None


def test_the_last_of_three_narrow_columns_is_no_margin() -> None:
    columns = [row(ROWS[0][:30], 40 + 180 * column, 100 + 12 * place) for column in range(3) for place in range(30)]
    wide = [row(ROWS[0], 40, 500 + 12 * place) for place in range(6)]
    assert margin_words([*columns, *wide], text_edges([[*columns, *wide]])[0]) is None


TERMS = (
    (0, "flush", "It sets the formulas at the left edge of the text, as the option of"),
    (25, "", "the same name does in the class that this one is built on."),
    (0, "black", "It puts a black slide before the first one, to which every heading"),
    (25, "", "leads, so that a talk can be stopped for a while when something"),
    (25, "", "has to be shown at the board."),
    (0, "clock", "It shows a small clock on the slides, which helps to keep an eye on"),
    (25, "", "the time while the talk is given, and stops with the last of the slides."),
)


def test_a_name_beside_the_end_of_an_entry_belongs_to_the_next(tmp_path: Path) -> None:
    """Entries of a list hang far, are set apart, and their names in the margin begin a line too high."""
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for place, row in enumerate(ROWS):
            page.insert_text((125, 100 + 12 * place), row, fontsize=10)
        y = 220.0
        for hang, term, row in TERMS:
            if term:
                y += 8
                above = y - 20
                page.insert_text((480, above), "option", fontsize=9)
                page.insert_text((480, above + 12), term, fontsize=9, fontname="cour")
                page.insert_text((128, y), term, fontsize=10, fontname="hebo")
            page.insert_text((150 if hang else 165, y), row, fontsize=10)
            y += 12
        document.save(path)
    assert parse_pdf(path).text.splitlines()[-6:] == [
        "option flush",
        f"flush {TERMS[0][2]} {TERMS[1][2]}",
        "option black",
        f"black {TERMS[2][2]} {TERMS[3][2]} {TERMS[4][2]}",
        "option clock",
        f"clock {TERMS[5][2]} {TERMS[6][2]}",
    ]
