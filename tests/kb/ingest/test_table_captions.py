"""A caption below its table stands above its rows in the text; others stay where they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rabbithole.kb.ingest.document.table_captions import with_captions_above
from rabbithole.kb.ingest.page.lines import TextLine

ROWS = ["| Code | Bits |", "| --- | --- |", "| 10 | 16 |"]
MORE = ["| Mode | Rate |", "| --- | --- |", "| 4 | 11 |"]
CODES, MODES = "Table 5.1: Codes of messages", "Table 5.2: Rates of modes"


def read(*texts: str) -> list[str]:
    """Return the texts in order after captions were moved; they are printed one below the other, apart from tables."""
    lines: list[TextLine] = []
    base = 100.0
    for text in texts:
        row = text.startswith("|")
        apart = 12.0 if not lines or row == lines[-1].verbatim else 20.0
        base += apart
        lines.append(TextLine(0, text, 60, base - 9, 300, base + 2, base, verbatim=row))
    return [line.text for line in with_captions_above(lines)]


def test_a_caption_below_its_table() -> None:
    assert read("The codes are these.", *ROWS, CODES) == ["The codes are these.", CODES, *ROWS]


def test_all_lines_of_a_caption() -> None:
    assert read(*ROWS, CODES, "and their sizes.") == [CODES, "and their sizes.", *ROWS]


def test_two_tables_with_captions_below() -> None:
    assert read(*ROWS, CODES, *MORE, MODES) == [CODES, *ROWS, MODES, *MORE]


@pytest.mark.parametrize(
    "texts",
    [
        [CODES, *ROWS, MODES, *MORE],  # captions above
        ["Table 5.1: Codes", "of messages and their sizes.", *ROWS, MODES],
        [*ROWS, MODES, *MORE],
        [*ROWS, "Table 5 lists the codes."],
        [*ROWS, "Messages are sent at once."],
    ],
)
def test_what_stays(texts: list[str]) -> None:
    assert read(*texts) == texts


def test_a_caption_on_the_next_page_or_far_below_stays() -> None:
    rows = [TextLine(0, text, 60, 100 + 12 * n, 300, 111 + 12 * n, 110 + 12 * n, verbatim=True) for n, text in
            enumerate(ROWS)]  # fmt: skip
    caption = TextLine(0, CODES, 60, 400, 300, 411, 410)
    for below in (caption, replace(caption, page=1)):
        assert with_captions_above([*rows, below]) == [*rows, below]
