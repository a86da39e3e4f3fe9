"""No sentence goes on over pages that are left out, and the labels of a drawing belong to its caption."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.hyphenation import Hyphens
from rabbithole.kb.ingest.page.labels.page_gaps import leaves_out
from rabbithole.kb.ingest.page.lines import TextLine
from rabbithole.kb.ingest.page.paragraphs import assemble
from rabbithole.kb.mupdf import pymupdf


@pytest.mark.parametrize(
    ("before", "after", "pages", "missing"),
    [
        ("50", "52", 1, True),
        ("50", "51", 1, False),
        ("50", "52", 2, False),
        ("xii", "1", 1, False),
        ("4-6", "4-9", 1, False),
        ("80", "3", 1, False),
    ],
)
def test_missing_pages(before: str, after: str, pages: int, missing: bool) -> None:
    assert leaves_out(before, after, pages) is missing


def test_a_sentence_does_not_go_on_where_the_printed_numbers_jump(tmp_path: Path) -> None:
    document = pymupdf.open()
    for number in (49, 50, 52, 53, 54):
        page = document.new_page(width=595, height=842)
        page.insert_text((290, 40), str(number), fontsize=10)
        for row in range(40):
            page.insert_text((72, 80 + 16 * row), f"and we marched on day {number} by the river in row {row:02} of it")
    document.save(tmp_path / "diary.pdf")
    parsed = parse_pdf(tmp_path / "diary.pdf")
    assert parsed.page_labels == ("49", "50", "52", "53", "54")
    before = [parsed.text[start - 1] for start in parsed.page_starts[1:]]
    assert before == [" ", "\n", " ", " "]


def test_what_explains_the_signs_of_a_drawing_stays_with_its_caption() -> None:
    rows = (
        "Figure 1: The folders of the template",
        ". . . . . . Main folder",
        ". . . . . . Notes",
        "Figure 1 shows the folders.",
    )
    lines = [
        TextLine(0, text, 90, y - 10, 90 + 5 * len(text), y + 2, y)
        for text, y in zip(rows, (100, 114, 128, 170), strict=True)
    ]
    paragraphs = assemble(lines, 1, set(), Hyphens([])).text.split("\n")
    assert paragraphs == [" ".join(rows[:3]), rows[3]]
