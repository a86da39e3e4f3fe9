"""How pages are named, and a place beside the title of its document."""

from __future__ import annotations

import pytest

from rabbithole.steps.page_names import page_range, section_beside


@pytest.mark.parametrize(
    ("label", "titles", "printed"),
    [
        ("9.9 Quotas", ("9.9. Quotas",), ""),
        ("§ 5 Scope", ("Act on Keys", "KeysA"), "§ 5 Scope"),
        ("Act on Keys", ("Act on Keys", "KeysA"), ""),
        ("", ("Act on Keys",), ""),
    ],
)
def test_a_heading_that_is_the_title_is_not_printed_again(label: str, titles: tuple[str, ...], printed: str) -> None:
    assert section_beside(label, *titles) == printed


@pytest.mark.parametrize(
    ("first", "last", "language", "name"),
    [
        ((12, "13"), (13, "14"), "en", "pp. 13–14"),
        ((12, ""), (13, ""), "de", "S. 13–14"),
        ((11, "20"), (12, "21"), "de", "S. 20–21 (PDF 12–13)"),
        ((11, "20"), (12, "21"), "en", "pp. 20–21 (PDF 12–13)"),
        ((1, "iv"), (2, ""), "en", "pp. iv–3 (PDF 2–3)"),
        ((12, "13"), (12, "13"), "en", "p. 13"),
        ((11, "20"), (0, ""), "de", "S. 20 (PDF 12)"),  # an older report does not say where its passages end
        ((3, "¶ 4"), (5, "¶ 6"), "en", "¶ 4"),  # a document without pages
    ],
)
def test_consecutive_pages(first: tuple[int, str], last: tuple[int, str], language: str, name: str) -> None:
    assert page_range(first, last, language) == name
