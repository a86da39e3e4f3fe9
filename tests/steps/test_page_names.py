"""How a place is named beside the title of its document."""

from __future__ import annotations

import pytest

from rabbithole.steps.page_names import section_beside


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
