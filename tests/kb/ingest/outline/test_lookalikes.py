"""Captions, sentences, dates, rows of figures and title pages look like headings and are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.outline.lookalikes import is_caption, is_date_or_address, is_row_of_figures, is_sentence

from .test_outlines import BOLD, Pages, outline


@pytest.mark.parametrize(
    "text",
    [
        "Table 2-1: Recommended sizes",
        "FIGURE 3.1.",
        "Fig. 4 The harbour",
        "Tab. A.1 Grenzwerte",
        "Abbildung 12: Der Hafen",
        "Algorithm 3.2. Counting waves",
        "Listing 1",
    ],
)
def test_captions(text: str) -> None:
    assert is_caption(text)


@pytest.mark.parametrize("text", ["Table of tides", "Figures", "Tables 1 and 2", "Algorithm design", "Table 30% full"])
def test_titles_that_are_no_captions(text: str) -> None:
    assert not is_caption(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Harbours should list all ships that lie in them.", True),
        ("Der Hafen muss alle Schiffe nennen, die in ihm liegen.", True),
        ("Name of Standard.", False),
        ("Harbours should list all ships that lie in them", False),
        ("The Harbour, the Ships and the Sea: Essays on Tides, Vol.", False),
        ("Which ships should the harbour list for us?", False),
    ],
)
def test_sentences(text: str, sentence: bool) -> None:
    assert is_sentence(text) is sentence


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Nov 2001", True),
        ("March 2011", True),
        ("17. Juni 2020", True),
        ("University of Harbourtown, harbour@sea.org", True),
        ("March", False),
        ("Changes since March 2011", False),
        ("Mail@home", False),
    ],
)
def test_dates_and_addresses(text: str, dated: bool) -> None:
    assert is_date_or_address(text) is dated


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("CS (low) 16.0 9.1 8.4 33.5 23.5", True),
        ("12 14 16 18 20", True),
        ("Tides of 1998 and 1999 in the harbour", False),
        ("1 2 3", False),
    ],
)
def test_rows_of_figures(text: str, figures: bool) -> None:
    assert is_row_of_figures(text) is figures


def test_captions_divide_no_section(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Tides", 14).text("The text", 6)
    pages.head("Table 1-1: Heights of the tide").text("The table", 3)
    pages.head("Figure 2. The harbour").text("The text goes on", 6)
    pages.head("2 Ships", 14).text("The text", 6)
    parsed = pages.read(tmp_path / "a.pdf")
    assert [row[:2] for row in outline(parsed)] == [("1", "Tides"), ("2", "Ships")]
    assert "Table 1-1: Heights of the tide" in parsed.text


def test_a_sentence_or_a_paragraph_in_bold_is_no_heading(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Tides", 14).text("The text", 8)
    pages.head("Harbours should list all the ships that lie in them.").text("They", 3)
    pages.head("2 Ships", 14).text("The text", 8)
    for _ in range(8):
        pages.at("A paragraph in larger letters that goes on for many lines and says", size=12)
        pages.y += 14
    pages.y += 20
    pages.text("The text", 8)
    assert [row[0] for row in outline(pages.read(tmp_path / "a.pdf"))] == ["1", "2"]


def test_lines_of_a_title_page_are_no_headings(tmp_path: Path) -> None:
    pages = Pages().page(200)
    for text, size in (("Tides and Ships", 24), ("A Guide to Harbours", 18), ("Part 2", 18), ("June 2020", 14)):
        pages.at(text, size=size, font=BOLD)
        pages.y += 70
    pages.page().head("Acknowledgments", 14).text("Thanks", 8)
    pages.page().text("A word before", 8)
    for number, title in enumerate(("Tides", "Ships", "Harbours"), 1):
        pages.page().head(f"{number} {title}", 14).text("The text", 8)
    parsed = pages.read(tmp_path / "a.pdf")
    assert [row[1] for row in outline(parsed)] == ["Acknowledgments", "Tides", "Ships", "Harbours"]
    assert "A Guide to Harbours" in parsed.text


def test_a_first_page_with_running_text_keeps_its_headings(tmp_path: Path) -> None:
    pages = Pages().page().head("Preface", 18).head("On the Sea", 14).text("The text", 12)
    for title in ("Tides", "Ships", "Summary"):
        pages.page().head(title, 14).text("The text", 8)
    assert ("", "On the Sea") in [row[:2] for row in outline(pages.read(tmp_path / "a.pdf"))]


def test_a_line_that_begins_with_a_closing_bracket_is_no_heading(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Tides", 14).text("The text", 6)
    pages.y += 14
    pages.at("Part 1]. General Matters of Tides and Ships")
    pages.y += 30
    pages.text("The text", 6).head("2 Ships", 14).text("The text", 6)
    assert [row[0] for row in outline(pages.read(tmp_path / "a.pdf"))] == ["1", "2"]


def test_a_term_without_explanation_is_no_heading(tmp_path: Path) -> None:
    pages = Pages().page().head("1 Calls", 14).text("The text", 6)
    for term, explanation in (("SET_TIDE", "Sets the tide"), ("GET_TIDE", ""), ("SET_SHIP", "Names a ship")):
        pages.at(term, font=BOLD)
        pages.at(explanation, 150)
        pages.y += 24
    pages.head("2 Ships", 14).text("The text", 6).head("READ_SHIP").text("It reads", 3)
    parsed = pages.read(tmp_path / "a.pdf")
    assert [row[0] or row[1] for row in outline(parsed)] == ["1", "2", "READ_SHIP"]
