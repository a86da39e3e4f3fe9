"""Lists whose bullets are drawn: browsers print web pages so."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.mupdf import pymupdf

ITEMS = ("They are working full-time;", "They have been here for a year; and", "They are in good standing.")


def page_with(path: Path, shape: str, *, at: float = 64, size: float = 3) -> str:
    """Return the text of a page with a list of three items, each with a shape before it."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 80), "Members may vote if:", fontsize=11)
    for number, item in enumerate(ITEMS):
        base = 100 + 16 * number
        page.insert_text((76, base), item, fontsize=11)
        middle = pymupdf.Point(at, base - 3.5)
        box = pymupdf.Rect(middle.x - size / 2, middle.y - size / 2, middle.x + size / 2, middle.y + size / 2)
        if shape == "disc":
            page.draw_circle(middle, size / 2, color=None, fill=(0, 0, 0))
        elif shape == "circle":
            page.draw_circle(middle, size / 2)
        else:
            page.draw_rect(box, color=None, fill=(0, 0, 0))
    page.insert_text((50, 160), "Note: a guest may not vote.", fontsize=11)
    document.save(path)
    return parse_pdf(path).text


@pytest.mark.parametrize("shape", ["disc", "circle", "square"])
def test_drawn_bullets_begin_items(shape: str, tmp_path: Path) -> None:
    text = page_with(tmp_path / "list.pdf", shape)
    assert "Members may vote if:\n" + "\n".join(f"• {item}" for item in ITEMS) + "\nNote: a guest" in text


@pytest.mark.parametrize(("at", "size"), [(20, 3), (70, 9)])
def test_what_is_far_away_or_large_is_no_bullet(at: float, size: float, tmp_path: Path) -> None:
    assert "•" not in page_with(tmp_path / "no_list.pdf", "disc", at=at, size=size)


def test_what_stands_behind_words_is_no_bullet(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 80), "Fee", fontsize=11)
    page.draw_circle(pymupdf.Point(74, 76.5), 1.5, color=None, fill=(0, 0, 0))
    page.insert_text((80, 80), "40 euros a year for each member of the club", fontsize=11)
    document.save(tmp_path / "row.pdf")
    assert "•" not in parse_pdf(tmp_path / "row.pdf").text
