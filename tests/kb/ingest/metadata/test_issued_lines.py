"""A date or a version is no title, nor part of one, and the number of a footnote is not either."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.metadata.title_text import is_useless
from rabbithole.kb.ingest.metadata.title_words import is_mark, without_note
from rabbithole.kb.mupdf import pymupdf

BODY = "Every page has some lines of running text, which tell the size of its letters. "


def title_of(path: Path, *rows: tuple[str, float]) -> str:
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        y = 120.0
        for text, size in rows:
            page.insert_text((297 - pymupdf.get_text_length(text, fontsize=size) / 2, y), text, fontsize=size)
            y += 2.4 * size
        document.new_page().insert_textbox(pymupdf.Rect(72, 72, 520, 780), BODY * 20, fontsize=10)
        document.save(path)
    return parse_pdf(path).title


def test_the_name_stands_for_a_document_that_shows_only_its_version(tmp_path: Path) -> None:
    title = title_of(tmp_path / "typesetter.pdf", ("typesetter.cls", 18.0), ("2011/12/17 - v1.1d", 13.0))
    assert title == "typesetter"


def test_a_document_about_a_template_keeps_its_title(tmp_path: Path) -> None:
    path = tmp_path / "sr.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((240, 140), "sr.cls", fontsize=17)
        page.insert_text((220, 170), "Version 1.2 (24. Mai 2021)", fontsize=12)
        page.insert_textbox(pymupdf.Rect(72, 200, 520, 780), BODY * 20, fontsize=10)
        document.set_metadata({"title": "Vorlage für Bücher in zwei Reihen - Dokumentation"})
        document.save(path)
    assert parse_pdf(path).title == "Vorlage für Bücher in zwei Reihen - Dokumentation"


@pytest.mark.parametrize(
    ("title", "useless"),
    [
        ("Vorlage Bericht", True),
        ("Template", True),
        ("template-2017.dot final", True),
        ("Liste der Änderungen", True),
        ("Template for Theses at Universities", False),
    ],
)
def test_the_name_of_a_template_is_no_title(title: str, useless: bool) -> None:
    assert is_useless(title) is useless


@pytest.mark.parametrize("issued", ["Publish date: 2024-01-31", "Release date: May 2023", "Build date: 31 May 2023"])
def test_a_date_below_a_title_is_no_subtitle(tmp_path: Path, issued: str) -> None:
    title = title_of(tmp_path / "a.pdf", ("Manual of the School Network", 20.0), (issued, 20.0))
    assert title == "Manual of the School Network"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2011/12/17 — v1.1d", True),
        ("Version 2.3.1 (2024-05)", True),
        ("v3.0", True),
        ("Release 4.2", True),
        ("Version 1.2 (24. Mai 2021)", True),
        ("Revision 3 (May 2021)", True),
        ("v4.1, May 24, 2021", True),
        ("Der 24. Mai 2021", False),
        ("1.2 Releases", False),
        ("Version Control with Files", False),
        ("The year 2024", False),
    ],
)
def test_dates_and_versions_alone(text: str, expected: bool) -> None:
    assert is_mark(text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [("A Guide for Authors¹", "A Guide for Authors"), ("Sizes in m²", "Sizes in m²"), ("CO₂", "CO₂"), ("X¹⁰", "X¹⁰")],
)
def test_the_number_of_a_footnote(title: str, expected: str) -> None:
    assert without_note(title) == expected
