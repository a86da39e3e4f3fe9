"""Signs that a PDF's fonts show for letters, or show without saying which."""

from __future__ import annotations

import pytest

from rabbithole.kb.ingest.page.lines import UNREADABLE, TextLine, clean, merge_rows, signs


def row(*cells: tuple[str, float]) -> list[TextLine]:
    """Lines of (text, x) on one baseline."""
    return [TextLine(0, text, x, 90, x + 5 * len(text), 102, 100) for text, x in cells]


@pytest.mark.parametrize(
    ("text", "font", "read"),
    [
        ("e", "ABCDEF+feymr10", "€"),
        ("e", "FEYBR10", "€"),
        ("50 e", "feybo10", "50 €"),
        ("e", "CMR10", "e"),
        ("fee", "Geyman-Regular", "fee"),
        ("w", "Wingdings-Regular", "•"),
        ("e", "Wingdings-Regular", "e"),
    ],
)
def test_the_euro_of_tex_s_font_is_no_letter(text: str, font: str, read: str) -> None:
    assert signs(text, font) == read


@pytest.mark.parametrize(
    ("cells", "text"),
    [
        ([(UNREADABLE, 70), ("A point of the list", 82)], "• A point of the list"),
        ([(UNREADABLE * 2, 70), ("ein Punkt", 90)], "• ein Punkt"),
        ([("Sum", 70), (UNREADABLE, 95), ("of tides", 110)], f"Sum {UNREADABLE} of tides"),
        ([(UNREADABLE, 70), ("7.5", 90)], f"{UNREADABLE} 7.5"),
        ([("1.", 70), ("A point", 90)], "1. A point"),
    ],
)
def test_an_unreadable_sign_before_its_row_is_a_bullet(cells: list[tuple[str, float]], text: str) -> None:
    assert [line.text for line in merge_rows(row(*cells))] == [text]


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        (f"tide --height ←{UNREADABLE}", "tide --height "),
        ("tide --height ←\ue001", "tide --height "),
        ("press ← and →", "press ← and →"),
        (f"{UNREADABLE}← back", f"{UNREADABLE}← back"),
        (f"an {UNREADABLE} alone", f"an {UNREADABLE} alone"),
    ],
)
def test_the_arrow_at_a_broken_line_of_a_program_is_no_text(printed: str, read: str) -> None:
    assert clean(printed) == read
