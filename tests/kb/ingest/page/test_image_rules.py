"""Rules drawn as images of one dot: a grid of them is a table, a frame around a word is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rabbithole.kb.ingest.document.parse import parse_pdf
from rabbithole.kb.ingest.page.image_rules import rules_of_tables
from rabbithole.kb.ingest.page.lines import Box
from rabbithole.kb.mupdf import pymupdf

LEFT, TOP, WIDTH, HEIGHT = 72, 100, 120, 20


def rule(x: float, y: float, width: float, height: float) -> bytes:
    """Return the drawing of a rule as an image mask of one dot; ``y`` counts from the bottom of the page."""
    place = b"%.1f 0 0 %.1f %.1f %.1f" % (width, height, x, y)
    return b"q " + place + b" cm BI /W 1 /H 1 /IM true /BPC 1 /D [1 0] ID \x00 EI Q\n"


def test_a_grid_of_such_rules_is_a_table(tmp_path: Path) -> None:
    rows = [("Mode", "Rate"), ("2", "5,950"), ("4", "11,000")]
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        for number, row in enumerate(rows):
            for column, words in enumerate(row):
                page.insert_text((LEFT + 10 + WIDTH * column, TOP + 14 + HEIGHT * number), words, fontsize=10)
        bottom = 842 - TOP - HEIGHT * len(rows)
        drawn = [rule(LEFT, 842 - TOP - HEIGHT * number, 2 * WIDTH, 0.4) for number in range(len(rows) + 1)]
        drawn += [rule(LEFT + WIDTH * column, bottom, 0.4, HEIGHT * len(rows)) for column in range(3)]
        xref = page.get_contents()[0]
        document.update_stream(xref, document.xref_stream(xref) + b"\n" + b"".join(drawn))
        document.save(tmp_path / "a.pdf")
    assert parse_pdf(tmp_path / "a.pdf").text.splitlines() == [
        "| Mode | Rate |", "| --- | --- |", "| 2 | 5,950 |", "| 4 | 11,000 |",
    ]  # fmt: skip


GRID: list[Box] = [(0, y, 50, y + 0.4) for y in (0, 20, 40)] + [(x, 0, x + 0.4, 40) for x in (0, 25, 50)]
FRAME: list[Box] = [(80, 0, 110, 0.4), (80, 10, 110, 10.4), (80, 0, 80.4, 10), (110, 0, 110.4, 10)]
LONG: Box = (0, 60, 200, 60.4)


@pytest.mark.parametrize(
    ("rules", "kept"), [(GRID, GRID), (FRAME, []), ([LONG], [LONG]), ([*FRAME, *GRID], GRID), ([], [])]
)
def test_rules_that_meet_in_a_grid_are_kept_and_long_ones(rules: list[Box], kept: list[Box]) -> None:
    assert sorted(rules_of_tables(rules)) == sorted(kept)
