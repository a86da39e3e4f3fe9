"""Links are the words inside their rectangle, however wide the other letters of their line are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import may_be_letters, parse_pdf
from rabbithole.kb.ingest.page.page_links import Word, linked_words
from rabbithole.kb.mupdf import pymupdf

PAGE = (0.0, 0.0, 595.0, 842.0)


def test_a_link_is_its_words_in_a_line_of_wide_and_narrow_letters(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pymupdf.open() as document:
        page = document.new_page()
        before, link = "IMMOMMWWM WWMMWM MMWW (see ", "Retiring"
        page.insert_text((72, 100), f"{before}{link}), till it is filled in, if it is still little.", fontsize=10)
        start = 72 + pymupdf.get_text_length(before, "helv", 10)
        rect = pymupdf.Rect(start, 90, start + pymupdf.get_text_length(link, "helv", 10), 103)
        page.insert_link({"kind": pymupdf.LINK_URI, "from": rect, "uri": "https://example.org/"})
        document.save(path)
    parsed = parse_pdf(path)
    assert [parsed.text[found.start : found.end] for found in parsed.links] == [link]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Retiring.", "Retiring"),
        ("New packages);", "New packages"),
        ("(Porting)", "Porting"),
        ("(Uploads (NMUs))", "Uploads (NMUs)"),
        ("Uploads (NMUs)),", "Uploads (NMUs)"),
        ("(see", "see"),
        ("(A) and (B)", "(A) and (B)"),
        ("", ""),
    ],
)
def test_signs_of_the_sentence_are_not_linked(text: str, expected: str) -> None:
    words: list[Word] = [(10.0 * place, 0, 10.0 * place + 8, 10, word) for place, word in enumerate(text.split())]
    outside: list[Word] = [(10.0 * len(words), 0, 10.0 * len(words) + 8, 10, "outside")]
    assert linked_words((0, 0, 10.0 * len(words), 10), words + outside) == expected


@pytest.mark.parametrize(
    ("kind", "box", "some", "expected"),
    [
        ("fill-image", (28, 20, 68, 54), True, False),  # a logo at the head of a page with a number
        ("fill-image", (28, 20, 68, 54), False, True),
        ("fill-image", (72, 200, 500, 700), True, True),
        ("fill-image", PAGE, True, True),
        ("fill-path", PAGE, True, False),
        ("fill-path", (72, 200, 500, 700), True, True),
        ("fill-path", (72, 200, 500, 201), False, False),
        ("fill-shade", PAGE, False, False),
        ("fill-text", (72, 200, 500, 700), False, True),
        ("fill-text", (72, 200, 500, 700), True, False),
    ],
)
def test_what_is_drawn_on_a_page_without_text(
    kind: str, box: tuple[float, float, float, float], some: bool, expected: bool
) -> None:
    assert may_be_letters(kind, box, PAGE, some=some) == expected
