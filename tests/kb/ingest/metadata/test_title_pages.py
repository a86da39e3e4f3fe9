"""Title pages set in one size or in several, with the people who made the document below the title."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.metadata.title_text import clean
from rabbithole.kb.ingest.metadata.title_words import DANGLING, is_credit, people
from rabbithole.kb.ingest.parsed import ParsedDocument
from rabbithole.kb.mupdf import pymupdf

BODY = "Every page has some lines of running text, which tell the size of its letters. "
Row = tuple[str, float, float]
"""A line of a title page: its text, size and height."""


def read(path: Path, *rows: Row, pages: Sequence[str] = (BODY * 20,)) -> ParsedDocument:
    """Return a document as read whose first page has centred lines; ``pages`` follow."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for text, size, y in rows:
        page.insert_text((297 - pymupdf.get_text_length(text, fontsize=size) / 2, y), text, fontsize=size)
    for text in pages:
        document.new_page(width=595, height=842).insert_textbox(pymupdf.Rect(72, 72, 520, 780), text, fontsize=12)
    document.save(path)
    return parse_pdf(path)


def test_a_title_goes_on_after_a_line_that_ends_with_a_preposition(tmp_path: Path) -> None:
    parsed = read(tmp_path / "x.pdf", ("Leitprogramm als", 17, 86), ("Beispiel", 25, 137), ("Stand Mai 2020", 12, 169))
    assert parsed.title == "Leitprogramm als Beispiel"


def test_the_title_of_a_thesis_in_capitals_of_one_size(tmp_path: Path) -> None:
    rows = (
        ("THE FLOW OF WATER AND OF SEDIMENT IN SHALLOW RIVERS", 12.0, 108.0),
        ("OF THE NORTHERN PLAINS AND ITS MODELS", 12.0, 132.0),
        ("A Dissertation", 12.0, 222.0),
        ("Submitted to the Graduate Faculty of the", 12.0, 238.0),
        ("University of the Plains", 12.0, 254.0),
        ("Samuel Quincy Student", 12.0, 380.0),
        ("September 2022", 12.0, 620.0),
    )
    parsed = read(tmp_path / "thesis.pdf", *rows)
    wanted = "THE FLOW OF WATER AND OF SEDIMENT IN SHALLOW RIVERS OF THE NORTHERN PLAINS AND ITS MODELS"
    assert parsed.title == wanted


@pytest.mark.parametrize("below", ["übersetzt von Theresia Beispiel und Peter Muster", "edited by Ada Lovelace"])
def test_those_who_made_the_document_are_not_its_subtitle(tmp_path: Path, below: str) -> None:
    parsed = read(tmp_path / "x.pdf", ("Das Paket für Zitate", 20, 120), (below, 15, 150), ("Mai 2011", 15, 175))
    assert parsed.title == "Das Paket für Zitate"


def test_the_version_of_a_style_file_is_not_the_document_s(tmp_path: Path) -> None:
    parsed = read(tmp_path / "x.pdf", ("Notices for Authors of Papers", 20, 120), ("Compiled using style v3.0", 8, 40))
    assert parsed.identity is not None
    assert parsed.identity.edition is None


@pytest.mark.parametrize(
    ("text", "credit"),
    [
        ("übersetzt von Theresia Conrad", True),
        ("Edited by Ada Lovelace", True),
        ("Written and illustrated by Ada Lovelace", True),
        ("von Anfang bis Ende", False),
        ("A Guide Written for Beginners", False),
    ],
)
def test_credits(text: str, credit: bool) -> None:
    assert is_credit(text) is credit


@pytest.mark.parametrize(("text", "open_ended"), [("Leitfaden für", True), ("Guide to", True), ("Der Beamte", False)])
def test_lines_that_a_title_goes_on_after(text: str, open_ended: bool) -> None:
    assert (DANGLING.search(text) is not None) is open_ended


def test_a_star_after_a_name_is_a_mark() -> None:
    assert people("Keith T. Smith¹⋆†") == ("Keith T. Smith",)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Act on Fees ( - AcF)", "Act on Fees (AcF)"),
        ("Act on Fees (Fees Act - )", "Act on Fees (Fees Act)"),
        ("Act on Fees (Fees Act - AcF)", "Act on Fees (Fees Act - AcF)"),
        ("Act on Fees ()", "Act on Fees"),
        ("Temperatures (-40 to 20 degrees)", "Temperatures (-40 to 20 degrees)"),
    ],
)
def test_an_empty_half_of_a_bracket_is_left_out(text: str, title: str) -> None:
    assert clean(text) == title


def test_a_typed_title_as_long_as_its_line_stands_above_the_abstract(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    head = ("Rivers Task Force (RTF)                                    S. Frankel", "Request: 71" + " " * 53 + "RIST")
    title = "   Securing Rivers (RIV) and Exchanging Boats (BOAT) Document Roadmaps"
    body = "   Over the past few years, many documents on boats and rivers have  "
    rows = [*head, "", title, "", "Abstract", "", *[body] * 30]
    for number, row in enumerate(rows):
        page.insert_text((62, 60 + 12 * number), row, fontsize=10, fontname="cour")
    document.set_metadata({"title": "RTF 71"})
    document.save(tmp_path / "rtf71.pdf")
    assert parse_pdf(tmp_path / "rtf71.pdf").title == title.strip()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Letter Class for Version 2.09: Copyright c\u20dd1993, 94, 2000 by Ada Beck", "Letter Class for Version 2.09"),
        ("The Book of Moss © 2019 Somebody", "The Book of Moss"),
        ("Guide to Copyright 2019", "Guide to Copyright 2019"),
    ],
)
def test_a_title_ends_before_a_copyright_notice(text: str, title: str) -> None:
    assert clean(text) == title


def policy(path: Path, heads: Sequence[str]) -> str:
    """Return the title of a page with a title and headings, each above running text."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    page.insert_text((50, 70), "Paid Parental Leave Policy", fontsize=22, fontname="hebo")
    y = 100.0
    for head in heads:
        page.insert_text((50, y), head, fontsize=16, fontname="hebo")
        page.insert_textbox(pymupdf.Rect(50, y + 12, 545, y + 110), BODY * 4, fontsize=11)
        y += 140
    document.save(path)
    return parse_pdf(path).title


def test_the_first_of_several_headings_is_no_subtitle(tmp_path: Path) -> None:
    assert policy(tmp_path / "a.pdf", ["Reason for the policy", "Who may take leave"]) == "Paid Parental Leave Policy"
    subtitled = policy(tmp_path / "b.pdf", ["For all who work with us"])
    assert subtitled == "Paid Parental Leave Policy: For all who work with us"
