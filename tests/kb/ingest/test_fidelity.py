"""Text as a person reads it: columns, hyphens, turned pages, letters that no font names; pages and quotations."""

from pathlib import Path

import pytest

from rabbithole.kb import KbSettings, KnowledgeBase
from rabbithole.kb.errors import IngestError
from rabbithole.kb.ingest.document import parse
from rabbithole.kb.ingest.document.pages_without_text import judge_text
from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.line_reader import is_garbled, loses_words
from rabbithole.kb.ingest.page.lines import UNREADABLE, TextLine, clean, signs
from rabbithole.kb.ingest.page.reading_order import in_reading_order
from rabbithole.kb.mupdf import pymupdf

LEFT = [
    "The quick review of the radi-",
    "ation data was done by the",
    "office in the first year and",
    "it was found to be complete.",
]
RIGHT = [
    "A second review fol-",
    "lowed in the next year with",
    "the same finding, so that",
    "nothing had to be changed.",
]


def two_columns(path: Path, rotation: int = 0) -> Path:
    document = pymupdf.open()
    for number in range(2):
        page = document.new_page(width=595, height=842)
        for place in range(12):
            page.insert_text((60, 100 + 12 * place), LEFT[place % 4], fontsize=10)
            page.insert_text((310, 100 + 12 * place), RIGHT[place % 4], fontsize=10)
        page.insert_text((295, 800), str(217 + number), fontsize=9)
        page.set_rotation(rotation)
    document.save(path)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_quotations_verify_with_page_and_label(tmp_path: Path, rotation: int) -> None:
    folder = tmp_path / "pdf"
    folder.mkdir()
    two_columns(folder / "a.pdf", rotation)
    with KnowledgeBase.open(tmp_path / "kb", KbSettings(embedding_model="hash", parse_workers=1), create=True) as base:
        base.ingest([folder], "Reviews")
        (document,) = base.documents()
        for quote in (
            "review of the radiation data was done by the office",
            "A second review followed in the next year",
            "review of the radi-\nation data",
        ):
            place = base.find_quote(document.id, quote, page=1)
            assert place is not None
            assert (place.page, place.page_label) == (1, "218")


def test_a_table_in_a_column_does_not_tear_the_columns(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for place in range(30):
        page.insert_text((60, 100 + 12 * place), f"{LEFT[1]} {place:02}", fontsize=10)
    for row in range(8):
        for cell in range(6):
            page.insert_text((310 + 40 * cell, 100 + 14 * row), f"{row}.{cell}", fontsize=10)
    for place in range(20):
        page.insert_text((310, 230 + 12 * place), f"{RIGHT[1]} and more of it {place:02}", fontsize=10)
    document.save(tmp_path / "a.pdf")
    text = parse_pdf(tmp_path / "a.pdf").text
    assert text.index(f"{LEFT[1]} 29") < text.index("0.0")


def test_text_printed_over_itself_is_read_once(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for shift in (0.0, 0.3):
        page.insert_text((72 + shift, 100), "Enforced for all access", fontsize=11)
    document.save(tmp_path / "a.pdf")
    assert parse_pdf(tmp_path / "a.pdf").text == "Enforced for all access"


def garbled_line(text: str) -> TextLine:
    return TextLine(0, clean(text), 70, 90, 300, 102, 100)


def test_letters_that_no_font_names_are_said() -> None:
    secret = "".join(chr(0xE010 + number) for number in range(40))
    assert is_garbled([garbled_line(secret), garbled_line("Name und Vorname")])
    assert not is_garbled([garbled_line("\uf0b7 ein Punkt einer Liste"), garbled_line("und mehr davon")])
    assert clean("\uf0b7 \uf0a8 \uf0b0") == "• ☐ °"
    assert signs("w ü", "ABCDEF+Wingdings-Regular") == "• ✓"
    assert signs("w ü", "ABCDEF+Arial") == "w ü"
    assert clean("\ue123") == UNREADABLE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("o\ufffdce hours", True),
        ("the \ufffdrst week", True),
        ("\ufffd" * 40, True),
        ("\ufffd\ufffd\ufffd \ufffd\ufffd \ufffd\ufffd\ufffd\ufffd", True),
        ("\ufffd\ufffd\ufffd\ufffd", False),  # the parts of a circle
        ("\ufffd 7.5", False),
        ("a\ufffd + b\ufffd", False),
    ],
)
def test_words_that_lose_letters_are_told_from_symbols(text: str, words: bool) -> None:
    assert loses_words([garbled_line(text), garbled_line("Name und Vorname")]) is words


def test_lost_symbols_need_no_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "is_garbled", lambda lines: True)
    two_columns(tmp_path / "a.pdf")
    parsed = parse_pdf(tmp_path / "a.pdf")
    assert not parsed.garbled_pages
    (warning,) = judge_text(parsed, "a.pdf")
    assert warning == "some symbols on pages 1-2 could not be read; running text is not affected"


def test_garbled_pages_are_reported(tmp_path: Path) -> None:
    two_columns(tmp_path / "a.pdf")
    parsed = parse_pdf(tmp_path / "a.pdf").model_copy(update={"garbled_pages": (1,)})
    (warning,) = judge_text(parsed, "a.pdf")
    assert warning.startswith("some words on page 2 could not be read")
    assert "needs OCR" in warning


def test_a_file_with_addresses_alone_has_no_text(tmp_path: Path) -> None:
    """A program left out the letters of a font; the links in another are no text to quote."""
    document = pymupdf.open()
    for _ in range(2):
        page = document.new_page()
        page.insert_text((72, 100), "http://example.org/manual/ mail@example.org", fontsize=10)
    document.save(tmp_path / "a.pdf")
    with pytest.raises(IngestError, match=r"a\.pdf has no text"):
        judge_text(parse_pdf(tmp_path / "a.pdf"), "a.pdf")


def test_headings_in_the_margin_stand_before_their_paragraph() -> None:
    side = [
        TextLine(0, text, 70, y - 8, 130, y + 2, y, bold=bold)
        for text, y, bold in (("3.1", 100, False), ("Scope", 112, True))
    ]
    body = [
        TextLine(0, f"(1) A line of the text number {n}", 200, 92 + 12 * n, 520, 102 + 12 * n, 100 + 12 * n)
        for n in range(8)
    ]
    ordered = in_reading_order([*body, *side])
    assert [line.text for line in ordered[:2]] == ["3.1 Scope", "(1) A line of the text number 0"]
